import { forgetKey, keptKey } from '../platform/kept-key.ts'
import { hrefTo } from '../routing/href-to.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { referenceMessages } from './messages.ts'

interface KeyChoiceProps {
  readonly typed: string
  readonly onType: (text: string) => void
}

/** The key that requests are tried with: the one that this tab keeps, or one that is pasted. */
export function KeyChoice({ typed, onType }: KeyChoiceProps) {
  const t = referenceMessages.current.tryIt
  const kept = keptKey.value
  if (kept !== undefined) {
    return (
      <div class="row try-it-key">
        <span>{kept.name === undefined ? t.kept : t.keptName(kept.name)}</span>
        <Button kind="quiet" onClick={forgetKey}>
          {t.another}
        </Button>
      </div>
    )
  }
  return (
    <div class="try-it-key">
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
