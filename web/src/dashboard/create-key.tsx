import type { MadeKey } from '../platform/key-record.ts'
import { ProblemNotice } from '../platform/problem-notice.tsx'
import { askPlatform } from '../platform/session.ts'
import { useSubmit } from '../platform/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { KeyFields, readKeyForm } from './key-fields.tsx'
import { dashboardMessages } from './messages.ts'

/** Makes a key. */
export function CreateKey({ onMade }: { onMade: (made: MadeKey) => void }) {
  const t = dashboardMessages.current.keys
  const submit = useSubmit()
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        const { name, origins } = readKeyForm(event.currentTarget)
        const body = { name, ...(origins.length > 0 && { origins }) }
        void submit.run(async () => onMade(await askPlatform<MadeKey>({ method: 'POST', path: '/keys', body })))
      }}
    >
      <h2>{t.create}</h2>
      <div class="key-form">
        <KeyFields />
        <div class="key-form-foot stack">
          <ProblemNotice error={submit.error} />
          <Button kind="main" type="submit" isOff={submit.isBusy}>
            {t.create}
          </Button>
        </div>
      </div>
    </form>
  )
}
