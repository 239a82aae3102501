import { useEffect, useState } from 'preact/hooks'
import { useApp, useHref, useMessages, useNavigate } from '../app/context.ts'
import { Button } from '../components/button.tsx'
import { Notice, Skeleton } from '../components/feedback.tsx'
import { TextField } from '../components/field.tsx'
import { Failure } from '../layout/failure.tsx'
import { platformMessages } from '../messages/tables.ts'
import { DeveloperLayout } from '../platform/developer-layout.tsx'
import { PasswordField } from '../platform/password-field.tsx'
import type { Session } from '../platform/session.ts'
import { SignInError, SignInForm, useThrottle } from '../platform/sign-in-form.tsx'
import { useSubmit } from '../platform/submit.tsx'
import '../platform/sign-in-form.css'
import { useSession } from '../platform/session.ts'

/** Paths to return to after signing in. */
const DOCUMENTATION = /^\/docs(?:\/[\w-]+)*$/

/** The sign-in page. A signed-in user is sent to the dashboard, or back to the documentation. */
export function SignInPage() {
  const session = useSession()
  const { router } = useApp()
  const hrefTo = useHref()
  const navigate = useNavigate()
  const t = useMessages(platformMessages).signIn
  const isSignedIn = session.person !== undefined
  useEffect(() => {
    if (!isSignedIn) return
    const back = router.location.peek().query.get('back') ?? ''
    navigate(hrefTo(DOCUMENTATION.test(back) ? back : '/dashboard'), { replace: true })
  }, [isSignedIn])
  return (
    <DeveloperLayout title={t.title} lead={t.lead}>
      {session.isAccountDeleted.value && (
        <Notice kind="good" isUrgent={true}>
          <p>{t.deleted}</p>
        </Notice>
      )}
      <SignInForm />
    </DeveloperLayout>
  )
}

/** The sign-up page, if the service allows it. A signed-in user is sent to the keys. */
export function SignUpPage() {
  const session = useSession()
  const hrefTo = useHref()
  const navigate = useNavigate()
  const t = useMessages(platformMessages).signUp
  const known = session.state.value
  const isSignedIn = session.person !== undefined
  useEffect(() => {
    if (isSignedIn) navigate(hrefTo('/dashboard/keys'), { replace: true })
  }, [isSignedIn])
  return (
    <DeveloperLayout title={t.title} lead={t.lead}>
      {known.state === 'loading' && <Skeleton height="16rem" />}
      {known.state === 'failed' && <Failure error={known.error} retry={session.load} isForDevelopers={true} />}
      {known.state === 'ready' && <SignUp rule={known.value.signUp} hasMail={known.value.mail === true} />}
    </DeveloperLayout>
  )
}

/** Asks for a mail with a link to set a new password. The answer does not depend on whether the address has an account. */
export function ForgotPasswordPage() {
  const session = useSession()
  const t = useMessages(platformMessages).forgotPassword
  const known = session.state.value
  return (
    <DeveloperLayout title={t.title}>
      {known.state === 'loading' && <Skeleton height="12rem" />}
      {known.state === 'failed' && <Failure error={known.error} retry={session.load} isForDevelopers={true} />}
      {known.state === 'ready' && (known.value.mail === true ? <ForgotPassword /> : <NoMail />)}
    </DeveloperLayout>
  )
}

function ForgotPassword() {
  const session = useSession()
  const { forgotPassword: t, email } = useMessages(platformMessages)
  const submit = useSubmit()
  const wait = useThrottle(submit.error)
  const [sentTo, setSentTo] = useState<string>()
  return (
    <form
      class="card entry-form"
      onSubmit={(event) => {
        event.preventDefault()
        const address = String(new FormData(event.currentTarget).get('email'))
        const request = { method: 'POST', path: '/password-reset-mail', body: { email: address } } as const
        void submit.run(() => session.fetch(request)).then((isDone) => setSentTo(isDone ? address : undefined))
      }}
    >
      <p>{t.lead}</p>
      <TextField label={email} name="email" type="email" autocomplete="username" required={true} />
      <SignInError error={submit.error} wait={wait} />
      {sentTo !== undefined && (
        <Notice kind="good" isUrgent={true}>
          <p>{t.sent(sentTo)}</p>
        </Notice>
      )}
      <Button kind="main" type="submit" isOff={submit.isBusy || wait > 0}>
        {t.submit}
      </Button>
    </form>
  )
}

function NoMail() {
  const hrefTo = useHref()
  const { forgotPassword: t, signIn } = useMessages(platformMessages)
  return (
    <Notice title={t.noMailTitle}>
      <p>{t.noMail}</p>
      <p>
        <code>marquee accounts reset you@example.com</code>
      </p>
      <p>
        <a href={hrefTo('/sign-in')}>{signIn.title}</a>
      </p>
    </Notice>
  )
}

/** Sets a new password by the code in the fragment of a link, from the operator or from a mail. */
export function ResetPasswordPage() {
  const session = useSession()
  const hrefTo = useHref()
  const navigate = useNavigate()
  const t = useMessages(platformMessages).resetPassword
  const submit = useSubmit()
  const wait = useThrottle(submit.error)
  return (
    <DeveloperLayout title={t.title} lead={t.lead}>
      <form
        class="card entry-form"
        onSubmit={(event) => {
          event.preventDefault()
          const password = String(new FormData(event.currentTarget).get('password'))
          const code = window.location.hash.slice(1)
          void submit
            .run(() => session.resetPassword({ code, password }))
            .then((isDone) => isDone && navigate(hrefTo('/dashboard'), { replace: true }))
        }}
      >
        <PasswordField label={t.password} name="password" isNew={true} />
        <SignInError error={submit.error} wait={wait} />
        <Button kind="main" type="submit" isOff={submit.isBusy || wait > 0}>
          {t.submit}
        </Button>
      </form>
    </DeveloperLayout>
  )
}

function SignUp({ rule, hasMail }: { rule: Session['signUp']; hasMail: boolean }) {
  const session = useSession()
  const hrefTo = useHref()
  const { signUp: t, signIn, email, password } = useMessages(platformMessages)
  const submit = useSubmit()
  const wait = useThrottle(submit.error)
  if (rule === 'closed') {
    return (
      <Notice kind="warn" title={t.closedTitle}>
        <p>{t.closed}</p>
        <p>
          {t.other} <a href={hrefTo('/sign-in')}>{signIn.title}</a>
        </p>
      </Notice>
    )
  }
  return (
    <form
      class="card entry-form"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        const text = (name: string) => String(form.get(name) ?? '')
        const entry = { email: text('email'), password: text('password') }
        void submit.run(() =>
          session.signUp(rule === 'invited' ? { ...entry, invitation: text('invitation').trim() } : entry),
        )
      }}
    >
      {rule === 'invited' && <p>{t.invited}</p>}
      <TextField
        label={email}
        name="email"
        type="email"
        autocomplete="username"
        required={true}
        hint={hasMail ? undefined : t.emailHint}
      />
      <PasswordField label={password} name="password" isNew={true} />
      {rule === 'invited' && (
        <TextField
          label={t.invitation}
          name="invitation"
          autocomplete="off"
          required={true}
          hint={t.invitationHint}
          defaultValue={window.location.hash.slice(1)}
        />
      )}
      <SignInError error={submit.error} wait={wait} />
      <Button kind="main" type="submit" isOff={submit.isBusy || wait > 0}>
        {t.submit}
      </Button>
      <p class="soft">
        {t.other} <a href={hrefTo('/sign-in')}>{signIn.title}</a>
      </p>
    </form>
  )
}
