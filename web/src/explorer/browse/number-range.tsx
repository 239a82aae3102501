import { useEffect, useState } from 'preact/hooks'
import { TextField } from '../../ui/field.tsx'
import { explorerMessages } from '../messages.ts'
import type { BrowseFilters } from './browse-filters.ts'
import { FilterGroup } from './filter-group.tsx'
import type { ChangeFilters } from './use-filters.ts'

type Bound = 'yearMin' | 'yearMax' | 'ratingMin' | 'ratingMax'

interface NumberRangeProps {
  readonly label: string
  readonly least: number
  readonly most: number
  readonly min: Bound
  readonly max: Bound
  readonly filters: BrowseFilters
  readonly change: ChangeFilters
}

/** Two bounds, each of which may be open. One that passes the other takes it along: no range is upside down. */
export function NumberRange({ label, least, most, min, max, filters, change }: NumberRangeProps) {
  const t = explorerMessages.current.browse
  const from = filters[min]
  const to = filters[max]
  const limits = { least, most }
  return (
    <FilterGroup label={label}>
      <div class="filters-pair">
        <NumberField
          {...limits}
          label={t.from}
          value={from}
          onChange={(value) => change({ [min]: value, ...(isAbove(value, to) && { [max]: value }) })}
        />
        <NumberField
          {...limits}
          label={t.to}
          value={to}
          onChange={(value) => change({ [max]: value, ...(isAbove(from, value) && { [min]: value }) })}
        />
      </div>
    </FilterGroup>
  )
}

function isAbove(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one > other
}

interface NumberFieldProps {
  readonly label: string
  readonly least: number
  readonly most: number
  readonly value: number | undefined
  readonly onChange: (value: number | undefined) => void
}

/** A number that counts once it is whole: when the field is left, or on Enter. Until then it is a draft. */
function NumberField({ label, least, most, value, onChange }: NumberFieldProps) {
  const [draft, setDraft] = useState(String(value ?? ''))
  useEffect(() => setDraft(String(value ?? '')), [value])
  const commit = (text: string) => {
    const read = text === '' ? undefined : Math.min(most, Math.max(least, Math.round(Number(text))))
    setDraft(String(read ?? ''))
    if (read !== value) onChange(read)
  }
  return (
    <TextField
      label={label}
      type="number"
      inputMode="numeric"
      min={least}
      max={most}
      value={draft}
      onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      onChange={({ currentTarget }) => commit(currentTarget.value)}
    />
  )
}
