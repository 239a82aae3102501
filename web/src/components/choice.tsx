import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import './choice.css'

export interface ChipProps {
  readonly isOn: boolean
  readonly onToggle: () => void
  /** What it adds to the query string of its form without a script. */
  readonly name?: string
  readonly value?: string
  /** What screen readers say after its name. */
  readonly description?: string
  readonly children: ComponentChildren
}

/** A toggle button. */
export function Chip({ isOn, onToggle, name, value, description, children }: ChipProps) {
  return (
    <button
      type={name === undefined ? 'button' : 'submit'}
      name={name}
      value={value}
      class="chip"
      aria-pressed={isOn}
      aria-description={description}
      onClick={(event) => {
        event.preventDefault()
        onToggle()
      }}
    >
      {children}
    </button>
  )
}

interface SegmentsProps<Value extends string> {
  /** For screen readers; not visible. */
  readonly label: string
  readonly options: readonly (readonly [Value, string])[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** A segmented control: radio buttons in a row. */
export function Segments<Value extends string>({ label, options, value, onChange }: SegmentsProps<Value>) {
  const name = useId()
  return (
    <fieldset class="segments">
      <legend class="unseen">{label}</legend>
      {options.map(([option, text]) => (
        <label key={option}>
          <input type="radio" name={name} value={option} checked={option === value} onChange={() => onChange(option)} />
          {text}
        </label>
      ))}
    </fieldset>
  )
}
