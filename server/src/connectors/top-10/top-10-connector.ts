import type { Readable } from 'node:stream'
import type { Catalog } from '../../catalog/catalog.ts'
import { titleVariants } from '../../catalog/index/analyzer.ts'
import { term } from '../../catalog/index/terms.ts'
import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import type { ShowType } from '../../model/show.ts'
import type { Connector } from '../framework/connector.ts'
import { SERVICE_OPTION } from '../framework/options.ts'
import { parseCountry } from '../records/locales.ts'
import { openFileFeed } from '../streams/source-files.ts'
import { readTsvRows } from '../streams/tsv-reader.ts'

/** The service that publishes its top ten as a table. */
const DEFAULT_SERVICE = 'netflix'

/** Weekly top tens by country, as a table: the titles are found in the service's catalog. */
export const top10Connector: Connector = {
  name: 'top-10',
  summary: 'the table of weekly top tens by country (TSV, plain or gzipped), as top lists of the latest week',
  options: {
    service: {
      ...SERVICE_OPTION,
      description: `${SERVICE_OPTION.description}; ${DEFAULT_SERVICE} unless given for top-10`,
    },
  },
  open: (path, { service = DEFAULT_SERVICE }, { catalog }) =>
    openFileFeed(path, (stream) => readTop10Feed(stream, String(service), catalog)),
}

/** Where a title is looked for. */
export interface TitleScope {
  readonly country: string
  readonly service: string
  readonly showType: ShowType
}

/**
 * The ids of the shows that a service has in a country and that go by a title, in any language, without regard to case,
 * accents and punctuation.
 */
export function findShowsByTitle(
  catalog: Catalog,
  title: string,
  { country, service, showType }: TitleScope,
): string[] {
  const version = catalog.version()
  const offered = catalog.docsWithTerm(term.service(country, service), version)
  const ids = new Set<string>()
  for (const form of titleVariants(title)) {
    for (const doc of catalog.docsWithTerm(term.titleEqual(form), version).toArray()) {
      const facts = offered.has(doc) ? catalog.facts(doc) : undefined
      if (facts?.showType === showType) ids.add(facts.id)
    }
  }
  return [...ids]
}

/** Whether a service offers anything in a country. */
export function hasOffers(catalog: Catalog, service: string, country: string): boolean {
  return catalog.docsWithTerm(term.service(country, service), catalog.version()).size > 0
}

const COLUMNS = ['country_iso2', 'week', 'category', 'weekly_rank', 'show_title']

/** A place in the list of a country. */
interface TopListEntry {
  readonly line: number
  readonly rank: number
  readonly title: string
}

/** The list of a country and a type in the latest week so far. */
interface TopList {
  readonly country: string
  readonly showType: ShowType
  week: string
  entries: TopListEntry[]
}

/**
 * Top lists of the latest week of each country. A table that could not be read whole gives no lists at all: half of a
 * list is no list.
 */
export async function* readTop10Feed(source: Readable, service: string, catalog: Catalog): AsyncGenerator<FeedLine> {
  yield { line: 1, text: JSON.stringify({ kind: 'feed', source: `top-10/${service}`, mode: 'delta' }) }
  const lists = new Map<string, TopList>()
  let whole = true
  for await (const rows of readTsvRows(source, { name: 'the table', columns: COLUMNS })) {
    for (const row of rows) {
      const problem = 'problem' in row ? row.problem : addRow(lists, row.cells, row.line)
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
function addRow(
  lists: Map<string, TopList>,
  cells: readonly (string | undefined)[],
  line: number,
): FeedLine | undefined {
  const [code = '', week = '', category = '', ranked, title = ''] = cells
  const [country, rank] = [parseCountry(code), Number(ranked)]
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
function* listLines({ country, showType, entries }: TopList, service: string, catalog: Catalog): Generator<FeedLine> {
  const ids = new Set<string>()
  const first = entries[0]?.line ?? 1
  if (!hasOffers(catalog, service, country)) {
    const detail = `The list of ${country}: the catalog has nothing on ${service} there`
    yield { line: first, note: 'left_out', detail }
    return
  }
  for (const { line, title } of entries.toSorted((a, b) => a.rank - b.rank)) {
    const found = findShowsByTitle(catalog, title, { country, service, showType })
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
