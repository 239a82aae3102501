import { offersIn, type Show, type StreamingOption } from 'marquee-client'
import { safeImageUrl, safeUrl } from '../../components/safe-url.tsx'
import { showPath } from '../show-path.ts'

/** The words of schema.org for types of offers. */
const CATEGORIES = {
  subscription: 'subscription',
  addon: 'subscription',
  free: 'free',
  rent: 'rental',
  buy: 'purchase',
} as const

const PLATFORMS = ['DesktopWebPlatform', 'MobileWebPlatform', 'AndroidPlatform', 'IOSPlatform'].map(
  (platform) => `https://schema.org/${platform}`,
)

/** A show as structured data of schema.org, with an action for each way to watch it in a country. */
export function showStructuredData(show: Show, country: string): object {
  const { title, originalTitle, overview, genres, cast } = show
  return {
    '@context': 'https://schema.org',
    '@type': show.showType === 'movie' ? 'Movie' : 'TVSeries',
    '@id': showPath(show),
    url: showPath(show),
    name: title,
    ...(originalTitle !== title && { alternateName: originalTitle }),
    ...(overview !== '' && { description: overview }),
    image: safeImageUrl(show.imageSet.verticalPoster.w480),
    genre: genres.map(({ name }) => name),
    actor: cast.map(person),
    sameAs: Object.values(externalLinks(show)),
    ...(show.showType === 'movie' ? movieFacts(show) : seriesFacts(show)),
    potentialAction: offersIn(show, country).flatMap((offer) => watchAction(offer, country)),
  }
}

/** A show as properties of OpenGraph's types for videos. */
export function showOpenGraph(show: Show): Record<string, string | readonly string[] | undefined> {
  return {
    'video:duration': show.showType === 'movie' && show.runtime ? String(show.runtime * 60) : undefined,
    'video:release_date': (show.showType === 'movie' ? show.releaseYear : show.firstAirYear)?.toString(),
    'video:tag': show.genres.map(({ name }) => name),
  }
}

/** The pages of a show at the databases whose ids it has. */
export function externalLinks({ imdbId, tmdbId }: Pick<Show, 'imdbId' | 'tmdbId'>): { imdb?: string; tmdb?: string } {
  return {
    ...(/^tt\d+$/.test(imdbId) && { imdb: `https://www.imdb.com/title/${imdbId}/` }),
    ...(/^(?:movie|tv)\/\d+$/.test(tmdbId) && { tmdb: `https://www.themoviedb.org/${tmdbId}` }),
  }
}

function movieFacts({ releaseYear, runtime, directors = [] }: Extract<Show, { showType: 'movie' }>) {
  return {
    datePublished: releaseYear?.toString(),
    ...(runtime !== undefined && { duration: `PT${runtime}M` }),
    director: directors.map(person),
  }
}

function seriesFacts(show: Extract<Show, { showType: 'series' }>) {
  const { firstAirYear, lastAirYear, seasonCount, episodeCount, creators = [] } = show
  return {
    startDate: firstAirYear?.toString(),
    endDate: lastAirYear?.toString(),
    numberOfSeasons: seasonCount,
    numberOfEpisodes: episodeCount,
    creator: creators.map(person),
  }
}

function watchAction(offer: StreamingOption, country: string): object[] {
  const urlTemplate = safeUrl(offer.videoLink ?? offer.link)
  if (urlTemplate === undefined) return []
  const { price, service, addon, type, availableSince, expiresOn } = offer
  return [
    {
      '@type': 'WatchAction',
      target: { '@type': 'EntryPoint', urlTemplate, actionPlatform: PLATFORMS },
      expectsAcceptanceOf: {
        '@type': 'Offer',
        category: CATEGORIES[type],
        name: addon?.name ?? service.name,
        seller: { '@type': 'Organization', name: service.name },
        eligibleRegion: { '@type': 'Country', name: country.toUpperCase() },
        ...(price !== undefined && { price: price.amount, priceCurrency: price.currency }),
        availabilityStarts: isoTime(availableSince),
        ...(expiresOn !== undefined && { availabilityEnds: isoTime(expiresOn) }),
      },
    },
  ]
}

function isoTime(instant: number): string {
  return new Date(instant * 1000).toISOString()
}

function person(name: string): object {
  return { '@type': 'Person', name }
}
