import { useRef } from 'preact/hooks'
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
  const choice = useRef<HTMLDivElement>(null)
  const forget = () => {
    forgetKey()
    // The button goes with the key. What takes its place is a field for another.
    requestAnimationFrame(() => choice.current?.querySelector('input')?.focus())
  }
  if (kept !== undefined) {
    return (
      <div class="row try-it-key">
        <span>{kept.name === undefined ? t.kept : t.keptName(kept.name)}</span>
        <Button kind="quiet" onClick={forget}>
          {t.another}
        </Button>
      </div>
    )
  }
  return (
    <div class="try-it-key" ref={choice}>
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
