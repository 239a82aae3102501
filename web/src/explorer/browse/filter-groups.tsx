import { useState } from 'preact/hooks'
import { useFormats, useMessages } from '../../app/context.ts'
import { Skeleton } from '../../components/feedback.tsx'
import { SelectField } from '../../components/field.tsx'
import type { BrowseCounts } from '../../data/queries.ts'
import { useDebounced, useGenres, useQuery } from '../../data/use-query.ts'
import { Failure } from '../../layout/failure.tsx'
import { explorerMessages, layoutMessages } from '../../messages/tables.ts'
import { type BrowseFilters, parseNames, RATINGS, YEARS } from './browse-filters.ts'
import type { ChangeFilters } from './browse-page.tsx'
import { CommittedField, FilterGroup, NumberRange, OptionChip, SingleChoice, TypedField } from './filter-controls.tsx'

/** What every group of filters gets. */
export interface FilterGroupsProps {
  readonly filters: BrowseFilters
  readonly change: ChangeFilters
  /** Undefined while the options are not counted. */
  readonly counts: BrowseCounts | undefined
}

export function TypeFilter({ filters, change, counts }: FilterGroupsProps) {
  const t = useMessages(explorerMessages).browse
  const { types } = useMessages(layoutMessages).search
  return (
    <FilterGroup label={t.showType} isOpen={true}>
      <SingleChoice
        name="show_type"
        options={[
          [undefined, t.everyType],
          ['movie', types.movie],
          ['series', types.series],
        ]}
        value={filters.showType}
        counts={counts?.facets.showTypes}
        onChange={(showType) => change({ showType })}
      />
    </FilterGroup>
  )
}

export function GenreFilter({ filters, change, counts }: FilterGroupsProps) {
  const t = useMessages(explorerMessages).browse
  const genres = useGenres()
  const toggled = (id: string) => {
    const isOn = filters.genres.includes(id)
    return isOn ? filters.genres.filter((genre) => genre !== id) : [...filters.genres, id]
  }
  return (
    <FilterGroup label={t.genres} isOpen={true}>
      {genres.state === 'loading' && <Skeleton height="8rem" />}
      {genres.state === 'failed' && <Failure error={genres.error} retry={genres.retry} />}
      {genres.state === 'ready' && (
        <div class="chips">
          {genres.value.map(({ id, name }) => (
            <OptionChip
              key={id}
              name="genres"
              value={toggled(id).join()}
              isOn={filters.genres.includes(id)}
              count={counts && (counts.facets.genres.get(id) ?? 0)}
              onToggle={() => change({ genres: toggled(id) })}
            >
              {name}
            </OptionChip>
          ))}
        </div>
      )}
      {filters.genres.length > 1 && (
        <SelectField
          label={t.relation}
          name="genres_relation"
          value={filters.genresRelation}
          onChange={({ currentTarget }) => change({ genresRelation: currentTarget.value as 'and' | 'or' })}
        >
          <option value="and">{t.and}</option>
          <option value="or">{t.or}</option>
        </SelectField>
      )}
    </FilterGroup>
  )
}

export function YearFilter({ filters, change }: FilterGroupsProps) {
  const t = useMessages(explorerMessages).browse
  const { yearMin, yearMax, ratingMin, ratingMax } = filters
  return (
    <FilterGroup
      label={t.yearsAndRatings}
      isOpen={[yearMin, yearMax, ratingMin, ratingMax].some((bound) => bound !== undefined)}
    >
      <NumberRange
        label={t.years}
        limits={YEARS}
        minName="yearMin"
        maxName="yearMax"
        filters={filters}
        change={change}
      />
      <NumberRange
        label={t.ratings}
        limits={RATINGS}
        minName="ratingMin"
        maxName="ratingMax"
        filters={filters}
        change={change}
      />
    </FilterGroup>
  )
}

