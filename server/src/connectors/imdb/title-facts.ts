import type { ShowType } from '../../model/show.ts'
import { genresOf } from '../genre-of.ts'
import { SeriesParts } from '../series-parts.ts'
import { type AkaTitle, translationsOfAkas } from './aka-titles.ts'

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
export function showTypeOf(titleType: string | undefined): ShowType | undefined {
  return SHOW_TYPES[titleType ?? '']
}

/** How a title is put together. */
export interface Assembly {
  /** Whether every rating was read: then a title without one has none. */
  readonly ratingsWhole: boolean
}

/** A title as a native feed states it, or undefined where nothing says what it is. */
export function assembleTitle(
  facts: readonly TitleFact[],
  { ratingsWhole }: Assembly,
): Record<string, unknown> | undefined {
  const basics = facts.find((fact) => 'basics' in fact)?.basics
  const [imdbId, titleType, title, originalTitle, , startYear, endYear, runtime, genres] = basics ?? []
  const showType = showTypeOf(titleType)
  if (imdbId === undefined || title === undefined || showType === undefined) return undefined
  const rating = facts.find((fact) => 'rating' in fact)?.rating ?? (ratingsWhole ? 0 : undefined)
  const actors = peopleIn(facts, 'actor')
  return {
    kind: 'show',
    partial: true,
    showType,
    imdbId,
    title,
    originalTitle,
    ...(showType === 'movie'
      ? { releaseYear: numberOf(startYear), directors: peopleIn(facts, 'director'), runtime: numberOf(runtime) }
      : {
          firstAirYear: numberOf(startYear),
          lastAirYear: numberOf(endYear),
          creators: peopleIn(facts, 'creator'),
          ...episodesIn(facts),
        }),
    genres: genres === undefined ? undefined : genresOf(genres.split(',')),
    cast: actors ?? peopleIn(facts, 'self'),
    rating,
    translations: translationsOfAkas(facts.flatMap((fact) => ('aka' in fact ? [fact.aka] : []))),
  }
}

function numberOf(cell: string | undefined): number | undefined {
  return cell !== undefined && /^\d{1,6}$/.test(cell) ? Number(cell) : undefined
}

/** The names of those who have a role, in the order of their billing. */
function peopleIn(facts: readonly TitleFact[], role: Role): string[] | undefined {
  const people = facts
    .flatMap((fact) => ('role' in fact && fact.role === role ? [fact] : []))
    .sort((a, b) => a.order - b.order)
  return people.length === 0 ? undefined : [...new Set(people.map(({ name }) => name))]
}

/** Seasons with their episodes, and how many there are. */
function episodesIn(facts: readonly TitleFact[]): object {
  const parts = new SeriesParts()
  const years = new Map<number, number[]>()
  let episodeCount = 0
  for (const fact of facts) {
    if (!('season' in fact) || SeriesParts.misplaced(fact.season, fact.episode) !== undefined) continue
    const { season, episode, title, year } = fact
    episodeCount++
    years.set(season, [...(years.get(season) ?? []), ...(year === undefined ? [] : [year])])
    parts.addEpisode(season, episode, { fields: { title, airYear: year }, options: {} })
  }
  for (const [season, all] of years) {
    const fields = all.length === 0 ? {} : { firstAirYear: Math.min(...all), lastAirYear: Math.max(...all) }
    parts.addSeason(season, { fields, options: {} })
  }
  return episodeCount === 0 ? {} : { seasonCount: years.size, episodeCount, seasons: parts.list() }
}
