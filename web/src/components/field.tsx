import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes, TextareaHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'
import './field.css'

interface FieldProps {
  readonly label: string
  /** Shown below the control. */
  readonly hint?: string | undefined
  /** A validation error; shown instead of the hint. */
  readonly problem?: string | undefined
}

type TextFieldProps = FieldProps & InputHTMLAttributes

/** A labelled input. */
export function TextField({ label, hint, problem, ...rest }: TextFieldProps) {
  const id = useId()
  const said = problem ?? hint
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...rest}
        class="control"
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={said === undefined ? undefined : `${id}-said`}
      />
      <FieldMessage id={`${id}-said`} text={said} isProblem={problem !== undefined} />
    </div>
  )
}

type SelectFieldProps = FieldProps & SelectHTMLAttributes & { readonly children: ComponentChildren }

/** A labelled select. */
export function SelectField({ label, hint, problem, children, ...rest }: SelectFieldProps) {
  const id = useId()
  const said = problem ?? hint
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        {...rest}
        class="control"
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={said === undefined ? undefined : `${id}-said`}
      >
        {children}
      </select>
      <FieldMessage id={`${id}-said`} text={said} isProblem={problem !== undefined} />
    </div>
  )
}

function FieldMessage({ id, text, isProblem }: { id: string; text: string | undefined; isProblem: boolean }) {
  if (text === undefined) return null
  return (
    <p id={id} class={isProblem ? 'field-problem' : 'field-hint'} role={isProblem ? 'alert' : undefined}>
      {text}
    </p>
  )
}

type TextAreaFieldProps = TextareaHTMLAttributes & { readonly label: string; readonly hint?: string }

/** A labelled textarea. */
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
