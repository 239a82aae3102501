import type { SampleShow } from '../data/feed.ts'
import { Random } from '../lib/random.ts'
import type { Marquee } from '../targets/marquee.ts'
import { type ApiRequest, apiRequest, takeFresh } from './api-request.ts'
import { type CountryServices, readCountries, type ServiceCatalog } from './countries.ts'

const SIZE = 600
/** More distinct searches than the result cache of a worker holds. */
export const UNCACHED_SIZE = 10_000
/** One search in eight also requests these pages. */
const DEEP_PAGES = [2, 5, 10]
const POPULAR_ORDERS = ['popularity_1week', 'popularity_1month', 'rating']
const ORDERS = [...POPULAR_ORDERS, 'popularity_1year', 'popularity_alltime', 'original_title', 'release_date']
const LANGUAGES = ['en', 'en', 'en', 'ko', 'ja', 'fr', 'es', 'de', 'tr']

/** Distinct filter searches, weighted towards popular countries, services and orders. */
export async function filterSearches(
  marquee: Marquee,
  sample: readonly SampleShow[],
  size = SIZE,
): Promise<ApiRequest[]> {
  const random = new Random(21)
  const countries = await readCountries(marquee)
  const genres = (await marquee.read<{ id: string }[]>(apiRequest('filters', '/genres'))).map(({ id }) => id)
  const words = overviewWords(sample)
  const requests = new Map<string, ApiRequest>()
  while (requests.size < size) {
    const query = randomFilters(random, random.pickPopular(countries), genres, words)
    const first = apiRequest('filters', '/shows/search/filters', query)
    requests.set(JSON.stringify(query), first)
    if (random.chance(1 / 8)) {
      for (const page of DEEP_PAGES) requests.set(JSON.stringify([query, page]), { ...first, page })
    }
  }
  return [...requests.values()].slice(0, size)
}

/** First pages of filter searches that were never sent before: each call gives others. */
export async function freshFilters(marquee: Marquee, sample: readonly SampleShow[]): Promise<() => ApiRequest[]> {
  const random = new Random(22)
  const countries = await readCountries(marquee)
  const genres = (await marquee.read<{ id: string }[]>(apiRequest('filters', '/genres'))).map(({ id }) => id)
  const words = overviewWords(sample)
  return takeFresh(() =>
    apiRequest('filters', '/shows/search/filters', randomFilters(random, random.pickPopular(countries), genres, words)),
  )
}

/** What the filter searches of `filterSearches` are asked with in addition. */
const MORE_FILTERS: readonly Readonly<Record<string, string>>[] = [
  { option_types: 'subscription,free' },
  { audios: 'en' },
  { audios: 'fr,de', quality_min: 'hd' },
  { subtitles: 'eng-cc' },
  { quality_min: 'uhd' },
  { option_types: 'rent,buy', price_max: '4.99', currency: 'USD' },
  { runtime_min: '80', runtime_max: '130' },
  { seasons_max: '3' },
  { exclude_genres: 'horror' },
  { available_since_min: '1600000000' },
]

/** The same searches, each with one or two of the filters on options, runtime and seasons. */
export function withMoreFilters(searches: readonly ApiRequest[]): ApiRequest[] {
  const random = new Random(22)
  return searches.map((search) => ({
    ...search,
    page: 1,
    query: { ...search.query, ...random.pick(MORE_FILTERS), ...(random.chance(0.3) && random.pick(MORE_FILTERS)) },
  }))
}

/** The same searches for a few members of each show. */
export function withFields(searches: readonly ApiRequest[]): ApiRequest[] {
  const fields =
    'id,title,releaseYear,firstAirYear,streamingOptions.service.id,streamingOptions.type,streamingOptions.link'
  return searches.map((search) => ({ ...search, page: 1, query: { ...search.query, fields } }))
}

/** Counts of what the searches find, with all facets. */
export function countsOf(searches: readonly ApiRequest[]): ApiRequest[] {
  const counts = searches.map(({ query }) => {
    const { order_by, order_direction, series_granularity, ...filters } = query as Record<string, string>
    return [JSON.stringify(filters), apiRequest('filters', '/shows/count', filters)] as const
  })
  return [...new Map(counts).values()]
}

function randomFilters(random: Random, country: CountryServices, genres: readonly string[], words: readonly string[]) {
  const query: Record<string, string> = { country: country.code }
  if (random.chance(0.65)) query.catalogs = catalogs(random, country)
  if (random.chance(0.45)) query.show_type = random.chance(0.6) ? 'movie' : 'series'
  if (random.chance(0.45)) Object.assign(query, genreFilter(random, genres))
  if (random.chance(0.25)) Object.assign(query, yearFilter(random))
  if (random.chance(0.25)) Object.assign(query, ratingFilter(random))
  if (random.chance(0.08)) query.keyword = random.pick(words)
  if (random.chance(0.12)) query.show_original_language = random.pick(LANGUAGES)
  if (random.chance(0.9)) query.order_by = random.chance(0.6) ? random.pick(POPULAR_ORDERS) : random.pick(ORDERS)
  if (random.chance(0.2)) query.order_direction = random.chance(0.5) ? 'asc' : 'desc'
  if (random.chance(0.06)) query.series_granularity = 'episode'
  return query
}

function catalogs(random: Random, { services }: CountryServices): string {
  const count = random.chance(0.6) ? 1 : 2 + random.below(3)
  const entries = Array.from({ length: count }, () => catalogEntry(random, random.pickPopular(services)))
  return [...new Set(entries)].join(',')
}

function catalogEntry(random: Random, { id, types, addons }: ServiceCatalog): string {
  if (addons.length > 0 && random.chance(0.15)) return `${id}.addon.${random.pick(addons)}`
  return types.length > 0 && random.chance(0.4) ? `${id}.${random.pick(types)}` : id
}

function genreFilter(random: Random, genres: readonly string[]): Record<string, string> {
  if (random.chance(0.6)) return { genres: random.pick(genres) }
  const two = [...new Set([random.pick(genres), random.pick(genres)])].join(',')
  return random.chance(0.5) ? { genres: two } : { genres: two, genres_relation: 'or' }
}

function yearFilter(random: Random): Record<string, string> {
  const year = 1970 + random.below(54)
  if (random.chance(0.4)) return { year_min: String(year) }
  if (random.chance(0.3)) return { year_max: String(year) }
  return { year_min: String(year), year_max: String(year + random.below(10)) }
}

function ratingFilter(random: Random): Record<string, string> {
  const rating = 40 + random.below(45)
  return random.chance(0.7)
    ? { rating_min: String(rating) }
    : { rating_min: String(rating), rating_max: String(rating + 5 + random.below(10)) }
}

/** Words of six letters and more, which are selective as keywords. */
function overviewWords(sample: readonly SampleShow[]): string[] {
  const words = new Set<string>()
  for (const { overview } of sample) {
    for (const word of overview.toLowerCase().match(/[a-z]{6,}/g) ?? []) words.add(word)
  }
  return [...words]
}
