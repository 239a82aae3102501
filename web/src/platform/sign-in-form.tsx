import { useEffect, useState } from 'preact/hooks'
import { useFormats, useHref, useMessages } from '../app/context.ts'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/feedback.tsx'
import { TextField } from '../components/field.tsx'
import { platformMessages } from '../messages/tables.ts'
import { PasswordField } from './password-field.tsx'
import { type PlatformError, problemCode } from './platform-request.ts'
import { useErrorMessage, useSubmit } from './submit.tsx'
import './sign-in-form.css'
import { useSession } from './session.ts'

/** The sign-in form. The page behind it renders when the session starts. */
export function SignInForm() {
  const session = useSession()
  const hrefTo = useHref()
  const t = useMessages(platformMessages)
  const submit = useSubmit()
  const wait = useThrottle(submit.error)
  const known = session.state.value
  return (
    <form
      class="card entry-form"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        void submit.run(() =>
          session.signIn({ email: String(form.get('email')), password: String(form.get('password')) }),
        )
      }}
    >
      <TextField label={t.email} name="email" type="email" autocomplete="username" required={true} />
      <PasswordField label={t.password} name="password" />
      <SignInError error={submit.error} wait={wait} />
      <Button kind="main" type="submit" isOff={submit.isBusy || wait > 0}>
        {t.signIn.submit}
      </Button>
      <p class="soft">
        <a href={hrefTo('/forgot-password')}>{t.forgotPassword.title}</a>
      </p>
      {known.state === 'ready' && known.value.signUp !== 'closed' && (
        <p class="soft">
          {t.signIn.other} <a href={hrefTo('/sign-up')}>{t.signUp.title}</a>
        </p>
      )}
    </form>
  )
}

/** Seconds until the next attempt is allowed after a throttling error; counts down to 0. */
export function useThrottle(error: unknown): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const isThrottled = problemCode(error) === 'too_many_attempts'
    if (!isThrottled) {
      setLeft(0)
      return
    }
    const end = Date.now() + ((error as PlatformError).retryAfter ?? 60) * 1000
    const tick = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [error])
  return left
}

/** The error of a sign-in or sign-up, with the remaining throttling time. */
export function SignInError({ error, wait }: { error: unknown; wait: number }) {
  const message = useErrorMessage(error)
  const format = useFormats()
  const { throttled } = useMessages(platformMessages)
  if (error === undefined) return null
  if (problemCode(error) !== 'too_many_attempts') {
    return (
      <Notice kind="bad" isUrgent={true}>
        <p>{message}</p>
      </Notice>
    )
  }
  return (
    <Notice kind="warn" isUrgent={true} title={throttled.title}>
      <p>{throttled.text}</p>
      {wait > 0 && <p>{throttled.wait(format.duration(wait))}</p>}
    </Notice>
  )
}
