import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useMessages } from '../../app/context.ts'
import { TextField } from '../../components/field.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import type { BrowseFilters } from './browse-filters.ts'
import type { ChangeFilters } from './browse-page.tsx'

/** A labelled group of filters. */
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
  readonly limits: { readonly min: number; readonly max: number }
  /** The names of the two bounds in the filters. */
  readonly minName: Bound
  readonly maxName: Bound
  readonly filters: BrowseFilters
  readonly change: ChangeFilters
}

/** Two optional bounds. One that passes the other moves it along, so the range is never reversed. */
export function NumberRange({ label, limits, minName, maxName, filters, change }: NumberRangeProps) {
  const t = useMessages(explorerMessages).browse
  const from = filters[minName]
  const to = filters[maxName]
  return (
    <FilterGroup label={label}>
      <div class="filters-pair">
        <NumberField
          {...limits}
          label={t.from}
          name={toQueryName(minName)}
          value={from}
          onChange={(value) => change({ [minName]: value, ...(isAbove(value, to) && { [maxName]: value }) })}
        />
        <NumberField
          {...limits}
          label={t.to}
          name={toQueryName(maxName)}
          value={to}
          onChange={(value) => change({ [maxName]: value, ...(isAbove(from, value) && { [minName]: value }) })}
        />
      </div>
    </FilterGroup>
  )
}

/** `yearMin` in the URL: `year_min`. */
function toQueryName(name: Bound): string {
  return name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`)
}

function isAbove(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one > other
}

interface NumberFieldProps {
  readonly label: string
  readonly name: string
  readonly min: number
  readonly max: number
  readonly value: number | undefined
  readonly onChange: (value: number | undefined) => void
}

/** A number that is applied on blur or Enter. Until then it is a draft. */
function NumberField({ label, name, min, max, value, onChange }: NumberFieldProps) {
  const [draft, setDraft] = useState(String(value ?? ''))
  useEffect(() => setDraft(String(value ?? '')), [value])
  const commit = (text: string) => {
    const read = text === '' ? undefined : Math.min(max, Math.max(min, Math.round(Number(text))))
    setDraft(String(read ?? ''))
    if (read !== value) onChange(read)
  }
  return (
    <TextField
      label={label}
      name={name}
      type="number"
      inputMode="numeric"
      min={min}
      max={max}
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

/** Long enough that a quick typist sends one request a word. */
const TYPING_PAUSE_MS = 90

/** A keyword, applied when typing pauses. */
export function KeywordFilter({ label, keyword, onChange }: KeywordFilterProps) {
  const [draft, setDraft] = useState(keyword)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setDraft(keyword), [keyword])
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (text: string) => {
    setDraft(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChange(text), TYPING_PAUSE_MS)
  }
  return (
    <TextField
      label={label}
      name="keyword"
      type="search"
      value={draft}
      onInput={(event) => type(event.currentTarget.value)}
    />
  )
}
