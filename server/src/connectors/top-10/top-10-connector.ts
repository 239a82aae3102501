import type { Readable } from 'node:stream'
import type { Catalog } from '../../catalog/catalog.ts'
import { titleVariants } from '../../catalog/index/analyzer.ts'
import { term } from '../../catalog/index/terms.ts'
import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import type { ShowType } from '../../model/show.ts'
import type { Connector } from '../connector.ts'
import { parseCountry } from '../records/locales.ts'
import { openFileFeed } from '../streams/source-files.ts'
import { readTsvRows } from '../streams/tsv-reader.ts'

/** The service that publishes this table. */
const DEFAULT_SERVICE = 'netflix'

/** A table of weekly top tens by country. Titles are resolved to shows of the service in the catalog. */
export const openTop10: Connector['open'] = (path, { service = DEFAULT_SERVICE }, { catalog }) =>
  openFileFeed(path, (stream) => readTop10Feed(stream, String(service), catalog))

const COLUMNS = ['country_iso2', 'week', 'category', 'weekly_rank', 'show_title']

/** A ranked title. */
interface TopListEntry {
  readonly line: number
  readonly rank: number
  readonly title: string
}

/** The list of a country and show type in the latest week seen so far. */
interface TopList {
  readonly country: string
  readonly showType: ShowType
  week: string
  entries: TopListEntry[]
}

/**
 * Emits the top lists of the latest week of each country. If any row cannot be read, no list is emitted, since a partial
 * list would replace a complete one.
 */
async function* readTop10Feed(source: Readable, service: string, catalog: Catalog): AsyncGenerator<FeedLine> {
  yield { line: 1, text: JSON.stringify({ kind: 'feed', source: `top-10/${service}`, mode: 'delta' }) }
  const lists = new Map<string, TopList>()
  let isComplete = true
  for await (const rows of readTsvRows(source, { name: 'the table', columns: COLUMNS })) {
    for (const row of rows) {
      const problem = 'problem' in row ? row.problem : addRow(lists, row.cells, row.line)
      if (problem === undefined) continue
      yield problem
      isComplete = false
    }
  }
  if (!isComplete) return
  for (const list of [...lists.values()].sort((a, b) => (a.country < b.country ? -1 : 1))) {
    yield* listLines(list, service, catalog)
  }
}

/** Adds a row to its list; returns the problem if it is invalid. */
function addRow(
  lists: Map<string, TopList>,
  cells: readonly (string | undefined)[],
  line: number,
): FeedLine | undefined {
  const [code = '', week = '', category = '', rankText, title = ''] = cells
  const [country, rank] = [parseCountry(code), Number(rankText)]
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

/**
 * The list as show ids, with a note for each title that matches no show or several. Where those are most of the list, what
 * looks like its first places is not: a note says which ranks the others have.
 */
function* listLines({ country, showType, entries }: TopList, service: string, catalog: Catalog): Generator<FeedLine> {
  /** The best rank of each show. */
  const ranks = new Map<string, number>()
  const firstLine = entries[0]?.line ?? 1
  if (!hasOffers(catalog, service, country)) {
    const detail = `The list of ${country}: the catalog has nothing on ${service} there`
    yield { line: firstLine, note: 'left_out', detail }
    return
  }
  for (const { line, rank, title } of entries.toSorted((a, b) => a.rank - b.rank)) {
    const found = findShowsByTitle(catalog, title, { country, service, showType })
    // Several seasons of one series may be ranked: the series takes the best rank.
    if (found.length === 1) ranks.set(found[0] as string, Math.min(ranks.get(found[0] as string) ?? rank, rank))
    else if (found.length === 0) {
      yield { line, note: 'unknown_show', detail: `No ${showType} on ${service} in ${country} is called "${title}"` }
    } else {
      const detail = `"${title}" may be any of the shows ${found.slice(0, 10).join(', ')} on ${service} in ${country}`
      yield { line, note: 'ambiguous_title', detail }
    }
  }
  const titles = new Set(entries.map(({ title }) => title)).size
  if (ranks.size < titles / 2) {
    const known = ranks.size === 0 ? '' : `; they have the ranks ${[...ranks.values()].join(', ')}`
    const detail = `The list of ${showType === 'movie' ? 'movies' : 'series'} in ${country}: ${ranks.size} of ${titles} titles are known${known}`
    yield { line: firstLine, note: 'incomplete_top_list', detail }
  }
  const top = { kind: 'top', country, service, showType, shows: [...ranks.keys()] }
  yield { line: firstLine, text: JSON.stringify(top) }
}

/** The shows among which a title is resolved. */
interface TitleScope {
  readonly country: string
  readonly service: string
  readonly showType: ShowType
}

/** The ids of the matching shows: equal title in any language, ignoring case, accents and punctuation. */
function findShowsByTitle(catalog: Catalog, title: string, { country, service, showType }: TitleScope): string[] {
  const version = catalog.version()
  const offered = catalog.docsWithTerm(term.service(country, service), version)
  const ids = new Set<string>()
  for (const variant of titleVariants(title)) {
    for (const doc of catalog.docsWithTerm(term.titleEqual(variant), version).toArray()) {
      const facts = offered.has(doc) ? catalog.facts(doc) : undefined
      if (facts?.showType === showType) ids.add(facts.id)
    }
  }
  return [...ids]
}

/** Whether a service has any show in a country. */
function hasOffers(catalog: Catalog, service: string, country: string): boolean {
  return catalog.docsWithTerm(term.service(country, service), catalog.version()).size > 0
}
