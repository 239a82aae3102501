import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { parseJson } from '../../lib/text/parse-json.ts'
import { SECONDS_PER_DAY } from '../../model/time.ts'
import { ApiClient, type ApiClientOptions, type ApiRequest, ApiUnavailableError } from '../fetch/api-client.ts'
import { numberField, objectListField, textField } from '../records/values.ts'

/** The hosts of TMDB, the token, and the limits of the client. */
export interface TmdbClientOptions extends Omit<ApiClientOptions, 'name' | 'errorField'> {
  /** Base URL of the API: `https://api.themoviedb.org`. */
  readonly api: string
  /** Base URL of the daily files: `https://files.tmdb.org`. */
  readonly files: string
  /** A read access token, or an API key of 32 hexadecimal digits. */
  readonly token: string
}

/** The daily files are large. */
const FILE_TIMEOUT_MS = 15 * 60_000

/** Requests to TMDB: API paths with the token, and daily files without it. */
export class TmdbClient {
  private readonly options: TmdbClientOptions
  private readonly client: ApiClient

  constructor(options: TmdbClientOptions) {
    this.options = options
    this.client = new ApiClient({ ...options, name: 'TMDB', errorField: 'status_message' })
  }

  /** The number of requests sent. */
  get requests(): number {
    return this.client.requests
  }

  /**
   * The JSON object at a path of the API; undefined if there is none.
   * @param validate says what an answer lacks; the request is then retried
   */
  get(
    path: string,
    query: Readonly<Record<string, string>>,
    validate: (answer: JsonObject) => string | undefined = () => undefined,
  ): Promise<JsonObject | undefined> {
    const url = new URL(path, this.options.api)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return this.client.getJson(this.withCredentials({ url, missingStatuses: [404] }), validate)
  }

  /** Streams the lines of a daily file into an accumulator; undefined if there is no such file. */
  readFile<T>(path: string, create: () => T, addLine: (into: T, text: string) => void): Promise<T | undefined> {
    const url = new URL(path, this.options.files)
    // The file host answers 403 for a missing file, unless it is the API itself, as in tests.
    const missingStatuses = this.isApi(url) ? [404] : [403, 404]
    const request = this.withCredentials({ url, missingStatuses, timeoutMs: FILE_TIMEOUT_MS })
    return this.client.readLines(request, create, addLine)
  }

  /** Adds the token to requests to the API, and to no other host. */
  private withCredentials(request: Omit<ApiRequest, 'headers' | 'isAuthenticated'>): ApiRequest {
    const { token } = this.options
    const { url } = request
    const headers: Record<string, string> = { accept: 'application/json' }
    const isAuthenticated = this.isApi(url)
    if (isAuthenticated && /^[0-9a-f]{32}$/i.test(token)) url.searchParams.set('api_key', token)
    else if (isAuthenticated) headers.authorization = `Bearer ${token}`
    return { ...request, headers, isAuthenticated }
  }

  private isApi(url: URL): boolean {
    return url.origin === new URL(this.options.api).origin
  }
}

/** The kinds of titles, as TMDB's paths name them. */
export const TITLE_KINDS = ['movie', 'tv'] as const
export type TitleKind = (typeof TITLE_KINDS)[number]

/** The path of a title at TMDB, which is also its TMDB id in the catalog: `movie/238`, `tv/1396`. */
export type TitleKey = `${TitleKind}/${number}`

/** Builds the key of a title. */
function titleKey(kind: TitleKind, id: number): TitleKey {
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

/** TMDB publishes the files of all ids once a day; that of today may not exist yet. */
const MAX_EXPORT_AGE_DAYS = 7

const EXPORT_NAMES = { movie: 'movie_ids', tv: 'tv_series_ids' } as const

/** The most popular titles of some kinds together, from the newest daily files, in descending popularity. */
export async function fetchPopularTitles(
  client: TmdbClient,
  kinds: readonly TitleKind[],
  limit: number,
  now: number,
): Promise<TitleKey[]> {
  const ranking = new PopularityRanking()
  for (const kind of kinds) {
    for (const [id, popularity] of await fetchNewestExport(client, kind, now)) ranking.add(kind, id, popularity)
  }
  return ranking.top(limit)
}

type ExportEntry = readonly [id: number, popularity: number]

async function fetchNewestExport(client: TmdbClient, kind: TitleKind, now: number): Promise<readonly ExportEntry[]> {
  for (let age = 0; age < MAX_EXPORT_AGE_DAYS; age++) {
    const [year, month, day] = formatDate(now - age * SECONDS_PER_DAY).split('-')
    const path = `/p/exports/${EXPORT_NAMES[kind]}_${month}_${day}_${year}.json.gz`
    const entries = await client.readFile(path, (): ExportEntry[] => [], addExportLine)
    if (entries !== undefined && entries.length > 0) return entries
  }
  throw new ApiUnavailableError(
    `There is no daily file of ${EXPORT_NAMES[kind]} from the last ${MAX_EXPORT_AGE_DAYS} days`,
  )
}

/** Adds the entry of a line. Adult titles are left out; an invalid line costs one title and is ignored. */
function addExportLine(entries: ExportEntry[], text: string): void {
  const entry = tryParseJson(text)
  if (!isObject(entry) || entry.adult === true || !Number.isSafeInteger(entry.id)) return
  entries.push([entry.id as number, typeof entry.popularity === 'number' ? entry.popularity : 0])
}

function tryParseJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Ranks titles by popularity. TMDB has over a million, so ids are stored as numbers, those of series negated. */
class PopularityRanking {
  private readonly ids: number[] = []
  private readonly popularity: number[] = []

  add(kind: TitleKind, id: number, popularity: number): void {
    this.ids.push(kind === 'movie' ? id : -id)
    this.popularity.push(popularity)
  }

  /** The first titles of the ranking, in descending order. */
  top(limit: number): TitleKey[] {
    const order = Uint32Array.from(this.ids, (_, i) => i)
    const popularityAt = (i: number) => this.popularity[i] as number
    order.sort((a, b) => popularityAt(b) - popularityAt(a) || a - b)
    return Array.from(order.subarray(0, limit), (i) => {
      const id = this.ids[i] as number
      return titleKey(id > 0 ? 'movie' : 'tv', Math.abs(id))
    })
  }
}

/** The longest span of TMDB's list of changes. */
export const MAX_CHANGES_DAYS = 14

/** The titles of a kind that changed between two instants, including both days. */
export async function fetchChangedTitles(
  client: TmdbClient,
  kind: TitleKind,
  since: number,
  now: number,
): Promise<Set<TitleKey>> {
  const changed = new Set<TitleKey>()
  const query = { start_date: formatDate(since), end_date: formatDate(now + SECONDS_PER_DAY) }
  const validate = (answer: JsonObject) => (Array.isArray(answer.results) ? undefined : 'it has no results')
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = (await client.get(`/3/${kind}/changes`, { ...query, page: String(page) }, validate)) ?? {}
    for (const entry of objectListField(answer, 'results')) {
      const id = numberField(entry, 'id')
      if (id !== undefined) changed.add(titleKey(kind, id))
    }
    pages = numberField(answer, 'total_pages') ?? 1
  }
  return changed
}

/** The UTC date of an instant: `2011-04-17`. */
function formatDate(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
