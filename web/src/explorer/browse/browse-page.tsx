import type { Show } from 'marquee-client'
import { useEffect, useRef } from 'preact/hooks'
import { useApp, useHref, useLocation, useMessages, useNavigate, useViewer } from '../../app/context.ts'
import { Notice } from '../../components/feedback.tsx'
import { type BrowseCounts, browseCountsQuery, browseQuery } from '../../data/queries.ts'
import { usePages } from '../../data/use-pages.ts'
import { useCountry, useGenres, useLatest, useQuery } from '../../data/use-query.ts'
import { SITE_CARD, useHead } from '../../layout/page-head.ts'
import { explorerMessages, layoutMessages } from '../../messages/tables.ts'
import { EndlessList } from '../components/endless-list.tsx'
import { useIncludedCatalogs, WaysChoice } from '../components/included-ways.tsx'
import { ShowGrid } from '../components/show-card.tsx'
import { ActiveFilters, useListSubject } from './active-filters.tsx'
import { type BrowseFilters, filtersAsQuery, readFilters } from './browse-filters.ts'
import { knownFilters } from './catalog-choice.ts'
import { FilterPanel } from './filter-panel.tsx'
import { QuickFilters, ResultsBar } from './results-bar.tsx'
import './browse-page.css'

/** The catalogs of a country with all filters and orders of the API. */
export default function BrowsePage() {
  const { router } = useApp()
  const layoutText = useMessages(layoutMessages)
  const t = useMessages(explorerMessages).browse
  const { filters, change, isKnown } = useFilters()
  // Lists by filters are endless, so that search engines are shown the whole one.
  const title = useListSubject(filters) ?? t.title
  useHead({ title, description: t.lead, canonical: '/browse', image: SITE_CARD })
  const { included, isKnown: isIncludedKnown } = useIncludedCatalogs()
  const query = browseQuery(useViewer(), filters, included, useLocation().query.get('cursor'))
  const isReady = isKnown && isIncludedKnown
  const key = isReady ? query.key : undefined
  const found = usePages<Show>(isReady ? query : undefined)
  const counts = useCounts(isReady, filters, included)
  // A new list starts at its top. Back and forward restore the scroll position instead.
  const list = useRef<HTMLElement>(null)
  const shown = useRef({ key, at: router.location.peek().at })
  useEffect(() => {
    if (key === undefined || shown.current.key === key) return
    const { at, isReturn } = router.location.peek()
    const isFirst = shown.current.key === undefined
    const hasComeBack = isReturn && at !== shown.current.at
    shown.current = { key, at }
    if (!isFirst && !hasComeBack && (list.current?.getBoundingClientRect().top ?? 0) < 0) list.current?.scrollIntoView()
  }, [key])

  return (
    <>
      <h1 dir="auto">{title}</h1>
      <div class="browse">
        <FilterPanel filters={filters} change={change} counts={counts} />
        <section ref={list} class="browse-found" aria-label={title}>
          <h2 class="unseen">{layoutText.search.results}</h2>
          {included.length > 0 && filters.catalogs.length === 0 && <WaysChoice filters={filters} />}
          <QuickFilters filters={filters} />
          <ResultsBar filters={filters} change={change} counts={counts} />
          <ActiveFilters filters={filters} change={change} />
          <EndlessList
            list={found}
            none={
              <Notice title={t.none}>
                <p>{t.noneHelp}</p>
              </Notice>
            }
          >
            <ShowGrid shows={found.items} />
          </EndlessList>
        </section>
      </div>
    </>
  )
}

/** The counts of the filters; none before these are known to exist. */
function useCounts(isReady: boolean, filters: BrowseFilters, included: readonly string[]): BrowseCounts | undefined {
  const viewer = useViewer()
  const latest = useLatest(useQuery(isReady ? browseCountsQuery(viewer, filters, included) : undefined))
  return isReady ? latest : undefined
}

/** Changes some of the filters. With `isTyping`, the change replaces the history entry: back skips single letters. */
export type ChangeFilters = (change: Partial<BrowseFilters>, isTyping?: boolean) => void

/** The filters of the URL. */
interface Filters {
  readonly filters: BrowseFilters
  /** Changes them in the URL, their only place. */
  readonly change: ChangeFilters
  /** Whether all of them are known to exist, so that the query can be sent. */
  readonly isKnown: boolean
}

/**
 * Reads the filters from the URL. Catalogs that the country lacks and genres that do not exist are removed from it: the URL
 * may be old, or from another country.
 */
function useFilters(): Filters {
  const { router } = useApp()
  const hrefTo = useHref()
  const navigate = useNavigate()
  const requested = readFilters(useLocation().query)
  const country = useCountry()
  const genres = useGenres()
  const filters = knownFilters(
    requested,
    country.state === 'ready' ? country.value.services : undefined,
    genres.state === 'ready' ? genres.value : undefined,
  )
  const isDropped =
    filters.catalogs.length < requested.catalogs.length || filters.genres.length < requested.genres.length
  const corrected = isDropped ? hrefTo('/browse', filtersAsQuery(filters)) : undefined
  useEffect(() => {
    if (corrected !== undefined) navigate(corrected, { replace: true })
  }, [corrected])
  const isWaiting =
    (requested.catalogs.length > 0 && country.state === 'loading') ||
    (requested.genres.length > 0 && genres.state === 'loading')
  const change: ChangeFilters = (changed, isTyping = false) => {
    const latest = readFilters(router.location.peek().query)
    navigate(hrefTo('/browse', filtersAsQuery({ ...latest, ...changed })), { replace: isTyping })
  }
  return { filters, change, isKnown: !isWaiting }
}
