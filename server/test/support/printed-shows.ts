import fc from 'fast-check'
import { DAY, NOW } from './builders.ts'

/*
 * Shows exactly as the service prints them at granularity `episode`: keys in their order, nothing but what is
 * printed. They are written out here by hand, and not through the service's own code, so that the two can be held
 * against each other.
 */

type Json = Record<string, unknown>

export interface PrintedShow extends Json {
  readonly id: string
  readonly imdbId: string
  readonly tmdbId: string
  readonly title: string
  readonly streamingOptions: Record<string, Json[]>
  readonly seasons?: PrintedSeason[]
}

export interface PrintedSeason extends Json {
  readonly streamingOptions: Record<string, Json[]>
  readonly episodes?: (Json & { readonly streamingOptions: Record<string, Json[]> })[]
}

export const COUNTRIES = ['de', 'gb', 'us'] as const

/** The last second that some services state for "never". */
export const NEVER = 253_368_063_900

const DATE_SOON = NOW + 31 * DAY
const DATE_LATER = NOW + 31 * DAY + 1

function brand(id: string, name: string, country: string, logos: boolean): Json {
  const logo = (kind: string) => (logos ? `https://images.test/${id}/${country}/${kind}.svg` : '')
  return {
    id,
    name,
    homePage: logos ? `https://${id}.test/${country}` : '',
    themeColorCode: id === 'prime' ? '#00A8E1' : '#e50914',
    imageSet: { lightThemeImage: logo('light'), darkThemeImage: logo('dark'), whiteImage: logo('white') },
  }
}

/** A service is not the same everywhere, and one has no logos at all. */
const serviceIn = (id: string, country: string) => brand(id, `${id} ${country}`, country, id !== 'bare')
const addonIn = (id: string, country: string) => brand(id, `${id} (Ünïcode ${country})`, country, id !== 'plain')

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

/** Without the members that are undefined; order kept. */
function present<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}

const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('', 'The Wire', 'Ağır Roman', '千と千尋の神隠し', 'Иди и смотри', 'بچه‌های آسمان'),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('"quoted"\\', 'line\nbreak\t', '\u2028\u2029', '👩‍👩‍👧‍👦', 'null', '{"a":1}', '\u0000'),
  },
)
const people = fc.array(text, { maxLength: 4 })
const year = fc.oneof(fc.constant(0), fc.integer({ min: 1880, max: 2040 }), fc.constant(9999))
const link = fc.oneof(fc.webUrl(), fc.constantFrom('https://x.test/ünï?q="a"&b=\\', 'app://open'))

const locale = fc
  .record({
    language: fc.constantFrom('eng', 'spa', 'tur', 'zho'),
    region: maybe(fc.constantFrom('419', '150', 'USA', 'BRA')),
  })
  .map(present)

/** Without repeats, by language, then region (none first), then whatever follows. */
function sorted<T>(items: readonly T[], key: (item: T) => string): T[] {
  const byKey = new Map(items.map((item) => [key(item), item]))
  return [...byKey.keys()].sort().map((name) => byKey.get(name) as T)
}

const localeKey = ({ language, region = '' }: { language: string; region?: string | undefined }) =>
  `${language} ${region}`

const audios = fc.array(locale, { maxLength: 5 }).map((list) => sorted(list, localeKey))
const subtitles = fc
  .array(fc.record({ closedCaptions: fc.boolean(), locale }), { maxLength: 5 })
  .map((list) => sorted(list, ({ closedCaptions, locale }) => `${localeKey(locale)} ${Number(closedCaptions)}`))

const price = fc
  .record({
    amount: fc.constantFrom('2.99', '0.99', '0', '1499', '12.5'),
    currency: fc.constantFrom('USD', 'EUR', 'JPY'),
  })
  .map(({ amount, currency }) => ({ amount, currency, formatted: `${amount} ${currency}` }))

const ending = fc.constantFrom(
  { expiresSoon: false },
  { expiresSoon: true },
  { expiresSoon: true, expiresOn: NOW + 1 },
  { expiresSoon: true, expiresOn: DATE_SOON },
  { expiresSoon: false, expiresOn: DATE_LATER },
  { expiresSoon: false, expiresOn: NEVER },
)

function optionIn(country: string): fc.Arbitrary<Json> {
  return fc
    .record({
      service: fc.constantFrom('netflix', 'prime', 'bare'),
      type: fc.constantFrom('subscription', 'free', 'rent', 'buy', 'addon'),
      addon: fc.constantFrom('starz', 'plain'),
      link,
      videoLink: maybe(fc.oneof(link, fc.constant(''))),
      quality: maybe(fc.constantFrom('sd', 'hd', 'qhd', 'uhd')),
      audios,
      subtitles,
      price: maybe(price),
      ending,
      availableSince: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: NOW })),
    })
    .map(({ service, type, addon, price, ending, availableSince, ...rest }) =>
      present({
        service: serviceIn(service, country),
        type,
        addon: type === 'addon' ? addonIn(addon, country) : undefined,
        link: rest.link,
        videoLink: rest.videoLink,
        quality: rest.quality,
        audios: rest.audios,
        subtitles: rest.subtitles,
        price: type === 'rent' || type === 'buy' ? price : undefined,
        expiresSoon: ending.expiresSoon,
        expiresOn: 'expiresOn' in ending ? ending.expiresOn : undefined,
        availableSince,
      }),
    )
}

