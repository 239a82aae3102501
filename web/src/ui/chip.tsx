import type { ComponentChildren } from 'preact'
import './chip.css'

interface ChipProps {
  readonly isOn: boolean
  readonly onToggle: () => void
  readonly children: ComponentChildren
}

/** Something that can be switched on and off, among others of its kind. */
export function Chip({ isOn, onToggle, children }: ChipProps) {
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={onToggle}>
      {children}
    </button>
  )
}
