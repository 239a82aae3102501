import { forgetKey, keepKey, keptKey } from '../platform/kept-key.ts'
import { platformMessages } from '../platform/messages.ts'
import { personOf, session } from '../platform/session.ts'
import { hrefTo } from '../routing/href-to.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { referenceMessages } from './messages.ts'

/** Leads to a key, takes one that is pasted, or says which one is in use. */
export function KeyStep() {
  const { start: t, tryIt } = referenceMessages.current
  const kept = keptKey.value
  if (kept !== undefined) {
    return (
      <div class="row">
        <p>{kept.name === undefined ? t.keyPasted : t.keyThere(kept.name)}</p>
        <Button kind="quiet" onClick={forgetKey}>
          {t.forget}
        </Button>
      </div>
    )
  }
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
