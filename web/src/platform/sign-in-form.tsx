import { hrefTo } from '../routing/href-to.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { EntryProblem, useThrottle } from './entry-problem.tsx'
import { platformMessages } from './messages.ts'
import { session, signIn } from './session.ts'
import { useSubmit } from './use-submit.ts'
import './entry-form.css'

/** Asks for address and password. What is behind it shows by itself once the session has begun. */
export function SignInForm() {
  const t = platformMessages.current
  const submit = useSubmit()
  const wait = useThrottle(submit.error)
  const known = session.value
  return (
    <form
      class="card entry-form"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        void submit.run(() => signIn({ email: String(form.get('email')), password: String(form.get('password')) }))
      }}
    >
      <TextField label={t.email} name="email" type="email" autocomplete="username" required={true} />
      <TextField label={t.password} name="password" type="password" autocomplete="current-password" required={true} />
      <EntryProblem error={submit.error} wait={wait} />
      <Button kind="main" type="submit" isOff={submit.isBusy || wait > 0}>
        {t.signIn.submit}
      </Button>
      {known.state === 'ready' && known.value.signUp !== 'closed' && (
        <p class="soft">
          {t.signIn.other} <a href={hrefTo('/sign-up')}>{t.signUp.title}</a>
        </p>
      )}
    </form>
  )
}
