/** The kinds of titles, as TMDB's paths name them. */
export type Kind = 'movie' | 'tv'

/** A provider of the stand-in, with TMDB's id and name. */
export interface StandInProvider {
  readonly id: number
  readonly name: string
  /** Display priority in each country that has it. */
  readonly priorities: Readonly<Record<string, number>>
}

export const PROVIDERS: readonly StandInProvider[] = [
  { id: 8, name: 'Netflix', priorities: { US: 1, GB: 1, DE: 2, FR: 1 } },
  { id: 9, name: 'Amazon Prime Video', priorities: { US: 2, GB: 2, DE: 1 } },
  { id: 119, name: 'Amazon Prime Video', priorities: { FR: 2 } },
  { id: 10, name: 'Amazon Video', priorities: { US: 9, GB: 9, DE: 9, FR: 9 } },
  { id: 337, name: 'Disney Plus', priorities: { US: 3, GB: 3, DE: 3, FR: 3 } },
  { id: 1899, name: 'Max', priorities: { US: 4, FR: 4 } },
  { id: 350, name: 'Apple TV+', priorities: { US: 5, GB: 5, DE: 5, FR: 5 } },
  { id: 2, name: 'Apple TV', priorities: { US: 6, GB: 6, DE: 6, FR: 6 } },
  { id: 11, name: 'MUBI', priorities: { US: 20, GB: 12, DE: 14, FR: 13 } },
  { id: 15, name: 'Hulu', priorities: { US: 7 } },
  { id: 582, name: 'Paramount+ Amazon Channel', priorities: { US: 15, GB: 16 } },
  { id: 9001, name: 'Lantern Lane', priorities: { US: 80, GB: 81, DE: 82, FR: 83 } },
]

/** A pseudo-random number below a limit that depends only on the key. */
export function pick(limit: number, ...key: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const letter of Buffer.from(key.join(' '))) hash = Math.imul(hash ^ letter, 0x01000193)
  // Without this, the last letters affect only the lowest bits.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 13)) >>> 0) % limit
}

const WORDS = 'amber harbour winter glass river silent copper orchard northern paper velvet hollow'.split(' ')
const NAMES = 'Ada Bruno Clara Dario Elif Farid Greta Hugo Ines Jonas Kaya Liam Mina Noor Otto Pia'.split(' ')
const LANGUAGES = ['en', 'en', 'en', 'fr', 'de', 'ko', 'cn']
const MOVIE_GENRES = [28, 12, 16, 35, 80, 99, 18, 10751, 14, 36, 27, 10402, 9648, 10749, 878, 10770, 53, 10752, 37]
const TV_GENRES = [10759, 16, 35, 80, 99, 18, 10751, 10762, 9648, 10763, 10764, 10765, 10766, 10767, 10768, 37]
const GENRE_NAMES: Readonly<Record<number, string>> = { 10759: 'Action & Adventure', 10770: 'TV Movie', 28: 'Action' }

/** The generated facts of a title, from which its documents are built. */
export function titleFacts(kind: Kind, id: number, revision: number) {
  const about = (limit: number, ...what: (string | number)[]) => pick(limit, kind, id, ...what)
  const word = (i: number) => WORDS[about(WORDS.length, 'word', i)] as string
  const genres = kind === 'movie' ? MOVIE_GENRES : TV_GENRES
  const year = 1960 + about(64, 'year')
  return {
    kind,
    id,
    revision,
    title: `The ${word(1)} ${word(2)} of ${kind} ${id}`,
    overview: `A story of ${word(3)} and ${word(4)}, as told in revision ${revision}.`,
    originalLanguage: LANGUAGES[about(LANGUAGES.length, 'language')] as string,
    imdbId: about(12, 'imdb') === 0 ? null : `tt${kind === 'movie' ? 1 : 2}${String(id).padStart(7, '0')}`,
    genres: [0, 1].map((i) => genres[about(genres.length, 'genre', i)] as number),
    people: Array.from({ length: 6 }, (_, i) => `${NAMES[about(16, 'person', i)]} ${word(10 + i)}son`),
    popularity: (1 + about(900_000, 'popularity')) / 1000,
    votes: about(30_000, 'votes'),
    average: about(101, 'average') / 10,
    year,
    runtime: 60 + about(120, 'runtime'),
    seasons: kind === 'tv' ? 1 + about(about(9, 'long') === 0 ? 24 : 5, 'seasons') : 0,
    episodesOf: (season: number) => 3 + about(8, 'episodes', season),
    offers: (country: string, season: number) => buildOffers(kind, id, country, season, revision),
  }
}

export type TitleFacts = ReturnType<typeof titleFacts>

/** The TMDB document of a genre. */
export function buildGenre(id: number): { id: number; name: string } {
  return { id, name: GENRE_NAMES[id] ?? `Genre ${id}` }
}

/** Whether the daily file marks a title as adult; such titles have documents too. */
export function isAdult(kind: Kind, id: number): boolean {
  return kind === 'movie' && id % 97 === 0
}

type Bucket = 'flatrate' | 'rent' | 'buy' | 'ads' | 'free'

function buildOffers(kind: Kind, id: number, country: string, season: number, revision: number) {
  const buckets: Partial<Record<Bucket, readonly StandInProvider[]>> = {}
  const there = PROVIDERS.filter(({ priorities }) => country in priorities)
  const some = (bucket: Bucket, among: readonly number[], odds: number) => {
    const chosen = there.filter(
      (one) => among.includes(one.id) && pick(odds, kind, id, country, season, bucket, one.id, revision) === 0,
    )
    if (chosen.length > 0) buckets[bucket] = chosen
  }
  some('flatrate', [8, 9, 119, 337, 1899, 350, 11, 15, 582], 3)
  some('rent', [10, 2], 2)
  some('buy', [10, 2], 2)
  some('ads', [9001], 4)
  some('free', [9001], 4)
  return buckets
}
