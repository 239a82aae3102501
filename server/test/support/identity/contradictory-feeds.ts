import fc from 'fast-check'

/* Feeds in which shows are hard to tell apart: ids and years are missing, titles recur, and sources contradict each other. */

type Json = Record<string, unknown>

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

/**
 * How records of a source are named: by an own id that is any text, by an id of the catalog, as connectors do (an own id,
 * and a show id that is derived from it unless there is an IMDb or TMDB id), or not at all.
 */
type Naming = 'record ids' | 'show ids' | 'derived ids' | 'connector ids' | 'none'

const TITLES = ['Heat', 'The Heat', 'Heat (1995)', 'HEAT: Season 1', 'Alien', 'Aliens', 'Alien 2', 'Romeo & Juliet']
const PEOPLE = [['Ann One', 'Bob Two', 'Cem Three'], ['Dan Four', 'Eva Five', 'Fay Six'], []]

/** The fields of a record, without its name. */
const anyDescription = fc.record({
  series: fc.boolean(),
  title: fc.constantFrom(...TITLES),
  originalTitle: maybe(fc.constantFrom(...TITLES)),
  year: maybe(fc.constantFrom(1995, 1996, 2003)),
  imdb: maybe(fc.nat(3)),
  tmdb: maybe(fc.nat(3)),
  people: fc.constantFrom(...PEOPLE),
  runtime: maybe(fc.constantFrom(100, 140)),
  partial: fc.boolean(),
})

/** A record; its offer has a link of its own, by which it is found in the catalog. */
function toRecord(
  naming: Naming,
  name: number,
  link: string,
  fields: typeof anyDescription extends fc.Arbitrary<infer T> ? T : never,
): Json {
  const { series, title, originalTitle, year, imdb, tmdb, people, runtime, partial } = fields
  return {
    kind: 'show',
    showType: series ? 'series' : 'movie',
    ...((naming === 'record ids' || naming === 'connector ids') && { recordId: `asset/${name}` }),
    ...(naming === 'show ids' && { id: String(name + 1) }),
    ...((naming === 'derived ids' || (naming === 'connector ids' && imdb === undefined && tmdb === undefined)) && {
      id: String(900_000_000_000_001 + name),
    }),
    ...(imdb !== undefined && { imdbId: `tt${imdb + 1}` }),
    ...(tmdb !== undefined && { tmdbId: `${series ? 'tv' : 'movie'}/${tmdb + 1}` }),
    title,
    originalTitle,
    ...(series
      ? { firstAirYear: year, creators: people.slice(0, 1) }
      : { releaseYear: year, runtime, directors: people.slice(0, 1) }),
    cast: people.slice(1),
    ...(partial && { partial }),
    streamingOptions: { us: [{ service: 'acme', type: 'free', link }] },
  }
}

/** A feed of one of five sources, each with its own way to name records. */
const SOURCES: readonly (readonly [string, Naming])[] = [
  ['assets', 'record ids'],
  ['derived', 'derived ids'],
  ['connector', 'connector ids'],
  ['native', 'show ids'],
  ['list', 'none'],
]

const anyFeed: fc.Arbitrary<Json[]> = fc
  .record({
    source: fc.constantFrom(...SOURCES),
    mode: fc.constantFrom('snapshot', 'delta'),
    records: fc.array(fc.tuple(fc.nat(5), anyDescription), { minLength: 1, maxLength: 7 }),
  })
  .map(({ source: [source, naming], mode, records }) => [
    { kind: 'feed', source, mode },
    { kind: 'service', id: 'acme', name: 'Acme' },
    ...records.map(([name, fields], i) => toRecord(naming, name, `https://${source}.test/${i}`, fields)),
  ])

/** A few feeds of several sources. */
export const anyFeeds: fc.Arbitrary<Json[][]> = fc.array(anyFeed, { minLength: 1, maxLength: 6 })
