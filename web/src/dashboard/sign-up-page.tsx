import { useEffect } from 'preact/hooks'
import { DeveloperFrame } from '../platform/developer-frame.tsx'
import { EntryProblem, useThrottle } from '../platform/entry-problem.tsx'
import { platformMessages } from '../platform/messages.ts'
import { loadSession, personOf, type Session, session, signUp } from '../platform/session.ts'
import { useSubmit } from '../platform/use-submit.ts'
import { hrefTo } from '../routing/href-to.ts'
import { navigate } from '../routing/location.ts'
import { Failure } from '../shell/failure.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import '../platform/entry-form.css'

/** Signing up, as far as the service lets people. The next step is a key. */
export default function SignUpPage() {
  const t = platformMessages.current.signUp
  const known = session.value
  const isSignedIn = personOf(known) !== undefined
  useEffect(() => {
    if (isSignedIn) navigate(hrefTo('/dashboard/keys'), { replace: true })
  }, [isSignedIn])
  return (
    <DeveloperFrame title={t.title} lead={t.lead}>
      {known.state === 'loading' && <Skeleton height="16rem" />}
      {known.state === 'failed' && <Failure error={known.error} retry={loadSession} isForDevelopers={true} />}
      {known.state === 'ready' && <SignUp rule={known.value.signUp} />}
    </DeveloperFrame>
  )
}

function SignUp({ rule }: { rule: Session['signUp'] }) {
  const { signUp: t, signIn, email, password } = platformMessages.current
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
        void submit.run(() => signUp(rule === 'invited' ? { ...entry, invitation: text('invitation').trim() } : entry))
      }}
    >
      {rule === 'invited' && <p>{t.invited}</p>}
      <TextField label={email} name="email" type="email" autocomplete="username" required={true} hint={t.emailHint} />
      <TextField
        label={password}
        name="password"
        type="password"
        autocomplete="new-password"
        minLength={10}
        maxLength={200}
        required={true}
        hint={t.passwordHint}
      />
      {rule === 'invited' && (
        <TextField label={t.invitation} name="invitation" autocomplete="off" required={true} hint={t.invitationHint} />
      )}
      <EntryProblem error={submit.error} wait={wait} />
      <Button kind="main" type="submit" isOff={submit.isBusy || wait > 0}>
        {t.submit}
      </Button>
      <p class="soft">
        {t.other} <a href={hrefTo('/sign-in')}>{signIn.title}</a>
      </p>
    </form>
  )
}
