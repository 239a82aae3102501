import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useFormats, useMessages } from '../../app/context.ts'
import { Chip, type ChipProps } from '../../components/choice.tsx'
import { TextField } from '../../components/field.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import type { BrowseFilters } from './browse-filters.ts'
import type { ChangeFilters } from './browse-page.tsx'

interface FilterGroupProps {
  readonly label: string
  /** Whether it is open at first; one with a filter that is set should be. */
  readonly isOpen: boolean
  readonly children: ComponentChildren
}

/** A labelled group of filters that can be folded. */
export function FilterGroup({ label, isOpen, children }: FilterGroupProps) {
  // A group must not close under the hand of somebody who removes its filter.
  const [isOpenAtFirst] = useState(isOpen)
  return (
    <details class="filter-group" open={isOpenAtFirst || isOpen}>
      <summary>{label}</summary>
      <fieldset>
        <legend class="unseen">{label}</legend>
        {children}
      </fieldset>
    </details>
  )
}

/** How many titles an option stands for; nothing while that is not known, and for what is chosen. */
export function OptionCount({ count }: { count: number | undefined }) {
  const format = useFormats()
  if (count === undefined) return null
  return (
    <span class={count === 0 ? 'option-count option-count-none' : 'option-count'} aria-hidden="true">
      {format.number(count)}
    </span>
  )
}

interface OptionChipProps extends ChipProps {
  readonly count?: number | undefined
}

/** A toggle button with the number of its titles. */
export function OptionChip({ count, children, ...chip }: OptionChipProps) {
  const t = useMessages(explorerMessages).browse
  const shown = chip.isOn ? undefined : count
  return (
    <Chip {...chip} {...(shown !== undefined && { description: t.total(shown) })}>
      {children}
      <OptionCount count={shown} />
    </Chip>
  )
}

interface SingleChoiceProps<Value extends string> {
  /** The name in the URL. */
  readonly name: string
  readonly options: readonly (readonly [Value | undefined, string])[]
  readonly value: Value | undefined
  readonly counts?: ReadonlyMap<string, number> | undefined
  readonly onChange: (value: Value | undefined) => void
}

/** One of a few options, as chips. */
export function SingleChoice<Value extends string>(props: SingleChoiceProps<Value>) {
  const { name, options, value, counts, onChange } = props
  return (
    <div class="chips">
      {options.map(([option, text]) => (
        <OptionChip
          key={option}
          name={name}
          value={option ?? ''}
          isOn={value === option}
          count={option === undefined || counts === undefined ? undefined : (counts.get(option) ?? 0)}
          onToggle={() => onChange(option)}
        >
          {text}
        </OptionChip>
      ))}
    </div>
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
    <fieldset class="filters-range">
      <legend>{label}</legend>
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
    </fieldset>
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

interface TypedFieldProps {
  readonly label: string
  /** The name in the URL. */
  readonly name: string
  readonly text: string
  readonly onChange: (text: string) => void
  readonly hint?: string
}

/** Long enough that a quick typist sends one request a word. */
const TYPING_PAUSE_MS = 90

/** A text that is applied when typing pauses. */
export function TypedField({ label, name, text, onChange }: TypedFieldProps) {
  const [draft, setDraft] = useState(text)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setDraft(text), [text])
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (typed: string) => {
    setDraft(typed)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChange(typed), TYPING_PAUSE_MS)
  }
  return (
    <TextField
      label={label}
      name={name}
      type="search"
      value={draft}
      onInput={(event) => type(event.currentTarget.value)}
    />
  )
}

interface CommittedFieldProps extends TypedFieldProps {
  /** Called with what is typed, for suggestions. */
  readonly onDraft?: (text: string) => void
  readonly suggestions?: readonly string[]
  readonly inputMode?: 'decimal' | 'text'
}

/** A text that is applied on blur or Enter. Until then it is a draft. */
export function CommittedField(props: CommittedFieldProps) {
  const { label, name, text, hint, onChange, onDraft, suggestions = [], inputMode } = props
  const [draft, setDraft] = useState(text)
  const list = useId()
  useEffect(() => setDraft(text), [text])
  return (
    <>
      <TextField
        label={label}
        name={name}
        hint={hint}
        value={draft}
        autocomplete="off"
        inputMode={inputMode}
        list={suggestions.length > 0 ? list : undefined}
        onInput={({ currentTarget }) => {
          setDraft(currentTarget.value)
          onDraft?.(currentTarget.value)
        }}
        onChange={({ currentTarget }) => {
          // What cannot be understood goes back to what is set.
          setDraft(text)
          onChange(currentTarget.value)
        }}
      />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  )
}
