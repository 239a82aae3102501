import { useEffect, useRef } from 'preact/hooks'
import { marquee } from '../../data/marquee.ts'
import { usePages } from '../../data/use-pages.ts'
import { viewer } from '../../data/viewer.ts'
import { location } from '../../routing/location.ts'
import { shellMessages } from '../../shell/messages.ts'
import { useTitle } from '../../shell/use-title.ts'
import { Notice } from '../../ui/notice.tsx'
import { explorerMessages } from '../messages.ts'
import { EndlessList } from '../parts/endless-list.tsx'
import { ShowGrid } from '../parts/show-grid.tsx'
import { ActiveFilters } from './active-filters.tsx'
import { filtersAsParameters } from './browse-filters.ts'
import { FilterPanel } from './filter-panel.tsx'
import { useFilters } from './use-filters.ts'
import './browse-page.css'

/** The catalogs of a country, filtered and ordered in every way that the API knows. */
export default function BrowsePage() {
  const t = explorerMessages.current.browse
  const { filters, change, isKnown } = useFilters()
  useTitle(t.title)
  const parameters = filtersAsParameters(filters, viewer.value)
  const key = isKnown ? `browse ${JSON.stringify(parameters)}` : undefined
  const found = usePages(key, (cursor, signal) => marquee.shows.filter({ ...parameters, cursor }, { signal }).page())
  // Another list is read from its start, even if the last one was scrolled far down. Who comes back to one knows it.
  const list = useRef<HTMLElement>(null)
  const shown = useRef({ key, at: location.peek().at })
  useEffect(() => {
    if (key === undefined || shown.current.key === key) return
    const { at, isReturn } = location.peek()
    const isFirst = shown.current.key === undefined
    const hasComeBack = isReturn && at !== shown.current.at
    shown.current = { key, at }
    if (!isFirst && !hasComeBack && (list.current?.getBoundingClientRect().top ?? 0) < 0) window.scrollTo(0, 0)
  }, [key])

  return (
    <>
      <h1>{t.title}</h1>
      <div class="browse">
        <FilterPanel filters={filters} change={change} />
        <section ref={list} class="browse-found" aria-label={t.title}>
          <h2 class="unseen">{shellMessages.current.search.results}</h2>
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
