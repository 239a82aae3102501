import { useHref, useMessages, useViewer } from '../../app/context.ts'
import { SelectField } from '../../components/field.tsx'
import { QueryForm } from '../../components/query-form.tsx'
import type { BrowseCounts } from '../../data/queries.ts'
import { explorerMessages, layoutMessages } from '../../messages/tables.ts'
import { type BrowseFilters, filtersAsQuery, ORDERS } from './browse-filters.ts'
import type { ChangeFilters } from './browse-page.tsx'
import { useLength } from './offer-filters.tsx'

interface ResultsBarProps {
  readonly filters: BrowseFilters
  readonly change: ChangeFilters
  readonly counts: BrowseCounts | undefined
}

/** Above the list: how many titles there are, and their order. */
export function ResultsBar({ filters, change, counts }: ResultsBarProps) {
  const t = useMessages(explorerMessages).browse
  const { apply } = useMessages(layoutMessages)
  const { country, language } = useViewer()
  const isAscending = filters.orderBy === 'original_title' || filters.orderBy === 'release_date'
  const defaultDirection = isAscending ? 'asc' : 'desc'
  return (
    <div class="results-bar">
      <p class="results-total" role="status">
        {counts === undefined ? '…' : t.total(counts.total)}
      </p>
      <QueryForm
        class="results-order"
        path="/browse"
        kept={{ ...filtersAsQuery(filters), country, lang: language }}
        submit={apply}
      >
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
      </QueryForm>
    </div>
  )
}

/** A length that many look for, in minutes. */
const SHORT_MINUTES = 120

/** The filters that are asked for most, as links: one tap each, also where the others are in a sheet. */
export function QuickFilters({ filters }: { filters: BrowseFilters }) {
  const hrefTo = useHref()
  const t = useMessages(explorerMessages).browse
  const { types } = useMessages(layoutMessages).search
  const length = useLength()
  const { showType, runtimeMax, leaving, qualityMin } = filters
  const quick: readonly (readonly [name: string, isOn: boolean, change: Partial<BrowseFilters>])[] = [
    [types.movie, showType === 'movie', { showType: 'movie' }],
    [types.series, showType === 'series', { showType: 'series' }],
    [t.upTo(length(SHORT_MINUTES)), runtimeMax === SHORT_MINUTES, { runtimeMax: SHORT_MINUTES }],
    [t.leaving, leaving !== undefined, { leaving: 'month' }],
    [t.qualities.uhd, qualityMin === 'uhd', { qualityMin: 'uhd' }],
  ]
  return (
    <nav class="chips quick-filters" aria-label={t.quick}>
      {quick.map(([name, isOn, change]) => {
        const removed = Object.fromEntries(Object.keys(change).map((key) => [key, undefined]))
        return (
          <a
            key={name}
            class="chip"
            href={hrefTo('/browse', filtersAsQuery({ ...filters, ...(isOn ? removed : change) }))}
            aria-current={isOn ? 'true' : undefined}
          >
            {name}
          </a>
        )
      })}
    </nav>
  )
}
