import { useEffect, useRef, useState } from 'preact/hooks'
import { hrefTo } from '../app/viewer.ts'
import { Button, CopyButton } from '../components/button.tsx'
import { TextAreaField, TextField } from '../components/field.tsx'
import { dashboardMessages, platformMessages } from '../messages/tables.ts'
import { askPlatform } from '../platform/session.ts'
import { keepKey, type MadeKey } from '../platform/stored-key.ts'
import { ProblemNotice, useSubmit } from '../platform/submit.tsx'
import { navigate, useLeaveQuestion } from '../routing/router.ts'

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

/** What the owner can say of a key. */
export interface KeyForm {
  readonly name: string
  readonly origins: readonly string[]
}

/** Inputs for the name and the origins of a key. */
export function KeyFields({ name = '', origins = [] }: Partial<KeyForm>) {
  const t = dashboardMessages.current.keys
  return (
    <>
      <TextField
        label={t.name}
        name="name"
        defaultValue={name}
        maxLength={100}
        required={true}
        autocomplete="off"
        hint={t.nameHint}
      />
      <TextAreaField
        label={t.origins}
        name="origins"
        defaultValue={origins.join('\n')}
        rows={Math.max(2, origins.length)}
        spellcheck={false}
        hint={t.originsHint}
      />
    </>
  )
}

/** Reads the inputs. */
export function readKeyForm(form: HTMLFormElement): KeyForm {
  const data = new FormData(form)
  const origins = String(data.get('origins') ?? '').split(/[\s,]+/)
  return { name: String(data.get('name') ?? ''), origins: origins.filter((origin) => origin !== '') }
}

interface NewSecretProps {
  readonly made: MadeKey
  readonly onDone: () => void
}

/**
 * Shows a secret, this once. The reader can copy it, and let this tab keep it for examples; who does neither is asked
 * before leaving.
 */
export function NewSecret({ made: { key, record }, onDone }: NewSecretProps) {
  const t = dashboardMessages.current.keys
  const { copied, copyFailed } = platformMessages.current
  const [isSafe, setSafe] = useState(false)
  const leaveFreely = useLeaveQuestion(isSafe ? undefined : t.leave)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    section.current?.focus()
    section.current?.scrollIntoView({ block: 'center' })
  }, [])
  const keep = () => {
    keepKey({ secret: key, id: record.id, name: record.name })
    leaveFreely()
    navigate(hrefTo('/docs/start'))
  }
  return (
    <section class="card stack new-secret" ref={section} tabIndex={-1} aria-label={t.made(record.name)}>
      <h2>{t.made(record.name)}</h2>
      <p>{t.once}</p>
      <code class="new-secret-text">{key}</code>
      <div class="row">
        <CopyButton
          kind="main"
          text={key}
          label={t.copy}
          doneLabel={copied}
          failedLabel={copyFailed}
          onDone={() => setSafe(true)}
        />
        <Button onClick={keep}>{t.tryIt}</Button>
        <Button onClick={onDone}>{t.done}</Button>
      </div>
      <p class="soft">{t.tryItHint}</p>
    </section>
  )
}