/** Languages of audio, of subtitles, and the original one. */
export function LanguageFilter({ filters, change, counts }: FilterGroupsProps) {
  const t = useMessages(explorerMessages)
  const { audios, subtitles, originalLanguage } = filters
  return (
    <FilterGroup
      label={t.browse.languages}
      isOpen={audios.length + subtitles.length > 0 || originalLanguage !== undefined}
    >
      <LanguageSelect
        label={t.show.audio}
        name="audios"
        value={audios[0]}
        onChange={(code) => change({ audios: code === undefined ? [] : [code] })}
      />
      <LanguageSelect
        label={t.show.subtitles}
        name="subtitles"
        value={subtitles[0]}
        onChange={(code) => change({ subtitles: code === undefined ? [] : [code] })}
      />
      <LanguageSelect
        label={t.browse.originalLanguage}
        name="show_original_language"
        value={originalLanguage}
        counts={counts?.facets.languages}
        onChange={(code) => change({ originalLanguage: code })}
      />
    </FilterGroup>
  )
}

interface LanguageSelectProps {
  readonly label: string
  readonly name: string
  readonly value: string | undefined
  /** With counts, only languages that there are can be chosen. */
  readonly counts?: ReadonlyMap<string, number> | undefined
  readonly onChange: (code: string | undefined) => void
}

function LanguageSelect({ label, name, value, counts, onChange }: LanguageSelectProps) {
  const format = useFormats()
  const t = useMessages(explorerMessages).browse
  const known: readonly string[] = counts === undefined ? COMMON_LANGUAGES : [...counts.keys()]
  const codes = value === undefined || known.includes(value) ? known : [value, ...known]
  const names = codes
    .map((code) => {
      const [language = code, captions] = code.split('-')
      const count = counts?.get(code)
      const text = format.languageName(language) + (captions === undefined ? '' : ' (CC)')
      return { code, text: count === undefined ? text : `${text} (${format.number(count)})` }
    })
    .sort((a, b) => a.text.localeCompare(b.text))
  return (
    <SelectField
      label={label}
      name={name}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    >
      <option value="">{t.anyLanguage}</option>
      {names.map(({ code, text }) => (
        <option key={code} value={code}>
          {text}
        </option>
      ))}
    </SelectField>
  )
}

/** Common languages; the URL may hold any other. */
const COMMON_LANGUAGES = [
  ...['ar', 'bn', 'cs', 'da', 'de', 'el', 'en', 'es', 'fa', 'fi', 'fr', 'he', 'hi', 'hu', 'id', 'is', 'it', 'ja', 'ko'],
  ...['ml', 'mr', 'ms', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sv', 'ta', 'te', 'th', 'tl', 'tr', 'uk', 'ur', 'vi', 'zh'],
] as const

/** People who made a show or play in it, and words of its title or story. */
export function PeopleFilter({ filters, change }: FilterGroupsProps) {
  const t = useMessages(explorerMessages).browse
  const { people, keyword } = filters
  const [draft, setDraft] = useState('')
  const typed = parseNames(draft)
  const name = useDebounced(typed.at(-1) ?? '')
  const found = useQuery(
    name.length < 2
      ? undefined
      : {
          key: `people ${name}`,
          fetch: (signal, client) => client.people.search({ name, limit: MAX_SUGGESTIONS }, { signal }),
        },
  )
  // A suggestion takes the place of the name that is being typed.
  const suggestions =
    found.state === 'ready' ? found.value.map((person) => [...typed.slice(0, -1), person.name].join(', ')) : []
  return (
    <FilterGroup label={t.peopleAndWords} isOpen={people.length > 0 || keyword !== ''}>
      <CommittedField
        label={t.people}
        name="people"
        hint={t.peopleHint}
        text={people.join(', ')}
        onDraft={setDraft}
        suggestions={suggestions}
        onChange={(text) => change({ people: parseNames(text).slice(0, MAX_PEOPLE) })}
      />
      <TypedField
        label={t.keyword}
        name="keyword"
        text={keyword}
        onChange={(text) => change({ keyword: text }, true)}
      />
    </FilterGroup>
  )
}

const MAX_SUGGESTIONS = 8

/** The most names that the API takes. */
const MAX_PEOPLE = 8
