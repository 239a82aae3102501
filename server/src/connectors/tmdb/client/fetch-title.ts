import { isObject, type JsonObject } from '../../../ingest/parse/fields.ts'
import { numberField, objectListField, textField } from '../../records/json-fields.ts'
import type { TmdbClient } from './tmdb-client.ts'

/** The kinds of titles, as TMDB's paths name them. */
export const TITLE_KINDS = ['movie', 'tv'] as const
export type TitleKind = (typeof TITLE_KINDS)[number]

/** The path of a title at TMDB, which is also its TMDB id in the catalog: `movie/238`, `tv/1396`. */
export type TitleKey = `${TitleKind}/${number}`

/** Builds the key of a title. */
export function titleKey(kind: TitleKind, id: number): TitleKey {
  return `${kind}/${id}`
}

/** Splits a key into kind and id. */
export function parseTitleKey(key: TitleKey): { readonly kind: TitleKind; readonly id: number } {
  const [kind, id] = key.split('/') as [TitleKind, string]
  return { kind, id: Number(id) }
}

/** The TMDB documents of a title, unconverted. */
export interface FetchedTitle {
  readonly key: TitleKey
  readonly details: JsonObject
  /** The seasons of a series without its specials, in no particular order. */
  readonly seasons: readonly FetchedSeason[]
}

/** The TMDB documents of a season. */
export interface FetchedSeason {
  readonly number: number
  /** The entry of the season in the document of the series. */
  readonly summary: JsonObject
  /** The document with its episodes, if there is one. */
  readonly details?: JsonObject
  readonly providers: JsonObject
}

/** The limit of TMDB on `append_to_response`. */
const MAX_APPENDED_PARTS = 20

const MOVIE_PARTS = ['watch/providers', 'external_ids', 'credits', 'translations', 'images']
const SERIES_PARTS = ['watch/providers', 'external_ids', 'aggregate_credits', 'translations', 'images']

/** A part that a title can do without. */
const OPTIONAL_PART = 'alternative_titles'

/** The first request appends as many seasons as fit, which is all of them for most series. */
const FIRST_SEASONS = Math.floor((MAX_APPENDED_PARTS - SERIES_PARTS.length - 1) / 2)
const SEASONS_PER_REQUEST = MAX_APPENDED_PARTS / 2

/** Fetches all documents of a title in as few requests as possible; undefined if TMDB does not have it. */
export async function fetchTitle(
  client: TmdbClient,
  key: TitleKey,
  languages: readonly string[],
): Promise<FetchedTitle | undefined> {
  const { kind, id } = parseTitleKey(key)
  const parts = kind === 'movie' ? MOVIE_PARTS : SERIES_PARTS
  const firstSeasons = kind === 'movie' ? [] : Array.from({ length: FIRST_SEASONS }, (_, i) => i + 1)
  const query = {
    language: 'en-US',
    include_image_language: [...new Set(['en', ...languages, 'null'])].join(','),
    append_to_response: [...parts, OPTIONAL_PART, ...firstSeasons.flatMap(seasonParts)].join(','),
  }
  const validate = (answer: JsonObject) => {
    if (answer.id !== id) return `its id is not ${id}`
    if (textField(answer, kind === 'movie' ? 'title' : 'name') === undefined) return 'it has no title'
    // A document without its providers would remove all offers of the title.
    return parts.map((part) => findPartProblem(answer, part)).find((problem) => problem !== undefined)
  }
  const details = await client.get(`/3/${key}`, query, validate)
  if (details === undefined) return undefined
  return { key, details, seasons: kind === 'movie' ? [] : await fetchSeasons(client, key, details) }
}

/** The seasons of a series: those appended to its document, and the others by further requests. */
async function fetchSeasons(client: TmdbClient, key: TitleKey, details: JsonObject): Promise<FetchedSeason[]> {
  const summaries = objectListField(details, 'seasons').filter(
    (season) => (numberField(season, 'season_number') ?? 0) > 0,
  )
  const documents = new Map<string, JsonObject>()
  const addAppended = (answer: JsonObject) => {
    for (const [part, value] of Object.entries(answer)) {
      const isValid = part.startsWith('season/') && findPartProblem(answer, part) === undefined
      if (isValid) documents.set(part, value as JsonObject)
    }
  }
  const missingSeasons = () =>
    summaries
      .map((season) => season.season_number as number)
      .filter((season) => seasonParts(season).some((part) => !documents.has(part)))
  addAppended(details)
  for (let rest = missingSeasons(); rest.length > 0; rest = rest.slice(SEASONS_PER_REQUEST)) {
    const append_to_response = rest.slice(0, SEASONS_PER_REQUEST).flatMap(seasonParts).join(',')
    addAppended((await client.get(`/3/${key}`, { language: 'en-US', append_to_response })) ?? {})
  }
  // A part that TMDB did not append may exist at its own path. Without that, only the summary of the season is used.
  for (const part of missingSeasons().flatMap(seasonParts)) {
    if (documents.has(part)) continue
    const validate = (answer: JsonObject) => findPartProblem({ [part]: answer }, part)
    const answer = await client.get(`/3/${key}/${part}`, { language: 'en-US' }, validate)
    if (answer !== undefined) documents.set(part, answer)
  }
  return summaries.map((summary) => {
    const number = summary.season_number as number
    const [detailsPart, providersPart] = seasonParts(number)
    const details = documents.get(detailsPart)
    const providers = documents.get(providersPart) ?? {}
    return { number, summary, ...(details !== undefined && { details }), providers }
  })
}

function seasonParts(season: number): [details: string, providers: string] {
  return [`season/${season}`, `season/${season}/watch/providers`]
}

/** Says why a part of an answer cannot be used; undefined if it can. */
function findPartProblem(answer: JsonObject, part: string): string | undefined {
  const value = answer[part]
  if (!isObject(value)) return `it lacks ${part}`
  if (part.endsWith('watch/providers') && !isObject(value.results)) return `its ${part} has no results`
  if (/^season\/\d+$/.test(part) && !Array.isArray(value.episodes)) return `its ${part} has no episodes`
  return undefined
}
