import { useId, useState } from 'preact/hooks'
import { useMessages } from '../app/context.ts'
import '../components/field.css'
import './password-field.css'
import { platformMessages } from '../messages/tables.ts'

interface PasswordFieldProps {
  readonly label: string
  readonly name: string
  /** Whether it is a password to choose, and not one to remember. */
  readonly isNew?: boolean
}

/** A labelled password input with a button that shows what was typed. */
export function PasswordField({ label, name, isNew = false }: PasswordFieldProps) {
  const id = useId()
  const [isShown, setShown] = useState(false)
  const { passwordHint, showPassword, hidePassword } = useMessages(platformMessages)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="password-input">
        <input
          class="control"
          id={id}
          name={name}
          autocomplete={isNew ? 'new-password' : 'current-password'}
          autocapitalize="off"
          spellcheck={false}
          required={true}
          {...(isShown ? ({ type: 'text' } as const) : ({ type: 'password' } as const))}
          {...(isNew && { minLength: 10, maxLength: 200, 'aria-describedby': `${id}-said` })}
        />
        <button type="button" class="button button-quiet" aria-controls={id} onClick={() => setShown(!isShown)}>
          {isShown ? hidePassword : showPassword}
        </button>
      </div>
      {isNew && (
        <p id={`${id}-said`} class="field-hint">
          {passwordHint}
        </p>
      )}
    </div>
  )
}