/** OptionsByCountry of a country, among them some that differ in nothing but their price, or in nothing at all. */
function optionsIn(country: string, most: number): fc.Arbitrary<Json[]> {
  const list = fc.array(optionIn(country), { maxLength: most })
  return fc.tuple(list, fc.constantFrom('as is', 'other price', 'twice'), price).map(([options, how, price]) => {
    const last = options.at(-1)
    if (last === undefined || how === 'as is') return options
    if (how === 'twice') return [...options, { ...last }]
    return 'price' in last ? [...options, { ...last, price }] : options
  })
}

function optionsByCountry(most: number): fc.Arbitrary<Record<string, Json[]>> {
  return fc
    .tuple(...COUNTRIES.map((country) => optionsIn(country, most)))
    .map((lists) =>
      Object.fromEntries(
        COUNTRIES.map((country, i) => [country, lists[i] as Json[]] as const).filter(([, l]) => l.length > 0),
      ),
    )
}

type Options = Record<string, Json[]>

/** The options of a series or a season, which cover those of its parts: none is printed of a part alone. */
function covering(options: Options, parts: readonly Options[]): Options {
  const place = ({ service, type, addon }: Json) =>
    `${(service as Json).id} ${type as string} ${(addon as Json | undefined)?.id}`
  const lists = COUNTRIES.map((country): [string, Json[]] => {
    const list = [...(options[country] ?? [])]
    for (const option of parts.flatMap((part) => part[country] ?? [])) {
      if (!list.some((own) => place(own) === place(option))) list.push({ ...option })
    }
    return [country, list]
  })
  return Object.fromEntries(lists.filter(([, list]) => list.length > 0))
}

const urls = (widths: readonly string[]) =>
  fc
    .tuple(...widths.map(() => fc.oneof(fc.webUrl(), fc.constant(''))))
    .map((list) => Object.fromEntries(widths.map((width, i) => [width, list[i] as string])))
const vertical = urls(['w240', 'w360', 'w480', 'w600', 'w720'])
const horizontal = urls(['w360', 'w480', 'w720', 'w1080', 'w1440'])
const imageSet = fc
  .tuple(vertical, horizontal, maybe(vertical), maybe(horizontal))
  .map(([verticalPoster, horizontalPoster, verticalBackdrop, horizontalBackdrop]) =>
    present({ verticalPoster, horizontalPoster, verticalBackdrop, horizontalBackdrop }),
  )

const episode = fc
  .record({ title: text, overview: maybe(text), airYear: year, streamingOptions: optionsByCountry(1) })
  .map(({ title, overview, airYear, streamingOptions }) =>
    present({ itemType: 'episode', title, overview, airYear, streamingOptions }),
  )

const season: fc.Arbitrary<PrintedSeason> = fc
  .record({
    title: text,
    firstAirYear: year,
    lastAirYear: year,
    streamingOptions: optionsByCountry(2),
    episodes: maybe(fc.array(episode, { maxLength: 3 })),
  })
  .map(({ title, firstAirYear, lastAirYear, streamingOptions: own, episodes }) => {
    const parts = (episodes ?? []).map(({ streamingOptions }) => streamingOptions as Options)
    const streamingOptions = covering(own, parts)
    return present({
      itemType: 'season',
      title,
      firstAirYear,
      lastAirYear,
      streamingOptions,
      episodes,
    }) as PrintedSeason
  })

const genre = fc.constantFrom(
  { id: 'drama', name: 'Drama' },
  { id: 'scifi', name: 'Sci-Fi' },
  { id: 'noir', name: 'Film Noir' },
  { id: 'anime', name: 'アニメ' },
)

const facts = fc.record({
  // An empty title is shown as the original one.
  title: text.filter((title) => title.trim() !== ''),
  overview: text,
  originalTitle: text,
  genres: fc.uniqueArray(genre, { selector: ({ id }) => id }),
  people: maybe(people),
  cast: people,
  rating: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100 })),
  imageSet,
  streamingOptions: optionsByCountry(4),
  ids: fc.constantFrom('both', 'no imdb', 'no tmdb', 'none'),
})

