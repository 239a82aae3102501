import { useState } from 'preact/hooks'
import { EntryProblem, useThrottle } from '../platform/entry-problem.tsx'
import { platformMessages } from '../platform/messages.ts'
import { askPlatform, personOf, session } from '../platform/session.ts'
import { useSubmit } from '../platform/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { dashboardMessages } from './messages.ts'
import '../platform/entry-form.css'

/** Changes the password of whoever is signed in. */
export function ChangePassword() {
  const t = dashboardMessages.current.account
  const submit = useSubmit()
  const wait = useThrottle(submit.error)
  const [isDone, setDone] = useState(false)
  return (
    <form
      class="card entry-form"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const data = new FormData(form)
        const body = { current: String(data.get('current')), next: String(data.get('next')) }
        setDone(false)
        void submit.run(async () => {
          await askPlatform({ method: 'POST', path: '/password', body })
          form.reset()
          setDone(true)
        })
      }}
    >
      <h2>{t.passwordTitle}</h2>
      <input
        type="text"
        name="username"
        autocomplete="username"
        value={personOf(session.value)?.account.email ?? ''}
        readOnly={true}
        hidden={true}
      />
      <TextField label={t.current} name="current" type="password" autocomplete="current-password" required={true} />
      <TextField
        label={t.next}
        name="next"
        type="password"
        autocomplete="new-password"
        minLength={10}
        maxLength={200}
        required={true}
        hint={platformMessages.current.signUp.passwordHint}
      />
      <EntryProblem error={submit.error} wait={wait} />
      {isDone && (
        <Notice kind="good" isUrgent={true}>
          <p>{t.changed}</p>
        </Notice>
      )}
      <Button kind="main" type="submit" isOff={submit.isBusy || wait > 0}>
        {t.submit}
      </Button>
    </form>
  )
}
