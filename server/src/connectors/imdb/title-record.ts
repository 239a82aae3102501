import { toAlpha2Language } from '../../model/language.ts'
import type { ShowType } from '../../model/show.ts'
import { parseGenres } from '../records/genres.ts'
import { findNumberProblem, SeriesBuilder } from '../streams/series-builder.ts'

/** The role of a person in a title; `self` is someone who appears as themselves. */
export type Role = 'director' | 'creator' | 'actor' | 'self'

/** A row of `title.basics`. Every cell may be missing. */
export interface TitleBasics {
  readonly imdbId: string | undefined
  readonly titleType: string | undefined
  readonly title: string | undefined
  readonly originalTitle: string | undefined
  readonly isAdult: string | undefined
  readonly startYear: string | undefined
  readonly endYear: string | undefined
  readonly runtime: string | undefined
  readonly genres: string | undefined
}

/** Names the cells of a row of `title.basics`. */
export function parseBasics(cells: readonly (string | undefined)[]): TitleBasics {
  const [imdbId, titleType, title, originalTitle, isAdult, startYear, endYear, runtime, genres] = cells
  return { imdbId, titleType, title, originalTitle, isAdult, startYear, endYear, runtime, genres }
}

/** What one row of a table says of a title. Facts are stored as JSON, which leaves out members that are undefined. */
export type TitleFact =
  | { readonly basics: Partial<TitleBasics> }
  | { readonly rating: number }
  | { readonly aka: AkaTitle }
  | { readonly role: Role; readonly order: number; readonly name: string }
  | { readonly season: number; readonly episode: number; readonly title?: string; readonly year?: number }

/** Show types by IMDb title type. Titles of other types are left out. */
const SHOW_TYPES: Readonly<Record<string, ShowType>> = {
  movie: 'movie',
  tvMovie: 'movie',
  tvSpecial: 'movie',
  tvShort: 'movie',
  short: 'movie',
  video: 'movie',
  tvSeries: 'series',
  tvMiniSeries: 'series',
}

/** The show type of an IMDb title type; undefined for episodes, games and the like. */
export function toShowType(titleType: string | undefined): ShowType | undefined {
  return SHOW_TYPES[titleType ?? '']
}

interface TitleRecordOptions {
  /** Whether all ratings were read, so that a missing rating means that there is none. */
  readonly ratingsComplete: boolean
  /** Type and title of the show in the catalog, for a row that lacks them. */
  readonly known?: { readonly showType: ShowType; readonly title: string } | undefined
}

/** Builds the native record of a title from its facts; undefined without a basics row of a show. */
export function buildTitleRecord(
  facts: readonly TitleFact[],
  { ratingsComplete, known }: TitleRecordOptions,
): Record<string, unknown> | undefined {
  const basics = facts.find((fact) => 'basics' in fact)?.basics
  const { imdbId, titleType, originalTitle, startYear, endYear, runtime, genres } = basics ?? {}
  const title = basics?.title ?? originalTitle ?? known?.title
  const showType = titleType === undefined ? known?.showType : toShowType(titleType)
  if (imdbId === undefined || title === undefined || showType === undefined) return undefined
  const rating = facts.find((fact) => 'rating' in fact)?.rating ?? (ratingsComplete ? 0 : undefined)
  const actors = findPeople(facts, 'actor')
  const akas = facts.flatMap((fact) => ('aka' in fact ? [fact.aka] : []))
  return {
    kind: 'show',
    partial: true,
    showType,
    imdbId,
    title,
    originalTitle,
    ...(showType === 'movie'
      ? { releaseYear: parseCount(startYear), directors: findPeople(facts, 'director'), runtime: parseCount(runtime) }
      : {
          firstAirYear: parseCount(startYear),
          lastAirYear: parseCount(endYear),
          creators: findPeople(facts, 'creator'),
          ...buildSeasonFields(facts),
        }),
    genres: genres === undefined ? undefined : parseGenres(genres.split(',')),
    cast: actors ?? findPeople(facts, 'self'),
    rating,
    translations: pickTranslations(akas),
    aliases: pickAliases(akas, [title, originalTitle]),
  }
}

/** Parses a year or a number of minutes. */
export function parseCount(cell: string | undefined): number | undefined {
  return cell !== undefined && /^\d{1,6}$/.test(cell) ? Number(cell) : undefined
}

/** The names of the people with a role, in billing order. */
function findPeople(facts: readonly TitleFact[], role: Role): string[] | undefined {
  const people = facts
    .flatMap((fact) => ('role' in fact && fact.role === role ? [fact] : []))
    .sort((a, b) => a.order - b.order)
  return people.length === 0 ? undefined : [...new Set(people.map(({ name }) => name))]
}

