import { compareSortValues, type SortValue } from '../../src/catalog/sorted/column-store.ts'
import { aMovie, anOption, aSeries, DAY, NOW } from './builders.ts'

/** Numbers by chance, the same for the same seed (mulberry32). */
export class Chance {
  private state: number

  constructor(seed: number) {
    this.state = seed
  }

  /** A whole number from 0 to below the limit. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let bits = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  /** Some of the list, at least one, in its order. */
  some<T>(list: readonly T[], max = list.length): T[] {
    const chosen = new Set(Array.from({ length: 1 + this.below(max) }, () => this.below(list.length)))
    return list.filter((_, i) => chosen.has(i))
  }

  oneIn(times: number): boolean {
    return this.below(times) === 0
  }
}

const COUNTRIES = ['gb', 'tr', 'us']
const SERVICES = ['netflix', 'prime', 'mubi']
const TYPES = ['subscription', 'free', 'rent', 'buy', 'addon']
const GENRES = ['action', 'comedy', 'crime', 'drama', 'horror']
const LANGUAGES = ['eng', 'fra', 'deu', 'spa']
const QUALITIES = ['sd', 'hd', 'qhd', 'uhd']
const CODES = { en: 'eng', fr: 'fra', de: 'deu', es: 'spa' } as const
const ADDONS = ['starz', 'mgm']

interface ModelOption {
  readonly service: string
  readonly type: string
  readonly addon?: string
  readonly quality?: string
  readonly audios: readonly { readonly language: string }[]
  readonly subtitles: readonly { readonly closedCaptions: boolean; readonly locale: { readonly language: string } }[]
  readonly price?: { readonly amount: string; readonly currency: string }
  readonly expiresOn?: number
  readonly availableSince: number
}

// biome-ignore lint/suspicious/noExplicitAny: records of a feed, with the fields that the generator gave them.
export type ModelShow = any

/** Shows by chance, with many ties and many missing values. */
export function generateShows(chance: Chance, count: number): ModelShow[] {
  return Array.from({ length: count }, (_, i) => {
    const id = String(1_000 + i * 3)
    const option = (country: string, n: number) => {
      const type = chance.one(TYPES)
      return anOption({
        service: type === 'addon' ? 'prime' : chance.one(SERVICES),
        type,
        ...(type === 'addon' && { addon: chance.one(ADDONS) }),
        link: `https://link.test/${country}/${id}/${n}`,
        quality: chance.oneIn(4) ? undefined : chance.one(QUALITIES),
        audios: chance.some(LANGUAGES, 2).map((language) => ({ language })),
        subtitles: chance
          .some(LANGUAGES, 2)
          .map((language) => ({ closedCaptions: chance.oneIn(3), locale: { language } })),
        ...((type === 'rent' || type === 'buy') && {
          price: {
            amount: `${1 + chance.below(9)}.${chance.one(['00', '50', '99'])}`,
            currency: chance.one(['USD', 'EUR']),
          },
        }),
        ...(chance.oneIn(3) && { expiresOn: NOW + (1 + chance.below(50)) * DAY }),
        availableSince: NOW - chance.below(40) * DAY,
      })
    }
    const streamingOptions = Object.fromEntries(
      COUNTRIES.flatMap((country) => {
        const options = Array.from({ length: chance.below(4) }, (_, n) => option(country, n))
        return options.length === 0 ? [] : [[country, options]]
      }),
    )
    const popularity = Object.fromEntries(
      COUNTRIES.flatMap((country) => (chance.oneIn(2) ? [[country, { alltime: chance.below(30) }]] : [])),
    )
    const common = {
      id,
      originalTitle: chance.one(['Émile', 'Zoë', 'A: b', 'same']) + (chance.oneIn(2) ? '' : ` ${chance.below(50)}`),
      rating: chance.below(30),
      genres: chance.some(GENRES, 3),
      originalLanguage: chance.one(['en', 'fr', 'ko']),
      streamingOptions,
      popularity,
    }
    return chance.oneIn(3)
      ? aSeries({
          ...common,
          firstAirYear: 1990 + chance.below(12),
          seasons: [],
          seasonCount: chance.oneIn(4) ? undefined : 1 + chance.below(8),
        })
      : aMovie({
          ...common,
          releaseYear: chance.oneIn(6) ? undefined : 1990 + chance.below(12),
          runtime: chance.oneIn(5) ? undefined : 60 + chance.below(80),
        })
  })
}

