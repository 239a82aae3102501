import type { Readable } from 'node:stream'
import type { Catalog } from '../../catalog/catalog.ts'
import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import type { ShowType } from '../../model/show.ts'
import { countryOf } from '../region-codes.ts'
import { tsvRows } from '../tsv-rows.ts'
import { hasOffers, showsByTitle } from './shows-by-title.ts'

const COLUMNS = ['country_iso2', 'week', 'category', 'weekly_rank', 'show_title']

/** A place in the list of a country. */
interface Entry {
  readonly line: number
  readonly rank: number
  readonly title: string
}

/** The list of a country and a type in the latest week so far. */
interface List {
  readonly country: string
  readonly showType: ShowType
  week: string
  entries: Entry[]
}

/**
 * Top lists of the latest week of each country. A table that could not be read whole gives no lists at all: half of a
 * list is no list.
 */
export async function* top10Feed(source: Readable, service: string, catalog: Catalog): AsyncGenerator<FeedLine> {
  yield { line: 1, text: JSON.stringify({ kind: 'feed', source: `top-10/${service}`, mode: 'delta' }) }
  const lists = new Map<string, List>()
  let whole = true
  for await (const rows of tsvRows(source, { name: 'the table', columns: COLUMNS })) {
    for (const row of rows) {
      const problem = 'problem' in row ? row.problem : takeRow(lists, row.cells, row.line)
      if (problem === undefined) continue
      yield problem
      whole = false
    }
  }
  if (!whole) return
  for (const list of [...lists.values()].sort((a, b) => (a.country < b.country ? -1 : 1))) {
    yield* listLines(list, service, catalog)
  }
}

/** Takes a place in a list, or says what is wrong with it. */
function takeRow(lists: Map<string, List>, cells: readonly (string | undefined)[], line: number): FeedLine | undefined {
  const [code = '', week = '', category = '', ranked, title = ''] = cells
  const [country, rank] = [countryOf(code), Number(ranked)]
  if (country === undefined || !/^\d{4}-\d\d-\d\d$/.test(week) || !(rank >= 1) || title === '') {
    const detail = `${JSON.stringify(cells).slice(0, 120)}; a country, a week, a category, a rank and a title are needed`
    return { line, problem: 'unreadable_line', detail }
  }
  const showType = /^film/i.test(category) ? 'movie' : 'series'
  const key = `${country} ${showType}`
  const list = lists.get(key) ?? { country, showType, week, entries: [] }
  lists.set(key, list)
  if (week < list.week) return undefined
  if (week > list.week) Object.assign(list, { week, entries: [] })
  list.entries.push({ line, rank, title })
  return undefined
}

/** The list by ids, with notes of the titles that no show, or more than one, could be found for. */
function* listLines({ country, showType, entries }: List, service: string, catalog: Catalog): Generator<FeedLine> {
  const ids = new Set<string>()
  const first = entries[0]?.line ?? 1
  if (!hasOffers(catalog, service, country)) {
    const detail = `The list of ${country}: the catalog has nothing on ${service} there`
    yield { line: first, note: 'left_out', detail }
    return
  }
  for (const { line, title } of entries.toSorted((a, b) => a.rank - b.rank)) {
    const found = showsByTitle(catalog, title, { country, service, showType })
    // Two seasons of one series may be in a list; the series is where the higher one stands.
    if (found.length === 1) ids.add(found[0] as string)
    else if (found.length === 0) {
      yield { line, note: 'unknown_show', detail: `No ${showType} on ${service} in ${country} is called "${title}"` }
    } else {
      const detail = `"${title}" may be any of the shows ${found.slice(0, 10).join(', ')} on ${service} in ${country}`
      yield { line, note: 'ambiguous_title', detail }
    }
  }
  const top = { kind: 'top', country, service, showType, shows: [...ids] }
  yield { line: first, text: JSON.stringify(top) }
}
