import { TextField } from '../../ui/field.tsx'
import { explorerMessages } from '../messages.ts'
import { FilterGroup } from './filter-group.tsx'

interface NumberRangeProps {
  readonly label: string
  readonly least: number
  readonly most: number
  readonly from: number | undefined
  readonly to: number | undefined
  readonly onChange: (from: number | undefined, to: number | undefined) => void
}

/** Two bounds, each of which may be open. They count once they are whole: when the field is left, or on Enter. */
export function NumberRange({ label, least, most, from, to, onChange }: NumberRangeProps) {
  const t = explorerMessages.current.browse
  const read = (text: string) => (text === '' ? undefined : Math.min(most, Math.max(least, Math.round(Number(text)))))
  const field = (name: string, value: number | undefined, set: (value: number | undefined) => void) => (
    <TextField
      label={name}
      type="number"
      inputMode="numeric"
      min={least}
      max={most}
      value={value ?? ''}
      onChange={({ currentTarget }) => set(read(currentTarget.value))}
    />
  )
  return (
    <FilterGroup label={label}>
      <div class="filters-pair">
        {/* A bound that passes the other takes it along, so that the range is never upside down. */}
        {field(t.from, from, (value) =>
          onChange(value, to !== undefined && value !== undefined && value > to ? value : to),
        )}
        {field(t.to, to, (value) =>
          onChange(from !== undefined && value !== undefined && value < from ? value : from, value),
        )}
      </div>
    </FilterGroup>
  )
}
