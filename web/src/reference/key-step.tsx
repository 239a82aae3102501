import { useRef } from 'preact/hooks'
import { forgetKey, type KeptKey, keepKey, keptKey } from '../platform/kept-key.ts'
import { platformMessages } from '../platform/messages.ts'
import { personOf, session } from '../platform/session.ts'
import { hrefTo } from '../routing/href-to.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { referenceMessages } from './messages.ts'

/** Leads to a key, takes one that is pasted, or says which one is in use. */
export function KeyStep() {
  const step = useRef<HTMLDivElement>(null)
  // What was pressed goes with its form, so the keyboard goes on from here.
  const goOn = () => step.current?.focus()
  return (
    <div class="stack" ref={step} tabIndex={-1}>
      {keptKey.value === undefined ? <KeyEntry onKept={goOn} /> : <KeyInUse kept={keptKey.value} onForgotten={goOn} />}
    </div>
  )
}

function KeyInUse({ kept, onForgotten }: { kept: KeptKey; onForgotten: () => void }) {
  const { start: t } = referenceMessages.current
  const forget = () => {
    forgetKey()
    onForgotten()
  }
  return (
    <div class="row">
      <p role="status">{kept.name === undefined ? t.keyPasted : t.keyThere(kept.name)}</p>
      <Button kind="quiet" onClick={forget}>
        {t.forget}
      </Button>
    </div>
  )
}

function KeyEntry({ onKept }: { onKept: () => void }) {
  const { start: t, tryIt } = referenceMessages.current
  const isSignedIn = personOf(session.value) !== undefined
  return (
    <>
      <p>{t.keyNone}</p>
      <div class="row">
        {isSignedIn ? (
          <ButtonLink kind="main" href={hrefTo('/dashboard/keys')}>
            {tryIt.create}
          </ButtonLink>
        ) : (
          <ButtonLink kind="main" href={hrefTo('/sign-up')}>
            {platformMessages.current.nav.signUp}
          </ButtonLink>
        )}
      </div>
      <form
        class="start-paste"
        onSubmit={(event) => {
          event.preventDefault()
          keepKey({ secret: String(new FormData(event.currentTarget).get('key')).trim() })
          onKept()
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
