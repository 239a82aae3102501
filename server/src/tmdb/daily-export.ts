import { isObject } from '../ingest/parse/fields.ts'
import { SECONDS_PER_DAY } from '../model/time.ts'
import { PopularTitles } from './popular-titles.ts'
import type { TitleKey, TitleKind } from './title-key.ts'
import type { TmdbClient } from './tmdb-client.ts'
import { TmdbUnavailable } from './tmdb-error.ts'

/** Files are made once a day and kept for some weeks; today's may not be there yet. */
const DAYS_BACK = 7

const NAMES = { movie: 'movie_ids', tv: 'tv_series_ids' } as const

/** The most popular titles of the wanted kinds, from the newest daily files of all ids. */
export async function mostPopular(
  client: TmdbClient,
  kinds: readonly TitleKind[],
  limit: number,
  now: number,
): Promise<TitleKey[]> {
  const titles = new PopularTitles()
  for (const kind of kinds)
    for (const [id, popularity] of await newest(client, kind, now)) titles.add(kind, id, popularity)
  return titles.top(limit)
}

type Entry = readonly [id: number, popularity: number]

async function newest(client: TmdbClient, kind: TitleKind, now: number): Promise<readonly Entry[]> {
  for (let day = 0; day < DAYS_BACK; day++) {
    const [year, month, date] = new Date((now - day * SECONDS_PER_DAY) * 1000).toISOString().slice(0, 10).split('-')
    const path = `/p/exports/${NAMES[kind]}_${month}_${date}_${year}.json.gz`
    const entries = await client.readFile(path, (): Entry[] => [], takeLine)
    if (entries !== undefined && entries.length > 0) return entries
  }
  throw new TmdbUnavailable(`There is no daily file of ${NAMES[kind]} from the last ${DAYS_BACK} days`)
}

/** Titles for adults are left out. A line that cannot be read costs one title, which is no reason to stop. */
function takeLine(entries: Entry[], text: string): void {
  const entry = parse(text)
  if (!isObject(entry) || entry.adult === true || !Number.isSafeInteger(entry.id)) return
  entries.push([entry.id as number, typeof entry.popularity === 'number' ? entry.popularity : 0])
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
