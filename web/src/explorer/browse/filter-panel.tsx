import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useFormats, useHref, useMessages, useViewer } from '../../app/context.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Chip } from '../../components/choice.tsx'
import { Skeleton } from '../../components/feedback.tsx'
import { SelectField } from '../../components/field.tsx'
import { QueryForm } from '../../components/query-form.tsx'
import { useGenres } from '../../data/use-query.ts'
import { Failure } from '../../layout/failure.tsx'
import { explorerMessages, layoutMessages } from '../../messages/tables.ts'
import { useActiveFilters } from './active-filters.tsx'
import { type BrowseFilters, filtersAsQuery, NO_FILTERS, ORDERS, RATINGS, YEARS } from './browse-filters.ts'
import type { ChangeFilters } from './browse-page.tsx'
import { FilterGroup, KeywordFilter, NumberRange } from './filter-controls.tsx'
import { ServiceFilter } from './service-filter.tsx'
import './filter-panel.css'

interface FilterPanelProps {
  readonly filters: BrowseFilters
  readonly change: ChangeFilters
}

/** All filters. On a narrow screen the panel is collapsed at first. */
export function FilterPanel({ filters, change }: FilterPanelProps) {
  const format = useFormats()
  const t = useMessages(explorerMessages).browse
  const { apply } = useMessages(layoutMessages)
  const { country, language } = useViewer()
  const hrefTo = useHref()
  const isWide = useWideScreen()
  const count = useActiveFilters(filters).length
  const summary = useRef<HTMLElement>(null)
  const clear = () => {
    change(NO_FILTERS)
    // The button disappears with the last filter, so the focus moves.
    summary.current?.focus()
  }
  return (
    <details class="filters" open={isWide}>
      <summary ref={summary}>
        {t.filters}
        {count > 0 && <span class="filters-count">{format.number(count)}</span>}
      </summary>
      <QueryForm
        class="filters-body"
        path="/browse"
        kept={{ ...filtersAsQuery(filters), country, lang: language }}
        submit={apply}
      >
        <OrderFilter filters={filters} change={change} />
        <TypeFilter filters={filters} change={change} />
        <ServiceFilter catalogs={filters.catalogs} onChange={(catalogs) => change({ catalogs })} />
        <GenreFilter filters={filters} change={change} />
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
        <LanguageFilter filters={filters} change={change} />
        <KeywordFilter label={t.keyword} keyword={filters.keyword} onChange={(keyword) => change({ keyword }, true)} />
        {count > 0 && (
          <ButtonLink
            href={hrefTo('/browse')}
            onClick={(event) => {
              event.preventDefault()
              clear()
            }}
          >
            {t.clear}
          </ButtonLink>
        )}
      </QueryForm>
    </details>
  )
}

function OrderFilter({ filters, change }: FilterPanelProps) {
  const t = useMessages(explorerMessages).browse
  const isAscending = filters.orderBy === 'original_title' || filters.orderBy === 'release_date'
  const defaultDirection = isAscending ? 'asc' : 'desc'
  return (
    <div class="filters-order">
      <SelectField
        label={t.order}
        name="order_by"
        value={filters.orderBy}
        onChange={({ currentTarget }) =>
          change({ orderBy: currentTarget.value as BrowseFilters['orderBy'], orderDirection: undefined })
        }
      >
        {ORDERS.map((order) => (
          <option key={order} value={order}>
            {t.orders[order]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t.direction}
        name="order_direction"
        value={filters.orderDirection ?? defaultDirection}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value as 'asc' | 'desc'
          change({ orderDirection: chosen === defaultDirection ? undefined : chosen })
        }}
      >
        <option value="asc">{t.asc}</option>
        <option value="desc">{t.desc}</option>
      </SelectField>
    </div>
  )
}

function TypeFilter({ filters, change }: FilterPanelProps) {
  const t = useMessages(explorerMessages).browse
  const names = useMessages(layoutMessages).search.types
  const choices = [undefined, 'movie', 'series'] as const
  return (
    <FilterGroup label={t.showType}>
      <div class="chips">
        {choices.map((showType) => (
          <Chip
            key={showType}
            name="show_type"
            value={showType ?? ''}
            isOn={filters.showType === showType}
            onToggle={() => change({ showType })}
          >
            {showType === undefined ? t.everyType : names[showType]}
          </Chip>
        ))}
      </div>
    </FilterGroup>
  )
}

function GenreFilter({ filters, change }: FilterPanelProps) {
  const t = useMessages(explorerMessages).browse
  const genres = useGenres()
  const toggled = (id: string) => {
    const isOn = filters.genres.includes(id)
    return isOn ? filters.genres.filter((genre) => genre !== id) : [...filters.genres, id]
  }
  return (
    <FilterGroup label={t.genres}>
      {genres.state === 'loading' && <Skeleton height="8rem" />}
      {genres.state === 'failed' && <Failure error={genres.error} retry={genres.retry} />}
      {genres.state === 'ready' && (
        <div class="chips">
          {genres.value.map(({ id, name }) => (
            <Chip
              key={id}
              name="genres"
              value={toggled(id).join()}
              isOn={filters.genres.includes(id)}
              onToggle={() => change({ genres: toggled(id) })}
            >
              {name}
            </Chip>
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

function LanguageFilter({ filters, change }: FilterPanelProps) {
  const format = useFormats()
  const t = useMessages(explorerMessages).browse
  const chosen = filters.originalLanguage
  const codes: readonly string[] =
    chosen === undefined || (ORIGINAL_LANGUAGES as readonly string[]).includes(chosen)
      ? ORIGINAL_LANGUAGES
      : [chosen, ...ORIGINAL_LANGUAGES]
  const names = codes
    .map((code) => ({ code, name: format.languageName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name))
  return (
    <SelectField
      label={t.originalLanguage}
      name="show_original_language"
      value={chosen ?? ''}
      onChange={({ currentTarget }) => change({ originalLanguage: currentTarget.value || undefined })}
    >
      <option value="">{t.anyLanguage}</option>
      {names.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

/** Common original languages; the URL may hold any other. */
const ORIGINAL_LANGUAGES = [
  ...['ar', 'bn', 'cs', 'da', 'de', 'el', 'en', 'es', 'fa', 'fi', 'fr', 'he', 'hi', 'hu', 'id', 'is', 'it', 'ja', 'ko'],
  ...['ml', 'mr', 'ms', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sv', 'ta', 'te', 'th', 'tl', 'tr', 'uk', 'ur', 'vi', 'zh'],
] as const

/** Whether the filters fit beside the list. The server cannot know; its style shows them where they do. */
function useWideScreen(): boolean {
  const [isWide, setWide] = useState(false)
  useLayoutEffect(() => {
    const wide = window.matchMedia('(min-width: 56.01rem)')
    const follow = () => setWide(wide.matches)
    follow()
    wide.addEventListener('change', follow)
    return () => wide.removeEventListener('change', follow)
  }, [])
  return isWide
}
