import type { ChangeWithShow, Show } from 'marquee-client'
import { useEffect, useState } from 'preact/hooks'
import { SITE_NAME, useHref, useMessages, useViewer } from '../app/context.ts'
import { textLanguage } from '../app/viewer.ts'
import { Skeleton } from '../components/feedback.tsx'
import { popularShowsQuery } from '../data/queries.ts'
import type { QueryState } from '../data/query-cache.ts'
import { useCountry, useGenres, useQuery } from '../data/use-query.ts'
import { Failure } from '../layout/failure.tsx'
import { SITE_CARD, useHead } from '../layout/page-head.ts'
import { explorerMessages } from '../messages/tables.ts'
import type { PagePath } from '../routes.ts'
import { FirstVisit } from './components/first-visit.tsx'
import { useIncludedCatalogs } from './components/included-ways.tsx'
import { ServiceLogo } from './components/service-logo.tsx'
import { ShowGrid } from './components/show-card.tsx'
import '../components/choice.css'
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
  const viewer = useViewer()
  const { included, isKnown } = useIncludedCatalogs()
  const popular = useQuery(isKnown ? popularShowsQuery(viewer, included) : undefined)
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
      <HomeServices />
      <HomeGenres />
      <HomeShelf
        title={included.length > 0 ? t.popularIncluded : t.popular}
        path="/browse"
        shows={popular}
        isFirst={true}
        {...(!isDrawn && { max: ROW_SIZE })}
      />
      {isDrawn && isKnown && <HomeChanges included={included} />}
    </div>
  )
}

/** Services on the start page; they are sorted by popularity. */
const MAX_SERVICES = 9

/** The services of the country, with links to their catalogs. */
function HomeServices() {
  const hrefTo = useHref()
  const t = useMessages(explorerMessages).home
  const country = useCountry()
  if (country.state === 'failed') return null
  return (
    <nav class="home-services" aria-label={t.services}>
      {country.state === 'loading' ? (
        <Skeleton height="3rem" />
      ) : (
        <ul>
          {country.value.services.slice(0, MAX_SERVICES).map((service) => (
            <li key={service.id}>
              <a href={hrefTo('/browse', { catalogs: [service.id] })}>
                <ServiceLogo service={service} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}

/** The genres, with links to their shows. */
function HomeGenres() {
  const hrefTo = useHref()
  const t = useMessages(explorerMessages).browse
  const genres = useGenres()
  if (genres.state !== 'ready') return null
  return (
    <nav class="chips home-genres" aria-label={t.genres}>
      {genres.value.map(({ id, name }) => (
        <a key={id} class="chip" href={hrefTo('/browse', { genres: [id] })}>
          {name}
        </a>
      ))}
    </nav>
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
      <HomeShelf title={t.arrived} path="/new" shows={arrived} />
      <HomeShelf title={t.leaving} path="/leaving" shows={leaving} />
    </>
  )
}

/** The shows of changes, without duplicates. */
function uniqueShows(changes: readonly ChangeWithShow[]): Show[] {
  return [...new Map(changes.map(({ show }) => [show.id, show])).values()].slice(0, SHELF_SIZE)
}

interface HomeShelfProps {
  readonly title: string
  /** The page with all of them. */
  readonly path: PagePath
  readonly shows: QueryState<readonly Show[]> & { readonly retry: () => void }
  /** Whether it is visible without scrolling. */
  readonly isFirst?: boolean
  /** The most shows to render; all if absent. */
  readonly max?: number
}

/** A row of shows with a link to all. An empty one is not rendered. */
function HomeShelf({ title, path, shows, isFirst = false, max }: HomeShelfProps) {
  const hrefTo = useHref()
  const t = useMessages(explorerMessages).home
  if (shows.state === 'ready' && shows.value.length === 0 && !isFirst) return null
  return (
    <section class="home-shelf">
      <div class="home-shelf-head">
        <h2>{title}</h2>
        <a href={hrefTo(path)} aria-label={`${t.all}: ${title}`}>
          {t.all}
        </a>
      </div>
      {shows.state === 'failed' ? (
        <Failure error={shows.error} retry={shows.retry} />
      ) : (
        <ShowGrid shows={shows.state === 'ready' ? shows.value.slice(0, max) : undefined} expected={isFirst ? 12 : 6} />
      )}
    </section>
  )
}
