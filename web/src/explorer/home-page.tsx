import type { ChangeWithShow, Show } from 'marquee-client'
import { useEffect, useState } from 'preact/hooks'
import { SITE_NAME, useMessages, useViewer } from '../app/context.ts'
import { textLanguage } from '../app/viewer.ts'
import { useQuery } from '../data/use-query.ts'
import { SITE_CARD, useHead } from '../layout/page-head.ts'
import { explorerMessages } from '../messages/tables.ts'
import { FirstVisit } from './components/first-visit.tsx'
import { useIncludedCatalogs } from './components/included-ways.tsx'
import { GenreLinks, PopularShelf, ServiceLinks, Shelf } from './components/starting-points.tsx'
import './home-page.css'

/** Shows in a row on a wide screen. */
const ROW_SIZE = 6

/** The site as structured data of schema.org, with its search. */
const SITE_DATA = {
  '@context': 'https://schema.org',
  '@type': 'WebSite',
  '@id': '/',
  url: '/',
  name: SITE_NAME,
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: '/search?title={title}' },
    'query-input': 'required name=title',
  },
}

/** The start page: services, popular shows, new ones, and those that leave. */
export default function HomePage() {
  const t = useMessages(explorerMessages).home
  useHead({ title: t.title, description: t.lead, canonical: '/', image: SITE_CARD, structuredData: SITE_DATA })
  const { included, isKnown } = useIncludedCatalogs()
  // The first row is rendered alone, the rest right after: a slow phone shows it sooner.
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => setDrawn(true), [])
  return (
    <div class="home">
      <div class="home-hero">
        <h1>{t.title}</h1>
        <p class="soft">{t.lead}</p>
      </div>
      <FirstVisit />
      <ServiceLinks />
      <GenreLinks />
      <PopularShelf max={isDrawn ? undefined : ROW_SIZE} />
      {isDrawn && isKnown && <HomeChanges included={included} />}
    </div>
  )
}

/** Shows on a shelf. */
const SHELF_SIZE = 6

/** The shelves of new and leaving shows. */
function HomeChanges({ included }: { included: readonly string[] }) {
  const t = useMessages(explorerMessages).home
  const viewer = useViewer()
  const viewed = {
    country: viewer.country,
    outputLanguage: textLanguage(viewer),
    ...(included.length > 0 && { catalogs: included }),
  }
  const key = JSON.stringify(viewed)
  const arrived = useQuery<Show[]>({
    key: `home new ${key}`,
    async fetch(signal, client) {
      const parameters = { ...viewed, changeType: 'new', itemType: 'show', orderDirection: 'desc' } as const
      return uniqueShows((await client.changes.list(parameters, { signal }).page()).items)
    },
  })
  const leaving = useQuery<Show[]>({
    key: `home leaving ${key}`,
    async fetch(signal, client) {
      const parameters = { ...viewed, changeType: 'expiring', itemType: 'show' } as const
      return uniqueShows((await client.changes.list(parameters, { signal }).page()).items)
    },
  })
  return (
    <>
      <Shelf title={t.arrived} path="/new" shows={arrived} />
      <Shelf title={t.leaving} path="/leaving" shows={leaving} />
    </>
  )
}

/** The shows of changes, without duplicates. */
function uniqueShows(changes: readonly ChangeWithShow[]): Show[] {
  return [...new Map(changes.map(({ show }) => [show.id, show])).values()].slice(0, SHELF_SIZE)
}
