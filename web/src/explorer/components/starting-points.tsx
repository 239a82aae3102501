import type { Show } from 'marquee-client'
import { useHref, useMessages, useViewer } from '../../app/context.ts'
import { Skeleton } from '../../components/feedback.tsx'
import { popularShowsQuery } from '../../data/queries.ts'
import type { QueryState } from '../../data/query-cache.ts'
import { useCountry, useGenres, useQuery } from '../../data/use-query.ts'
import { Failure } from '../../layout/failure.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import type { PagePath } from '../../routes.ts'
import { useIncludedCatalogs } from './included-ways.tsx'
import { ServiceLogo } from './service-logo.tsx'
import { ShowGrid } from './show-card.tsx'
import '../../components/choice.css'
import './starting-points.css'

/** Services in the row; they are sorted by popularity. */
const MAX_SERVICES = 9

/** The services of the country, with links to their catalogs. */
export function ServiceLinks() {
  const hrefTo = useHref()
  const t = useMessages(explorerMessages).home
  const country = useCountry()
  if (country.state === 'failed') return null
  return (
    <nav class="service-links" aria-label={t.services}>
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
export function GenreLinks() {
  const hrefTo = useHref()
  const t = useMessages(explorerMessages).browse
  const genres = useGenres()
  if (genres.state !== 'ready') return null
  return (
    <nav class="chips genre-links" aria-label={t.genres}>
      {genres.value.map(({ id, name }) => (
        <a key={id} class="chip" href={hrefTo('/browse', { genres: [id] })}>
          {name}
        </a>
      ))}
    </nav>
  )
}

interface ShelfProps {
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
export function Shelf({ title, path, shows, isFirst = false, max }: ShelfProps) {
  const hrefTo = useHref()
  const t = useMessages(explorerMessages).home
  if (shows.state === 'ready' && shows.value.length === 0 && !isFirst) return null
  return (
    <section class="shelf">
      <div class="shelf-head">
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

/** The popular shows of the week, of what is included for the viewer if that is known. */
export function PopularShelf({ max }: { max?: number | undefined }) {
  const t = useMessages(explorerMessages).home
  const viewer = useViewer()
  const { included, isKnown } = useIncludedCatalogs()
  const popular = useQuery(isKnown ? popularShowsQuery(viewer, included) : undefined)
  return (
    <Shelf
      title={included.length > 0 ? t.popularIncluded : t.popular}
      path="/browse"
      shows={popular}
      isFirst={true}
      {...(max !== undefined && { max })}
    />
  )
}