const movie = fc
  .record({ facts, releaseYear: maybe(year), runtime: maybe(fc.integer({ min: 0, max: 600 })) })
  .map(({ facts, releaseYear, runtime }) => (id: string) => {
    const { title, overview, originalTitle, genres, people, cast, rating, imageSet, streamingOptions } = facts
    return present({
      itemType: 'show',
      showType: 'movie',
      ...idsOf(id, 'movie', facts.ids),
      title: facts.ids === 'both' ? title : `${title} ${id}`,
      overview,
      releaseYear,
      originalTitle: facts.ids === 'both' ? originalTitle : `${originalTitle} ${id}`,
      genres,
      directors: people,
      cast,
      rating,
      runtime,
      imageSet,
      streamingOptions,
    }) as unknown as PrintedShow
  })

const series = fc
  .record({
    facts,
    firstAirYear: maybe(year),
    lastAirYear: maybe(year),
    seasonCount: maybe(fc.nat(40)),
    episodeCount: maybe(fc.nat(9_000)),
    seasons: fc.array(season, { maxLength: 3 }),
  })
  .map(({ facts, firstAirYear, lastAirYear, seasonCount, episodeCount, seasons }) => (id: string) => {
    const { title, overview, originalTitle, genres, people, cast, rating, imageSet } = facts
    const parts = seasons.map(({ streamingOptions }) => streamingOptions)
    const streamingOptions = covering(facts.streamingOptions, parts)
    return present({
      itemType: 'show',
      showType: 'series',
      ...idsOf(id, 'tv', facts.ids),
      title: facts.ids === 'both' ? title : `${title} ${id}`,
      overview,
      firstAirYear,
      lastAirYear,
      originalTitle: facts.ids === 'both' ? originalTitle : `${originalTitle} ${id}`,
      genres,
      creators: people,
      cast,
      rating,
      seasonCount,
      episodeCount,
      imageSet,
      streamingOptions,
      seasons,
    }) as unknown as PrintedShow
  })

/** Shows that lack outside ids are told apart by their titles, which are made unlike for them. */
function idsOf(id: string, kind: 'movie' | 'tv', which: string): Json {
  return {
    id,
    imdbId: which === 'both' || which === 'no tmdb' ? `tt${id.padStart(7, '0')}` : '',
    tmdbId: which === 'both' || which === 'no imdb' ? `${kind}/${id}` : '',
  }
}

/** Shows as the service prints them, with ids from 1 on. */
export function printedShows(size: {
  readonly minLength: number
  readonly maxLength: number
}): fc.Arbitrary<PrintedShow[]> {
  return fc.array(fc.oneof(movie, series), size).map((makers) => makers.map((make, i) => make(String(i + 1))))
}

/** A series of one season with so many episodes, each on one service in each country. */
export function longSeries(id: string, episodes: number): PrintedShow {
  const options = (path: string) =>
    Object.fromEntries(
      COUNTRIES.map((country) => [
        country,
        [
          {
            service: serviceIn('netflix', country),
            type: 'subscription',
            link: `https://netflix.test/${country}${path}`,
            audios: [],
            subtitles: [],
            expiresSoon: false,
            availableSince: NOW - DAY,
          },
        ],
      ]),
    )
  const [made] = fc.sample(series, { seed: 7, numRuns: 1 }) as [(id: string) => PrintedShow]
  const { seasons: _, ...show } = made(id)
  return {
    ...show,
    streamingOptions: options(''),
    seasons: [
      {
        itemType: 'season',
        title: 'Season 1',
        firstAirYear: 0,
        lastAirYear: 2020,
        streamingOptions: options('/1'),
        episodes: Array.from({ length: episodes }, (_, e) => ({
          itemType: 'episode',
          title: `Episode ${e + 1}`,
          airYear: 2000 + (e % 20),
          streamingOptions: options(`/1/${e + 1}`),
        })),
      },
    ],
  } as PrintedShow
}

/** A show as it is printed when one country is asked for. */
export function cutTo(show: PrintedShow, country: string): PrintedShow {
  const cut = (options: Record<string, Json[]>) =>
    options[country] === undefined ? {} : { [country]: options[country] as Json[] }
  return {
    ...show,
    streamingOptions: cut(show.streamingOptions),
    ...(show.seasons !== undefined && {
      seasons: show.seasons.map((season) => ({
        ...season,
        streamingOptions: cut(season.streamingOptions),
        ...(season.episodes !== undefined && {
          episodes: season.episodes.map((episode) => ({
            ...episode,
            streamingOptions: cut(episode.streamingOptions),
          })),
        }),
      })),
    }),
  }
}

/** The options of a show, its seasons and its episodes, by country. */
export function* allOptionsOf(show: PrintedShow): Iterable<Record<string, Json[]>> {
  yield show.streamingOptions
  for (const season of show.seasons ?? []) {
    yield season.streamingOptions
    for (const episode of season.episodes ?? []) yield episode.streamingOptions
  }
}

/** The countries in which something of the show can be watched. */
export function countriesOf(show: PrintedShow): Set<string> {
  return new Set([...allOptionsOf(show)].flatMap((options) => Object.keys(options)))
}
