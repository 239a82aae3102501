import { type Ask, ask } from '../ask.ts'
import type { Marquee } from '../marquee.ts'
import { Random } from '../support/random.ts'
import type { SampleShow } from '../support/sample.ts'
import { type Place, type PlaceService, readPlaces } from './places.ts'

const SIZE = 600
/** More than a serving process remembers of what was asked lately. */
export const MANY = 10_000
/** One search in eight is followed to these pages. */
const DEEP_PAGES = [2, 5, 10]
const POPULAR_ORDERS = ['popularity_1week', 'popularity_1month', 'rating']
const ORDERS = [...POPULAR_ORDERS, 'popularity_1year', 'popularity_alltime', 'original_title', 'release_date']
const LANGUAGES = ['en', 'en', 'en', 'ko', 'ja', 'fr', 'es', 'de', 'tr']

/** Filter searches, all different, spread as apps spread them: popular countries, services and orders most. */
export async function filterMix(marquee: Marquee, sample: readonly SampleShow[], size = SIZE): Promise<Ask[]> {
  const random = new Random(21)
  const places = await readPlaces(marquee)
  const genres = (await marquee.read<{ id: string }[]>(ask('filters', '/genres'))).map(({ id }) => id)
  const words = wordsOf(sample)
  const asks = new Map<string, Ask>()
  while (asks.size < size) {
    const query = search(random, random.pickPopular(places), genres, words)
    const first = ask('filters', '/shows/search/filters', query)
    asks.set(JSON.stringify(query), first)
    if (random.chance(1 / 8)) {
      for (const page of DEEP_PAGES) asks.set(JSON.stringify([query, page]), { ...first, page })
    }
  }
  return [...asks.values()].slice(0, size)
}

function search(random: Random, place: Place, genres: readonly string[], words: readonly string[]) {
  const query: Record<string, string> = { country: place.country }
  if (random.chance(0.65)) query.catalogs = catalogs(random, place)
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

function catalogs(random: Random, { services }: Place): string {
  const count = random.chance(0.6) ? 1 : 2 + random.below(3)
  const entries = Array.from({ length: count }, () => catalogEntry(random, random.pickPopular(services)))
  return [...new Set(entries)].join(',')
}

function catalogEntry(random: Random, { id, types, addons }: PlaceService): string {
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

/** Words of overviews that say something: long ones. */
function wordsOf(sample: readonly SampleShow[]): string[] {
  const words = new Set<string>()
  for (const { overview } of sample) {
    for (const word of overview.toLowerCase().match(/[a-z]{6,}/g) ?? []) words.add(word)
  }
  return [...words]
}