/** The seasons, with the counts of seasons and episodes. */
function buildSeasonFields(facts: readonly TitleFact[]): object {
  const series = new SeriesBuilder()
  const yearsBySeason = new Map<number, number[]>()
  let episodeCount = 0
  for (const fact of facts) {
    if (!('season' in fact) || findNumberProblem(fact.season, fact.episode) !== undefined) continue
    const { season, episode, title, year } = fact
    episodeCount++
    yearsBySeason.set(season, [...(yearsBySeason.get(season) ?? []), ...(year === undefined ? [] : [year])])
    series.addEpisode(season, episode, { fields: { title, airYear: year }, options: {} })
  }
  for (const [season, years] of yearsBySeason) {
    const fields = years.length === 0 ? {} : { firstAirYear: Math.min(...years), lastAirYear: Math.max(...years) }
    series.addSeason(season, { fields, options: {} })
  }
  return episodeCount === 0 ? {} : { seasonCount: yearsBySeason.size, episodeCount, seasons: series.toSeasons() }
}

/** The regions of each language, the preferred one first. Gives a language to alternative titles that state only a region. */
const REGIONS_BY_LANGUAGE: Readonly<Record<string, readonly string[]>> = {
  bg: ['BG'],
  cs: ['CZ'],
  da: ['DK'],
  de: ['DE', 'AT'],
  el: ['GR'],
  en: ['US', 'GB', 'XWW', 'CA', 'AU', 'IE', 'NZ'],
  es: ['ES', 'MX', 'AR', 'CO', 'CL'],
  fi: ['FI'],
  fr: ['FR'],
  he: ['IL'],
  hr: ['HR'],
  hu: ['HU'],
  id: ['ID'],
  it: ['IT'],
  ja: ['JP'],
  ko: ['KR'],
  nl: ['NL'],
  no: ['NO'],
  pl: ['PL'],
  pt: ['PT', 'BR'],
  ro: ['RO'],
  ru: ['RU'],
  sk: ['SK'],
  sv: ['SE'],
  th: ['TH'],
  tr: ['TR'],
  uk: ['UA'],
  vi: ['VN'],
  zh: ['CN', 'TW', 'HK'],
}

const languageByRegion = new Map(
  Object.entries(REGIONS_BY_LANGUAGE).flatMap(([language, regions]) => regions.map((region) => [region, language])),
)

/** Separates the values in the `types` column. */
const AKA_TYPE_SEPARATOR = '\u0002'

/** An alternative title. */
interface AkaTitle {
  readonly title: string
  readonly language: string
  /** Preference among the titles of a language; the lowest wins. */
  readonly rank: number
}

/** Parses a row of `title.akas`; undefined for working titles, transliterations and the like. */
export function parseAkaTitle(cells: readonly (string | undefined)[]): AkaTitle | undefined {
  const [, title, region, languageCode, types = '', attributes, isOriginal] = cells
  if (title === undefined || attributes !== undefined || isOriginal === '1') return undefined
  const language = languageCode === undefined ? languageByRegion.get(region ?? '') : toAlpha2Language(languageCode)
  if (language === undefined) return undefined
  const kinds = types.split(AKA_TYPE_SEPARATOR)
  const isDisplayTitle = kinds.includes('imdbDisplay')
  const isAlias = language === 'en' && kinds.includes('alternative')
  if (!isDisplayTitle && !isAlias && kinds.some((kind) => kind !== '')) return undefined
  const regionRank = REGIONS_BY_LANGUAGE[language]?.indexOf(region ?? '') ?? 0
  return { title, language, rank: (isDisplayTitle ? 0 : 10) + (regionRank < 0 ? 9 : regionRank) }
}

/** The `translations` of a native record: the best title of each language. */
function pickTranslations(akas: readonly AkaTitle[]): Record<string, { title: string }> | undefined {
  const best = new Map<string, AkaTitle>()
  for (const aka of akas) {
    if (aka.language === 'en') continue
    const current = best.get(aka.language)
    if (current === undefined || aka.rank < current.rank) best.set(aka.language, aka)
  }
  if (best.size === 0) return undefined
  return Object.fromEntries([...best].map(([language, { title }]) => [language, { title }]))
}

/** The most alternative titles of a record. */
const MAX_ALIASES = 20

/** The `aliases` of a native record: English titles of other countries and releases. */
function pickAliases(akas: readonly AkaTitle[], known: readonly (string | undefined)[]): string[] | undefined {
  const aliases = new Set(akas.filter(({ language }) => language === 'en').map(({ title }) => title))
  for (const title of known) if (title !== undefined) aliases.delete(title)
  return aliases.size === 0 ? undefined : [...aliases].slice(0, MAX_ALIASES)
}
