import { offersIn, ServiceError, type Show } from 'marquee-client'
import { type PageProps, useFormats, useHref, useMessages, useViewer } from '../../app/context.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Skeleton } from '../../components/feedback.tsx'
import { seasonsQuery, showQuery } from '../../data/queries.ts'
import { useQuery } from '../../data/use-query.ts'
import { Failure } from '../../layout/failure.tsx'
import { useHead, useTitle } from '../../layout/page-head.ts'
import { explorerMessages, layoutMessages } from '../../messages/tables.ts'
import { useFeeds } from '../components/feed-links.tsx'
import { showPath } from '../show-path.ts'
import { CountryTable } from './country-table.tsx'
import { EpisodeList } from './episode-list.tsx'
import { HistoryTimeline } from './history-timeline.tsx'
import { SeasonGrid } from './season-grid.tsx'
import { ShowHead } from './show-head.tsx'
import { SimilarShows } from './similar-shows.tsx'
import { showOpenGraph, showStructuredData } from './structured-data.ts'
import './show-page.css'

/** The page of a show, by any of its ids. */
export default function ShowPage({ rest: id }: PageProps) {
  const result = useQuery(showQuery(useViewer(), id))
  const isUnknown = result.state === 'failed' && result.error instanceof ServiceError && result.error.status === 404
  if (isUnknown) return <UnknownShow />
  if (result.state === 'failed') return <Failure error={result.error} retry={result.retry} />
  if (result.state === 'loading') return <ShowSkeleton />
  return <ShowContent show={result.value} />
}

/** Shown for an id that the catalog does not have. */
function UnknownShow() {
  const hrefTo = useHref()
  const { failure, nav, search } = useMessages(layoutMessages)
  useTitle(failure.notFound.title)
  return (
    <div class="stack">
      <h1>{failure.notFound.title}</h1>
      <p>{failure.notFound.text}</p>
      <div class="row">
        <ButtonLink kind="main" href={hrefTo('/search')}>
          {search.label}
        </ButtonLink>
        <ButtonLink href={hrefTo('/browse')}>{nav.browse}</ButtonLink>
      </div>
    </div>
  )
}

function ShowContent({ show }: { show: Show }) {
  useShowHead(show)
  return (
    <article class="show">
      <ShowHead show={show} />
      {show.showType === 'series' && <Seasons id={show.id} />}
      <CountryTable id={show.id} />
      <HistoryTimeline id={show.id} />
      <SimilarShows show={show} />
    </article>
  )
}

/** The seasons of a series: where each can be watched, and its episodes. */
function Seasons({ id }: { id: string }) {
  const result = useQuery(seasonsQuery(useViewer(), id))
  if (result.state !== 'ready' || result.value.length === 0) return null
  return (
    <>
      <SeasonGrid seasons={result.value} />
      <EpisodeList seasons={result.value} />
    </>
  )
}

/** What search engines and shared links say of the show: where to watch it, and its story. */
function useShowHead(show: Show): void {
  const t = useMessages(explorerMessages).show
  const format = useFormats()
  const { country, language } = useViewer()
  const services = [...new Set(offersIn(show, country).map(({ service }) => service.name))]
  const place = format.regionName(country)
  const where =
    services.length === 0 ? t.nowhere(place) : t.describe(show.title, place, format.list(services.slice(0, 5)))
  useHead({
    title: show.title,
    description: shorten(`${where}. ${show.overview}`.trim(), MAX_DESCRIPTION),
    canonical: showPath(show),
    image: `/cards/${country}/${language}/${show.id}.png`,
    imageText: show.title,
    type: show.showType === 'movie' ? 'video.movie' : 'video.tv_show',
    openGraph: showOpenGraph(show),
    feeds: useFeeds({ show: show.id }, ['leaving.ics']),
    structuredData: showStructuredData(show, country),
  })
}

/** Search engines show about as much. */
const MAX_DESCRIPTION = 200

function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, text.lastIndexOf(' ', length - 1))}…`
}

function ShowSkeleton() {
  const layoutText = useMessages(layoutMessages)
  useTitle(layoutText.loading)
  return (
    <div class="show" role="status">
      <h1 class="unseen">{layoutText.loading}</h1>
      <div class="show-head">
        {/* Nearly every show has a backdrop, so its space is reserved. */}
        <div class="show-backdrop" />
        <div class="show-poster">
          <Skeleton height="100%" />
        </div>
        <div class="show-title">
          <Skeleton width="60%" height="2.5rem" />
          <Skeleton width="40%" />
        </div>
        <div class="show-facts">
          <Skeleton width="50%" height="3.75rem" />
          <Skeleton height="12rem" />
        </div>
      </div>
    </div>
  )
}
