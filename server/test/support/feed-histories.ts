import fc from 'fast-check'
import { aLogoSet, anAddon, anImageSet, DAY, NOW } from './builders.ts'

/* Histories of a catalog: sequences of small feeds of two sources about the same few shows, with time between them. */

type Json = Record<string, unknown>

/** A feed, and the seconds that pass after it while the window scheduler runs. */
export interface Step {
  readonly feed: Json[]
  readonly seconds: number
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const HOUR = 3_600

export const COUNTRIES = ['us', 'gb'] as const
export const SERVICES = ['netflix', 'prime'] as const

/** Reference data: one service with a global brand, one with a brand and addons in each country. */
export const REFERENCE: Json[] = [
  { kind: 'genre', id: 'drama' },
  { kind: 'genre', id: 'noir', name: 'Film Noir', names: { fr: 'Film noir' } },
  {
    kind: 'service',
    id: 'netflix',
    name: 'Netflix',
    homePage: 'https://netflix.test',
    themeColorCode: '#e50914',
    imageSet: aLogoSet('netflix'),
    streamingOptionTypes: { subscription: true, free: true },
    countries: { gb: { name: 'Netflix UK', names: { tr: 'Netflix BK' } } },
  },
  {
    kind: 'service',
    id: 'prime',
    countries: Object.fromEntries(
      COUNTRIES.map((country) => [
        country,
        { name: `Prime ${country}`, imageSet: aLogoSet('prime'), addons: [anAddon('starz')] },
      ]),
    ),
  },
  { kind: 'country', countryCode: 'us', services: ['prime', 'netflix'] },
  { kind: 'country', countryCode: 'gb', names: { fr: 'Royaume-Uni' }, services: ['netflix', 'prime'] },
]

/** A streaming option of a service; times are relative to the first feed. */
function anyOption(service: string): fc.Arbitrary<Json> {
  return fc
    .record({
      type: fc.constantFrom('subscription', 'rent', 'free', ...(service === 'prime' ? ['addon'] : [])),
      link: fc.constantFrom('a', 'b', 'c'),
      quality: maybe(fc.constantFrom('sd', 'uhd')),
      audios: fc.subarray([{ language: 'eng' }, { language: 'spa', region: '419' }]),
      amount: fc.constantFrom('2.99', '3.99'),
      startsOn: fc.oneof(
        { weight: 4, arbitrary: fc.constant(undefined) },
        { weight: 2, arbitrary: fc.constantFrom<number | string>(NOW + HOUR, NOW + 3 * DAY, 'unknown') },
      ),
      end: fc.oneof(
        { weight: 4, arbitrary: fc.constant<Json>({}) },
        {
          weight: 3,
          arbitrary: fc.constantFrom<Json>(
            { expiresOn: NOW - HOUR },
            { expiresOn: NOW + 5 * DAY },
            { expiresOn: NOW + 90 * DAY },
            { expiresSoon: true },
          ),
        },
      ),
      availableSince: maybe(fc.constantFrom(NOW - 40 * DAY, NOW - DAY)),
    })
    .map(({ type, link, amount, startsOn, end, ...rest }) => {
      const endsBeforeStart = startsOn !== undefined && startsOn !== 'unknown' && end.expiresOn === NOW - HOUR
      return {
        service,
        type,
        ...(type === 'addon' && { addon: 'starz' }),
        link: `https://${service}.test/${link}`,
        ...rest,
        subtitles: [],
        ...(type === 'rent' && { price: { amount, currency: 'USD' } }),
        ...(startsOn !== undefined && !endsBeforeStart && { startsOn }),
        ...end,
      }
    })
}

export type Options = Record<string, Json[]>

/** OptionsByCountry of an item in some countries on some services. */
export const anyOptions: fc.Arbitrary<Options> = fc
  .tuple(...COUNTRIES.map(() => fc.tuple(...SERVICES.map((service) => fc.array(anyOption(service), { maxLength: 2 })))))
  .map((lists) =>
    Object.fromEntries(
      COUNTRIES.map((country, i) => [country, (lists[i] as Json[][]).flat()] as const).filter(([, l]) => l.length > 0),
    ),
  )

export interface HistoryOptions {
  /** Whether shows can share titles, lack some of their ids, and turn out to be duplicates. */
  readonly merges: boolean
  /** Whether a top list can be emptied. */
  readonly emptyLists: boolean
  /** Whether a series can become a movie, and the other way round. */
  readonly retypes?: boolean
}

const SHOWS = 7
const isSeries = (index: number) => index % 3 === 2

/** The ids of a show: all of them, or only some. */
function showIds(index: number, which: string, series = isSeries(index)): Json {
  const number = String(index + 1)
  const [imdbId, tmdbId] = [`tt${number}`, `${series ? 'tv' : 'movie'}/${number}`]
  if (which === 'own') return { id: number }
  if (which === 'imdb') return { id: number, imdbId }
  if (which === 'tmdb') return { id: number, tmdbId }
  return { id: number, imdbId, tmdbId }
}

/** A record of one show of the pool. */
function anyShowRecord({ merges, retypes = false }: HistoryOptions): fc.Arbitrary<Json> {
  const season = fc
    .record({ options: anyOptions, episodes: maybe(fc.array(anyOptions, { maxLength: 2 })) })
    .map(({ options, episodes }) => ({
      title: 'A season',
      firstAirYear: 2001,
      lastAirYear: 2002,
      streamingOptions: options,
      ...(episodes !== undefined && {
        episodes: episodes.map((streamingOptions, e) => ({ title: `E${e}`, airYear: 2001, streamingOptions })),
      }),
    }))
  return fc
    .record({
      index: fc.nat(SHOWS - 1),
      retyped: retypes ? fc.boolean() : fc.constant(false),
      ids: merges ? fc.constantFrom('both', 'both', 'imdb', 'tmdb', 'own') : fc.constant('both'),
      join: merges ? maybe(fc.nat(SHOWS - 1)) : fc.constant(undefined),
      title: fc.constantFrom('First', 'Second', 'Third'),
      overview: fc.constantFrom('', 'A story.', 'Another story.'),
      year: maybe(fc.constantFrom(2001, 2002)),
      rating: fc.constantFrom(0, 50, 90),
      genres: fc.subarray(['drama', 'noir']),
      options: anyOptions,
      seasons: maybe(fc.array(season, { maxLength: 2 })),
      popularity: maybe(fc.record({ us: fc.record({ alltime: fc.nat(9) }), gb: fc.record({ '1week': fc.nat(9) }) })),
      translations: maybe(fc.constantFrom({}, { fr: { title: 'Premier', overview: 'Une histoire.' } })),
      originalLanguage: maybe(fc.constantFrom('en', 'fr')),
    })
    .map(({ index, retyped, ids, join, title, year, options, seasons, ...rest }) => {
      const series = isSeries(index) !== retyped
      const joined = join !== undefined && isSeries(join) === series && { tmdbId: showIds(join, 'tmdb').tmdbId }
      return {
        kind: 'show',
        showType: series ? 'series' : 'movie',
        ...showIds(index, ids, series),
        ...joined,
        title: merges ? title : `${title} ${index}`,
        ...(series ? { firstAirYear: year } : { releaseYear: year }),
        cast: [],
        imageSet: anImageSet(String(index)),
        streamingOptions: options,
        ...(series && { seasons }),
        ...rest,
      }
    })
}

function anyTopList({ emptyLists }: HistoryOptions): fc.Arbitrary<Json> {
  const ids = Array.from({ length: SHOWS }, (_, i) => String(i + 1))
  return fc.record({
    kind: fc.constant('top'),
    country: fc.constantFrom(...COUNTRIES),
    service: fc.constantFrom(...SERVICES),
    showType: fc.constantFrom('movie', 'series'),
    shows: fc.subarray(ids, { minLength: emptyLists ? 0 : 1 }),
  })
}

/** A feed of one of two sources: a snapshot, scoped or not, or a delta that also removes shows. */
function anyFeed(options: HistoryOptions): fc.Arbitrary<Json[]> {
  return fc
    .record({
      source: fc.constantFrom('one', 'two'),
      mode: fc.constantFrom('snapshot', 'delta'),
      scope: maybe(
        fc.constantFrom<Json>({ countries: ['us'] }, { services: ['prime'] }, { countries: ['gb'], services: [] }),
      ),
      shows: fc.array(anyShowRecord(options), { minLength: 1, maxLength: 5 }),
      removes: fc.array(fc.nat(SHOWS - 1), { maxLength: 2 }),
      tops: fc.array(anyTopList(options), { maxLength: 2 }),
    })
    .map(({ source, mode, scope, shows, removes, tops }) => [
      { kind: 'feed', source, mode, ...(scope !== undefined && { scope }) },
      ...REFERENCE,
      ...shows,
      ...(mode === 'delta' ? removes.map((index) => ({ kind: 'remove', id: String(index + 1) })) : []),
      ...tops,
    ])
}

/** A history of a few feeds, with hours and days between them. */
export function anyHistory(options: HistoryOptions): fc.Arbitrary<Step[]> {
  const step = fc.record({ feed: anyFeed(options), seconds: fc.constantFrom(0, 1, HOUR, 2 * DAY, 6 * DAY) })
  return fc.array(step, { minLength: 1, maxLength: 6 })
}