/** The parameters of a filter search, by name. */
export type Parameters = Record<string, string>

/** Filters, an order and a limit by chance: few at once, so that most queries find something. */
export function generateQuery(chance: Chance, shows: readonly ModelShow[]): Parameters {
  const list = (values: readonly string[], max?: number) => chance.some(values, max).join()
  const ids = () => Array.from({ length: 1 + chance.below(60) }, () => chance.one(shows).id).join()
  const choices: Record<string, () => Parameters> = {
    catalogs: () => ({
      catalogs: list(['netflix', 'prime', 'mubi', 'prime.rent', 'netflix.free', 'prime.addon.starz'], 3),
    }),
    show_type: () => ({ show_type: chance.one(['movie', 'series']) }),
    genres: () => ({ genres: list(GENRES, 2), genres_relation: chance.one(['and', 'or']) }),
    exclude_genres: () => ({ exclude_genres: list(GENRES, 2) }),
    language: () => ({ show_original_language: chance.one(['en', 'fr', 'ko', 'de']) }),
    years: () => ({ year_min: String(1990 + chance.below(6)), year_max: String(1996 + chance.below(6)) }),
    ratings: () => ({ rating_min: String(chance.below(15)), rating_max: String(15 + chance.below(20)) }),
    runtime_min: () => ({ runtime_min: String(60 + chance.below(60)) }),
    runtime_max: () => ({ runtime_max: String(120 + chance.below(30)) }),
    seasons_max: () => ({ seasons_max: String(1 + chance.below(8)) }),
    ids: () => ({ ids: ids() }),
    exclude_ids: () => ({ exclude_ids: ids() }),
    option_types: () => ({ option_types: list(TYPES, 3) }),
    audios: () => ({ audios: list(['en', 'fra', 'de', 'spa'], 2) }),
    subtitles: () => ({ subtitles: list(['en', 'eng-cc', 'fr', 'de-cc', 'spa'], 2) }),
    quality_min: () => ({ quality_min: chance.one(QUALITIES) }),
    price_max: () => ({ price_max: `${chance.below(10)}.5`, currency: chance.one(['USD', 'EUR']) }),
    since: () => ({ available_since_min: String(NOW - chance.below(40) * DAY) }),
    leaving: () => ({ leaving_before: String(NOW + chance.below(50) * DAY) }),
  }
  const names = Object.keys(choices)
  const filters = Array.from({ length: chance.below(4) }, () => (choices[chance.one(names)] as () => Parameters)())
  const order = chance.one([
    'original_title',
    'release_date',
    'rating',
    'popularity_alltime',
    'runtime',
    'available_since',
    'leaving',
    'random',
  ])
  return {
    country: chance.oneIn(2) ? chance.one(COUNTRIES) : chance.oneIn(3) ? 'any' : list(COUNTRIES),
    ...Object.assign({}, ...filters),
    order_by: order,
    ...(order === 'random' && { seed: String(chance.below(1_000)) }),
    ...(chance.oneIn(2) && { order_direction: chance.one(['asc', 'desc']) }),
    // Mostly small pages, since rendering large ones takes most of the time.
    ...(!chance.oneIn(6) && { limit: String(1 + chance.below(6)) }),
  }
}

export function yearOf(show: ModelShow): number | undefined {
  return show.releaseYear ?? show.firstAirYear
}

/** What a query finds, by the plainest means. */
export class QueryModel {
  private readonly query: Parameters
  private readonly lists: Readonly<Record<string, readonly string[]>>
  private readonly countries: readonly string[]
  private readonly passing = new Map<ModelShow, readonly ModelOption[]>()

