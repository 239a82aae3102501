import { isObject, type JsonObject } from '../../../ingest/parse/fields.ts'
import { numberField, objectListField, textField } from '../../records/json-fields.ts'
import type { TmdbClient } from './tmdb-client.ts'

/** All that TMDB says of a title, in its own words. */
export interface FetchedTitle {
  readonly key: TitleKey
  readonly details: JsonObject
  /** The seasons of a series, specials left out, in no particular order. */
  readonly seasons: readonly FetchedSeason[]
}

export interface FetchedSeason {
  readonly number: number
  /** What the series says of the season. */
  readonly summary: JsonObject
  /** Its episodes; absent where TMDB has no page for it. */
  readonly details?: JsonObject
  readonly providers: JsonObject
}

/** TMDB appends at most so many parts to an answer. */
const MAX_APPENDED_PARTS = 20

const MOVIE_PARTS = ['watch/providers', 'external_ids', 'credits', 'translations', 'images']
const SERIES_PARTS = ['watch/providers', 'external_ids', 'aggregate_credits', 'translations', 'images']

/** As many seasons as fit beside the other parts are asked for at once: most series have no more of them. */
const FIRST_SEASONS = Math.floor((MAX_APPENDED_PARTS - SERIES_PARTS.length) / 2)
const SEASONS_PER_REQUEST = MAX_APPENDED_PARTS / 2

/** Fetches a title with everything that belongs to it, in as few requests as can be. Undefined where there is none. */
export async function fetchTitle(
  client: TmdbClient,
  key: TitleKey,
  languages: readonly string[],
): Promise<FetchedTitle | undefined> {
  const { kind, id } = parseTitleKey(key)
  const parts = kind === 'movie' ? MOVIE_PARTS : SERIES_PARTS
  const first = kind === 'movie' ? [] : Array.from({ length: FIRST_SEASONS }, (_, i) => i + 1)
  const query = {
    language: 'en-US',
    include_image_language: [...new Set(['en', ...languages, 'null'])].join(','),
    append_to_response: [...parts, ...first.flatMap(seasonParts)].join(','),
  }
  const lacks = (answer: JsonObject) => {
    if (answer.id !== id) return `its id is not ${id}`
    if (textField(answer, kind === 'movie' ? 'title' : 'name') === undefined) return 'it has no title'
    // Without its providers a title would look as if nobody offered it any more.
    return parts.map((part) => findPartProblem(answer, part)).find((problem) => problem !== undefined)
  }
  const details = await client.get(`/3/${key}`, query, lacks)
  if (details === undefined) return undefined
  return { key, details, seasons: kind === 'movie' ? [] : await fetchSeasons(client, key, details) }
}

/** The seasons that a series lists: those that came with it, and the others in further requests. */
async function fetchSeasons(client: TmdbClient, key: TitleKey, details: JsonObject): Promise<FetchedSeason[]> {
  const summaries = objectListField(details, 'seasons').filter(
    (season) => (numberField(season, 'season_number') ?? 0) > 0,
  )
  const found = new Map<string, JsonObject>()
  const keep = (answer: JsonObject) => {
    for (const [part, value] of Object.entries(answer)) {
      if (part.startsWith('season/') && findPartProblem(answer, part) === undefined)
        found.set(part, value as JsonObject)
    }
  }
  keep(details)
  const lacking = () =>
    summaries
      .map((season) => season.season_number as number)
      .filter((season) => seasonParts(season).some((part) => !found.has(part)))
  for (let rest = lacking(); rest.length > 0; rest = rest.slice(SEASONS_PER_REQUEST)) {
    const append_to_response = rest.slice(0, SEASONS_PER_REQUEST).flatMap(seasonParts).join(',')
    keep((await client.get(`/3/${key}`, { language: 'en-US', append_to_response })) ?? {})
  }
  // What is not appended may still have a page of its own; a season that has none is known by its summary.
  for (const part of lacking().flatMap(seasonParts)) {
    if (found.has(part)) continue
    const lacks = (answer: JsonObject) => findPartProblem({ [part]: answer }, part)
    const answer = await client.get(`/3/${key}/${part}`, { language: 'en-US' }, lacks)
    if (answer !== undefined) found.set(part, answer)
  }
  return summaries.map((summary) => {
    const number = summary.season_number as number
    const [page, providers] = seasonParts(number) as [string, string]
    const details = found.get(page)
    return { number, summary, ...(details !== undefined && { details }), providers: found.get(providers) ?? {} }
  })
}

function seasonParts(season: number): [page: string, providers: string] {
  return [`season/${season}`, `season/${season}/watch/providers`]
}

/** What is wrong with a part of an answer, if anything is. */
function findPartProblem(answer: JsonObject, part: string): string | undefined {
  const value = answer[part]
  if (!isObject(value)) return `it lacks ${part}`
  if (part.endsWith('watch/providers') && !isObject(value.results)) return `its ${part} has no results`
  if (/^season\/\d+$/.test(part) && !Array.isArray(value.episodes)) return `its ${part} has no episodes`
  return undefined
}

/** The two kinds of title that TMDB has, as its paths name them. */
export const TITLE_KINDS = ['movie', 'tv'] as const
export type TitleKind = (typeof TITLE_KINDS)[number]

/** A title as TMDB's paths name it, which is also the form of a TMDB id in the catalog: `movie/238`, `tv/1396`. */
export type TitleKey = `${TitleKind}/${number}`

export function titleKey(kind: TitleKind, id: number): TitleKey {
  return `${kind}/${id}`
}

export function parseTitleKey(key: TitleKey): { readonly kind: TitleKind; readonly id: number } {
  const [kind, id] = key.split('/') as [TitleKind, string]
  return { kind, id: Number(id) }
}
