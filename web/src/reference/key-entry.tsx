import { useRef } from 'preact/hooks'
import { useHref, useMessages } from '../app/context.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { TextField } from '../components/field.tsx'
import { platformMessages, referenceMessages } from '../messages/tables.ts'
import { useSession } from '../platform/session.ts'
import type { CreatedKey, StoredKey } from '../platform/stored-key.ts'
import { ErrorNotice, useSubmit } from '../platform/submit.tsx'

/** The first step: create a key, paste one, or see the one in use. */
export function KeyStep() {
  const { storedKey } = useSession()
  const step = useRef<HTMLDivElement>(null)
  // The form disappears after the click, so the focus moves here.
  const goOn = () => step.current?.focus()
  return (
    <div class="stack" ref={step} tabIndex={-1}>
      {storedKey.value === undefined ? (
        <KeyEntry onStored={goOn} />
      ) : (
        <KeyInUse stored={storedKey.value} onCleared={goOn} />
      )}
    </div>
  )
}

function KeyInUse({ stored, onCleared }: { stored: StoredKey; onCleared: () => void }) {
  const { storedKey } = useSession()
  const { start: t } = useMessages(referenceMessages)
  const forget = () => {
    storedKey.clear()
    onCleared()
  }
  return (
    <div class="row">
      <p role="status">{stored.name === undefined ? t.keyPasted : t.keyThere(stored.name)}</p>
      <Button kind="quiet" onClick={forget}>
        {t.forget}
      </Button>
    </div>
  )
}

function KeyEntry({ onStored }: { onStored: () => void }) {
  const session = useSession()
  const { storedKey } = session
  const hrefTo = useHref()
  const platformText = useMessages(platformMessages)
  const { start: t, tryIt } = useMessages(referenceMessages)
  const isSignedIn = session.person !== undefined
  return (
    <>
      <p>{isSignedIn ? t.keySignedIn : t.keyNone}</p>
      <div class="row">
        {isSignedIn ? (
          <>
            <TestKeyButton onStored={onStored} />
            <ButtonLink href={hrefTo('/dashboard/keys')}>{tryIt.create}</ButtonLink>
          </>
        ) : (
          <ButtonLink kind="main" href={hrefTo('/sign-up')}>
            {platformText.nav.signUp}
          </ButtonLink>
        )}
      </div>
      <form
        class="start-paste"
        onSubmit={(event) => {
          event.preventDefault()
          storedKey.set({ secret: String(new FormData(event.currentTarget).get('key')).trim() })
          onStored()
        }}
      >
        <TextField
          label={t.keyPaste}
          name="key"
          required={true}
          autocomplete="off"
          spellcheck={false}
          pattern="\s*[\x21-\x7e]{8,256}\s*"
          hint={tryIt.keyHint}
        />
        <Button type="submit">{t.keyUse}</Button>
      </form>
    </>
  )
}

interface KeyChoiceProps {
  readonly typed: string
  readonly onType: (text: string) => void
}

/** Makes a test key and lets this tab use it: nothing has to be pasted. */
function TestKeyButton({ onStored }: { onStored?: () => void }) {
  const session = useSession()
  const t = useMessages(referenceMessages).tryIt
  const submit = useSubmit()
  const create = async () => {
    const { key } = await session.fetch<CreatedKey>({ method: 'POST', path: '/test-key', body: {} })
    session.storedKey.set({ secret: key, name: t.testKeyName })
    onStored?.()
  }
  return (
    <>
      <Button kind="main" isOff={submit.isBusy} onClick={() => submit.run(create)}>
        {t.testKey}
      </Button>
      <p class="field-hint">{t.testKeyHint}</p>
      <ErrorNotice error={submit.error} />
    </>
  )
}

/** The key of trial requests: the stored one, or a pasted one. */
export function KeyChoice({ typed, onType }: KeyChoiceProps) {
  const { storedKey, person } = useSession()
  const hrefTo = useHref()
  const t = useMessages(referenceMessages).tryIt
  const stored = storedKey.value
  const choice = useRef<HTMLDivElement>(null)
  const forget = () => {
    storedKey.clear()
    // The button disappears with the key, so the focus moves to the new field.
    requestAnimationFrame(() => choice.current?.querySelector('input')?.focus())
  }
  if (stored !== undefined) {
    return (
      <div class="row try-it-key">
        <span>{stored.name === undefined ? t.stored : t.storedName(stored.name)}</span>
        <Button kind="quiet" onClick={forget}>
          {t.another}
        </Button>
      </div>
    )
  }
  return (
    <div class="try-it-key" ref={choice}>
      {person !== undefined && <TestKeyButton />}
      <TextField
        label={t.key}
        value={typed}
        onInput={(event) => onType(event.currentTarget.value)}
        required={true}
        autocomplete="off"
        spellcheck={false}
        hint={t.keyHint}
      />
      <p class="field-hint">
        {t.none} <a href={hrefTo('/dashboard/keys')}>{t.create}</a>
      </p>
    </div>
  )
}
