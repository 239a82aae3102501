import type { ShowType } from '../../model/show.ts'
import { parseGenres } from '../records/genres.ts'
import { toAlpha2Language } from '../records/locales.ts'
import { SeriesBuilder } from '../records/series-builder.ts'

/** A role that people have in a title: director, creator, actor, or someone who appears as themselves. */
export type Role = 'director' | 'creator' | 'actor' | 'self'

/** One thing that a table says of a title, as it waits for the others. */
export type TitleFact =
  | { readonly basics: readonly (string | undefined)[] }
  | { readonly rating: number }
  | { readonly aka: AkaTitle }
  | { readonly role: Role; readonly order: number; readonly name: string }
  | { readonly season: number; readonly episode: number; readonly title?: string; readonly year?: number }

/** What the types of titles become; the others are no shows. */
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

/** Whether a title of a type is a movie or a series; undefined for episodes, games and the like. */
export function toShowType(titleType: string | undefined): ShowType | undefined {
  return SHOW_TYPES[titleType ?? '']
}

/** How a title is put together. */
export interface TitleRecordOptions {
  /** Whether every rating was read: then a title without one has none. */
  readonly ratingsComplete: boolean
}

/** A title as a native feed states it, or undefined where nothing says what it is. */
export function buildTitleRecord(
  facts: readonly TitleFact[],
  { ratingsComplete }: TitleRecordOptions,
): Record<string, unknown> | undefined {
  const basics = facts.find((fact) => 'basics' in fact)?.basics
  const [imdbId, titleType, title, originalTitle, , startYear, endYear, runtime, genres] = basics ?? []
  const showType = toShowType(titleType)
  if (imdbId === undefined || title === undefined || showType === undefined) return undefined
  const rating = facts.find((fact) => 'rating' in fact)?.rating ?? (ratingsComplete ? 0 : undefined)
  const actors = findPeople(facts, 'actor')
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
    translations: pickTranslations(facts.flatMap((fact) => ('aka' in fact ? [fact.aka] : []))),
  }
}

function parseCount(cell: string | undefined): number | undefined {
  return cell !== undefined && /^\d{1,6}$/.test(cell) ? Number(cell) : undefined
}

/** The names of those who have a role, in the order of their billing. */
function findPeople(facts: readonly TitleFact[], role: Role): string[] | undefined {
  const people = facts
    .flatMap((fact) => ('role' in fact && fact.role === role ? [fact] : []))
    .sort((a, b) => a.order - b.order)
  return people.length === 0 ? undefined : [...new Set(people.map(({ name }) => name))]
}

/** Seasons with their episodes, and how many there are. */
function buildSeasonFields(facts: readonly TitleFact[]): object {
  const parts = new SeriesBuilder()
  const years = new Map<number, number[]>()
  let episodeCount = 0
  for (const fact of facts) {
    if (!('season' in fact) || SeriesBuilder.findNumberProblem(fact.season, fact.episode) !== undefined) continue
    const { season, episode, title, year } = fact
    episodeCount++
    years.set(season, [...(years.get(season) ?? []), ...(year === undefined ? [] : [year])])
    parts.addEpisode(season, episode, { fields: { title, airYear: year }, options: {} })
  }
  for (const [season, all] of years) {
    const fields = all.length === 0 ? {} : { firstAirYear: Math.min(...all), lastAirYear: Math.max(...all) }
    parts.addSeason(season, { fields, options: {} })
  }
  return episodeCount === 0 ? {} : { seasonCount: years.size, episodeCount, seasons: parts.toSeasons() }
}

/** The language of titles that are said to be of a region only, the region that counts most for each language first. */
const REGIONS_BY_LANGUAGE: Readonly<Record<string, readonly string[]>> = {
  bg: ['BG'],
  cs: ['CZ'],
  da: ['DK'],
  de: ['DE', 'AT'],
  el: ['GR'],
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

/** What stands between the types of a title. */
const AKA_TYPE_SEPARATOR = '\u0002'

/** A title that a show goes by somewhere. */
export interface AkaTitle {
  readonly title: string
  readonly language: string
  /** How well it stands for its language; less is better. */
  readonly rank: number
}

/** What a row says of a title in another language, unless it is a working title, a transliteration or the like. */
export function parseAkaTitle(cells: readonly (string | undefined)[]): AkaTitle | undefined {
  const [, title, region, stated, types = '', attributes, isOriginal] = cells
  if (title === undefined || attributes !== undefined || isOriginal === '1') return undefined
  const language = stated === undefined ? languageByRegion.get(region ?? '') : toAlpha2Language(stated)
  if (language === undefined || language === 'en') return undefined
  const kinds = types.split(AKA_TYPE_SEPARATOR)
  const display = kinds.includes('imdbDisplay')
  if (!display && kinds.some((kind) => kind !== '')) return undefined
  const place = REGIONS_BY_LANGUAGE[language]?.indexOf(region ?? '') ?? 0
  return { title, language, rank: (display ? 0 : 10) + (place < 0 ? 9 : place) }
}

/** The best title of each language, as a feed states translations. */
export function pickTranslations(akas: readonly AkaTitle[]): Record<string, { title: string }> | undefined {
  const best = new Map<string, AkaTitle>()
  for (const aka of akas) {
    const known = best.get(aka.language)
    if (known === undefined || aka.rank < known.rank) best.set(aka.language, aka)
  }
  if (best.size === 0) return undefined
  return Object.fromEntries([...best].map(([language, { title }]) => [language, { title }]))
}
