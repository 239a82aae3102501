import { isObject, type JsonObject } from '../../../ingest/parse/fields.ts'
import { parseJson } from '../../../lib/text/parse-json.ts'
import { SECONDS_PER_DAY } from '../../../model/time.ts'
import { ApiUnavailableError } from '../../fetch/api-client.ts'
import { numberField, objectListField } from '../../records/json-fields.ts'
import { type TitleKey, type TitleKind, titleKey } from './fetch-title.ts'
import type { TmdbClient } from './tmdb-client.ts'

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
