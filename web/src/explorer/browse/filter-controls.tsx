import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useMessages } from '../../app/context.ts'
import { TextField } from '../../components/field.tsx'
import { useDebounced } from '../../data/use-query.ts'
import { explorerMessages } from '../../messages/tables.ts'
import type { BrowseFilters } from './browse-filters.ts'
import type { ChangeFilters } from './browse-page.tsx'

/** A group of filters under its name. */
export function FilterGroup({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <fieldset class="filter-group">
      <legend>{label}</legend>
      {children}
    </fieldset>
  )
}

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
  const t = useMessages(explorerMessages).browse
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

interface KeywordFilterProps {
  readonly label: string
  readonly keyword: string
  readonly onChange: (keyword: string) => void
}

/** A word that the shows have to do with. It counts once typing has paused. */
export function KeywordFilter({ label, keyword, onChange }: KeywordFilterProps) {
  const [draft, setDraft] = useState(keyword)
  const settled = useDebounced(draft)
  useEffect(() => setDraft(keyword), [keyword])
  useEffect(() => {
    if (settled !== keyword) onChange(settled)
  }, [settled])
  return (
    <TextField label={label} type="search" value={draft} onInput={(event) => setDraft(event.currentTarget.value)} />
  )
}