  constructor(query: Parameters) {
    this.query = query
    this.lists = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, value.split(',')]))
    this.countries = query.country === 'any' ? COUNTRIES : (this.lists.country as readonly string[])
  }

  /** The shows that pass all filters, in order; ties by id. */
  find(shows: readonly ModelShow[]): ModelShow[] {
    const { order_by: order, order_direction: direction } = this.query
    const descends = order === 'rating' || order?.startsWith('popularity') === true
    const sign = (direction ?? (descends ? 'desc' : 'asc')) === 'asc' ? 1 : -1
    const found = shows.filter((show) => this.matches(show))
    const values = new Map(found.map((show) => [show, this.sortValue(show)]))
    const compare = (a: ModelShow, b: ModelShow) => {
      const [x, y] = [values.get(a), values.get(b)] as [SortValue, SortValue]
      return x === y ? 0 : compareSortValues(x, y)
    }
    return found.sort((a, b) => sign * compare(a, b) || Number(a.id) - Number(b.id))
  }

  /** The options of a show that pass all filters on options, catalogs included. */
  passingOptions(show: ModelShow): readonly ModelOption[] {
    let options = this.passing.get(show)
    if (options === undefined) {
      const all = this.countries.flatMap((country): ModelOption[] => show.streamingOptions[country] ?? [])
      options = all.filter((option) => this.passes(option))
      this.passing.set(show, options)
    }
    return options
  }

  private passes(option: ModelOption): boolean {
    const { query, lists } = this
    const { price, expiresOn = Number.POSITIVE_INFINITY } = option
    const code = (language: string) => CODES[language as keyof typeof CODES] ?? language
    const isInCatalog = (entry: string) => {
      const [service, type, addon] = entry.split('.')
      return (
        option.service === service &&
        (type === undefined || option.type === type) &&
        (addon === undefined || option.addon === addon)
      )
    }
    const hasSubtitle = (entry: string) => {
      const [language, captions] = entry.split('-') as [string, string?]
      return option.subtitles.some(
        ({ closedCaptions, locale }) =>
          locale.language === code(language) && (captions === undefined || closedCaptions),
      )
    }
    const hasAudio = (entry: string) => option.audios.some(({ language }) => language === code(entry))
    const isCheap = price?.currency === query.currency && Number(price?.amount) <= Number(query.price_max)
    return (
      lists.catalogs?.some(isInCatalog) !== false &&
      lists.subtitles?.some(hasSubtitle) !== false &&
      lists.audios?.some(hasAudio) !== false &&
      lists.option_types?.includes(option.type) !== false &&
      (query.quality_min === undefined ||
        QUALITIES.indexOf(option.quality ?? '') >= QUALITIES.indexOf(query.quality_min)) &&
      (query.price_max === undefined || isCheap) &&
      (query.available_since_min === undefined || option.availableSince >= Number(query.available_since_min)) &&
      (query.leaving_before === undefined || expiresOn < Number(query.leaving_before))
    )
  }

  private matches(show: ModelShow): boolean {
    const { query, lists } = this
    const isMovie = show.showType === 'movie'
    const within = (value: number | undefined, name: string) =>
      (query[`${name}_min`] === undefined || (value ?? Number.NaN) >= Number(query[`${name}_min`])) &&
      (query[`${name}_max`] === undefined || (value ?? Number.NaN) <= Number(query[`${name}_max`]))
    const { genres } = lists
    const hasGenre = (genre: string) => show.genres.includes(genre)
    return (
      (query.show_type === undefined || show.showType === query.show_type) &&
      (genres === undefined || (query.genres_relation === 'or' ? genres.some(hasGenre) : genres.every(hasGenre))) &&
      lists.exclude_genres?.some(hasGenre) !== true &&
      (query.show_original_language === undefined || show.originalLanguage === query.show_original_language) &&
      within(yearOf(show), 'year') &&
      within(show.rating, 'rating') &&
      within(isMovie ? show.runtime : undefined, 'runtime') &&
      within(isMovie ? undefined : show.seasonCount, 'seasons') &&
      lists.ids?.includes(show.id) !== false &&
      lists.exclude_ids?.includes(show.id) !== true &&
      this.passingOptions(show).length > 0
    )
  }

  /** The value of a show in the order of the query. */
  private sortValue(show: ModelShow): SortValue {
    switch (this.query.order_by) {
      case 'rating':
        return show.rating
      case 'release_date':
        return yearOf(show) ?? 0
      case 'runtime':
        return (show.showType === 'movie' && show.runtime) || 0
      case 'popularity_alltime':
        return Math.max(...this.countries.map((country) => show.popularity[country]?.alltime ?? 0))
      case 'available_since':
        return Math.max(...this.passingOptions(show).map(({ availableSince }) => availableSince))
      case 'leaving':
        return Math.min(...this.passingOptions(show).map(({ expiresOn }) => expiresOn ?? Number.POSITIVE_INFINITY))
      default:
        return show.originalTitle
    }
  }
}

/** The count of shows by each value, the highest first. */
export function countBy(shows: readonly ModelShow[], valuesOf: (show: ModelShow) => readonly unknown[]): object[] {
  const counts = new Map<string, number>()
  for (const show of shows) {
    for (const value of new Set(valuesOf(show).map(String))) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}
