import { isObject, type JsonObject } from '../../../ingest/parse/fields.ts'
import { SECONDS_PER_DAY } from '../../../model/time.ts'
import { numberField, objectListField } from '../../records/json-fields.ts'
import { type TitleKey, type TitleKind, titleKey } from './fetch-title.ts'
import { type TmdbClient, TmdbUnavailableError } from './tmdb-client.ts'

/** Files are made once a day and kept for some weeks; today's may not be there yet. */
const MAX_EXPORT_AGE_DAYS = 7

const EXPORT_NAMES = { movie: 'movie_ids', tv: 'tv_series_ids' } as const

/** The most popular titles of the wanted kinds, from the newest daily files of all ids. */
export async function fetchPopularTitles(
  client: TmdbClient,
  kinds: readonly TitleKind[],
  limit: number,
  now: number,
): Promise<TitleKey[]> {
  const titles = new PopularityRanking()
  for (const kind of kinds)
    for (const [id, popularity] of await fetchNewestExport(client, kind, now)) titles.add(kind, id, popularity)
  return titles.top(limit)
}

type ExportEntry = readonly [id: number, popularity: number]

async function fetchNewestExport(client: TmdbClient, kind: TitleKind, now: number): Promise<readonly ExportEntry[]> {
  for (let day = 0; day < MAX_EXPORT_AGE_DAYS; day++) {
    const [year, month, date] = new Date((now - day * SECONDS_PER_DAY) * 1000).toISOString().slice(0, 10).split('-')
    const path = `/p/exports/${EXPORT_NAMES[kind]}_${month}_${date}_${year}.json.gz`
    const entries = await client.readFile(path, (): ExportEntry[] => [], addExportLine)
    if (entries !== undefined && entries.length > 0) return entries
  }
  throw new TmdbUnavailableError(
    `There is no daily file of ${EXPORT_NAMES[kind]} from the last ${MAX_EXPORT_AGE_DAYS} days`,
  )
}

/** Titles for adults are left out. A line that cannot be read costs one title, which is no reason to stop. */
function addExportLine(entries: ExportEntry[], text: string): void {
  const entry = tryParseJson(text)
  if (!isObject(entry) || entry.adult === true || !Number.isSafeInteger(entry.id)) return
  entries.push([entry.id as number, typeof entry.popularity === 'number' ? entry.popularity : 0])
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** TMDB tells what changed within at most so many days. */
export const MAX_CHANGES_DAYS = 14

/** The titles of a kind that changed between two instants, both days included. */
export async function fetchChangedTitles(
  client: TmdbClient,
  kind: TitleKind,
  since: number,
  now: number,
): Promise<Set<TitleKey>> {
  const changed = new Set<TitleKey>()
  const query = { start_date: formatDate(since), end_date: formatDate(now + SECONDS_PER_DAY) }
  const lacks = (answer: JsonObject) => (Array.isArray(answer.results) ? undefined : 'it has no results')
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = (await client.get(`/3/${kind}/changes`, { ...query, page: String(page) }, lacks)) ?? {}
    for (const entry of objectListField(answer, 'results')) {
      const id = isObject(entry) ? numberField(entry, 'id') : undefined
      if (id !== undefined) changed.add(titleKey(kind, id))
    }
    pages = numberField(answer, 'total_pages') ?? 1
  }
  return changed
}

function formatDate(instant: number): string {
  return new Date(instant * 1000).toISOString().slice(0, 10)
}

/** Titles by popularity. TMDB has well over a million: they are kept as plain numbers. */
export class PopularityRanking {
  private readonly ids: number[] = []
  private readonly popularity: number[] = []

  add(kind: TitleKind, id: number, popularity: number): void {
    this.ids.push(kind === 'movie' ? id : -id)
    this.popularity.push(popularity)
  }

  /** The most popular ones, the most popular first. */
  top(limit: number): TitleKey[] {
    const places = Uint32Array.from(this.ids, (_, i) => i)
    const of = (place: number) => this.popularity[place] as number
    places.sort((a, b) => of(b) - of(a) || a - b)
    return Array.from(places.subarray(0, limit), (place) => {
      const id = this.ids[place] as number
      return titleKey(id > 0 ? 'movie' : 'tv', Math.abs(id))
    })
  }
}
