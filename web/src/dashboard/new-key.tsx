import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp, useHref, useMessages, useNavigate } from '../app/context.ts'
import { Button, CopyButton } from '../components/button.tsx'
import { TextAreaField, TextField } from '../components/field.tsx'
import { dashboardMessages, platformMessages } from '../messages/tables.ts'
import { useSession } from '../platform/session.ts'
import type { CreatedKey } from '../platform/stored-key.ts'
import { ErrorNotice, useSubmit } from '../platform/submit.tsx'

/** The form that creates a key. */
export function CreateKey({ onCreated }: { onCreated: (made: CreatedKey) => void }) {
  const session = useSession()
  const t = useMessages(dashboardMessages).keys
  const submit = useSubmit()
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        const { name, origins } = readKeyForm(event.currentTarget)
        const body = { name, ...(origins.length > 0 && { origins }) }
        void submit.run(async () => onCreated(await session.fetch<CreatedKey>({ method: 'POST', path: '/keys', body })))
      }}
    >
      <h2>{t.create}</h2>
      <div class="key-form">
        <KeyFields />
        <div class="key-form-foot stack">
          <ErrorNotice error={submit.error} />
          <Button kind="main" type="submit" isOff={submit.isBusy}>
            {t.create}
          </Button>
        </div>
      </div>
    </form>
  )
}

/** The editable fields of a key. */
interface KeyForm {
  readonly name: string
  readonly origins: readonly string[]
}

/** Inputs for the name and the origins of a key. */
export function KeyFields({ name = '', origins = [] }: Partial<KeyForm>) {
  const t = useMessages(dashboardMessages).keys
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

/** Reads the form. */
export function readKeyForm(form: HTMLFormElement): KeyForm {
  const data = new FormData(form)
  const origins = String(data.get('origins') ?? '').split(/[\s,]+/)
  return { name: String(data.get('name') ?? ''), origins: origins.filter((origin) => origin !== '') }
}

interface NewSecretProps {
  readonly made: CreatedKey
  readonly onDone: () => void
}

/**
 * Shows a new secret, this once. The user can copy it, or store it in this tab for the examples; otherwise leaving needs a
 * confirmation.
 */
export function NewSecret({ made: { key, record }, onDone }: NewSecretProps) {
  const { storedKey } = useSession()
  const hrefTo = useHref()
  const navigate = useNavigate()
  const t = useMessages(dashboardMessages).keys
  const { copied, copyFailed } = useMessages(platformMessages)
  const [isSafe, setSafe] = useState(false)
  const leaveFreely = useLeaveConfirmation(isSafe ? undefined : t.leave)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    section.current?.focus()
    section.current?.scrollIntoView({ block: 'center' })
  }, [])
  const openExamples = () => {
    storedKey.set({ secret: key, id: record.id, name: record.name })
    leaveFreely()
    navigate(hrefTo('/docs/start'))
  }
  return (
    <section class="card stack new-secret" ref={section} tabIndex={-1} aria-label={t.secretTitle(record.name)}>
      <h2>{t.secretTitle(record.name)}</h2>
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
        <Button onClick={openExamples}>{t.tryIt}</Button>
        <Button onClick={onDone}>{t.done}</Button>
      </div>
      <p class="soft">{t.tryItHint}</p>
    </section>
  )
}

/**
 * Asks for confirmation before the page is left, while there is a text: by a link, by back and forward, or by closing the
 * tab, where the browser has its own text. Returns a function that lifts the confirmation.
 */
function useLeaveConfirmation(text: string | undefined): () => void {
  const { router } = useApp()
  useEffect(() => {
    if (text === undefined) return
    router.leaveWarning = text
    const onUnload = (event: BeforeUnloadEvent) => {
      if (router.leaveWarning !== undefined) event.preventDefault()
    }
    window.addEventListener('beforeunload', onUnload)
    return () => {
      router.leaveWarning = undefined
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [text])
  return () => {
    router.leaveWarning = undefined
  }
}
