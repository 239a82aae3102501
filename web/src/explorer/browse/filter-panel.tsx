import type { TargetedEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useFormats, useHref, useMessages, useViewer } from '../../app/context.ts'
import { useUnlessPressed } from '../../app/use-unless-pressed.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { QueryForm } from '../../components/query-form.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import { useWideScreen } from '../components/wide-screen.ts'
import { useActiveFilters } from './active-filters.tsx'
import { filtersAsQuery, NO_FILTERS } from './browse-filters.ts'
import {
  type FilterGroupsProps,
  GenreFilter,
  LanguageFilter,
  PeopleFilter,
  TypeFilter,
  YearFilter,
} from './filter-groups.tsx'
import { LengthFilter, OfferFilter } from './offer-filters.tsx'
import { ServiceFilter } from './service-filter.tsx'
import './filter-panel.css'

/**
 * All filters: a panel beside the list, and on a narrow screen a sheet over it. Without a script the sheet is a part of the
 * page that unfolds, and its button sends the form.
 */
export function FilterPanel({ filters, change, counts: latestCounts }: FilterGroupsProps) {
  const counts = useUnlessPressed(latestCounts)
  const props = { filters, change, counts }
  const format = useFormats()
  const t = useMessages(explorerMessages).browse
  const { country, language } = useViewer()
  const hrefTo = useHref()
  const isWide = useWideScreen()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const count = useActiveFilters(filters).length
  const panel = useRef<HTMLDetailsElement>(null)
  const summary = useRef<HTMLElement>(null)
  const closeSheet = () => {
    if (isWide) return
    setSheetOpen(false)
    summary.current?.focus()
  }
  const clear = () => {
    change(NO_FILTERS)
    // The button disappears with the last filter, so the focus moves.
    summary.current?.focus()
  }
  const onFocusOut = ({ relatedTarget }: TargetedEvent<HTMLElement, FocusEvent>) => {
    // Whoever leaves the sheet with the keyboard would be behind it.
    if (!isWide && relatedTarget instanceof Node && !panel.current?.contains(relatedTarget)) setSheetOpen(false)
  }
  return (
    <details
      ref={panel}
      class="filters"
      open={isWide || isSheetOpen}
      onToggle={({ currentTarget }) => {
        if (!isWide) setSheetOpen(currentTarget.open)
      }}
      onFocusOut={onFocusOut}
      onKeyDown={({ key }) => {
        if (key === 'Escape') closeSheet()
      }}
    >
      <summary ref={summary}>
        {t.filters}
        {count > 0 && <span class="filters-count">{format.number(count)}</span>}
      </summary>
      <QueryForm
        class="filters-body"
        path="/browse"
        kept={{ ...filtersAsQuery(filters), country, lang: language }}
        onSubmit={closeSheet}
      >
        <TypeFilter {...props} />
        <ServiceFilter
          catalogs={filters.catalogs}
          counts={counts?.facets.services}
          onChange={(catalogs) => change({ catalogs })}
        />
        <GenreFilter {...props} />
        <LengthFilter {...props} />
        <OfferFilter {...props} />
        <YearFilter {...props} />
        <LanguageFilter {...props} />
        <PeopleFilter {...props} />
        <div class="filters-foot">
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
          <span class="filters-show">
            <Button kind="main" type="submit">
              {counts === undefined ? t.showAll : t.showResults(counts.total)}
            </Button>
          </span>
        </div>
      </QueryForm>
    </details>
  )
}
