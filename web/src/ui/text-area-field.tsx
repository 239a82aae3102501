import type { TextareaHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'
import './field.css'

type TextAreaFieldProps = TextareaHTMLAttributes & { readonly label: string; readonly hint?: string }

/** A labelled input of several lines. */
export function TextAreaField({ label, hint, ...rest }: TextAreaFieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea {...rest} id={id} class="control" aria-describedby={hint === undefined ? undefined : `${id}-said`} />
      {hint !== undefined && (
        <p id={`${id}-said`} class="field-hint">
          {hint}
        </p>
      )}
    </div>
  )
}
