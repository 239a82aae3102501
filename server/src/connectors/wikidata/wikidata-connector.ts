import type { ReadStream } from 'node:fs'
import type { Catalog } from '../../catalog/catalog.ts'
import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { isImdbId, isTmdbId, type Show } from '../../model/show.ts'
import type { Connector } from '../connector.ts'
import { listAliases } from '../records/names.ts'
import { ExternalSort, MAX_GROUP_LENGTH, ScratchFolder } from '../streams/external-sort.ts'
import { readAnyJsonList } from '../streams/json-list-reader.ts'
import { openFileFeed } from '../streams/source-files.ts'

/** Results of queries to Wikidata: ids and alternative titles of shows that the catalog has. */
export const openWikidata: Connector['open'] = (path, _, { catalog }) =>
  openFileFeed(path, (stream) => readQueryResult(stream, catalog))

/**
 * Converts a query result into a native feed. The rows of an item are joined by sorting on disk, since a result has a
 * row for each combination of its values, in any order.
 */
async function* readQueryResult(stream: ReadStream, catalog: Catalog): AsyncGenerator<FeedLine> {
  yield { line: 1, text: JSON.stringify({ kind: 'feed', source: 'wikidata', mode: 'delta' }) }
  const scratch = new ScratchFolder()
  try {
    const rows = new ExternalSort(scratch)
    for await (const part of readAnyJsonList(stream, ['bindings'], 'results')) {
      if ('problem' in part) yield part.problem
      else if ('element' in part) {
        const facts = isObject(part.element) ? readBinding(part.element) : undefined
        if (facts !== undefined) rows.add(facts.item, JSON.stringify({ line: part.line, ...facts }))
        else {
          const detail = 'the row has no item of Wikidata, such as http://www.wikidata.org/entity/Q1079'
          yield { line: part.line, problem: 'unreadable_line', detail }
        }
      } else if ('end' in part && !part.sawList) {
        const detail = 'the JSON has no rows: a query result has them in "results"."bindings", or is an array of rows'
        yield { line: part.line, problem: 'unreadable_line', detail }
      }
    }
    yield* joinItems(rows, catalog)
  } finally {
    scratch.remove()
  }
}

function* joinItems(rows: ExternalSort, catalog: Catalog): Generator<FeedLine> {
  let unknown = 0
  for (const { key, texts, size } of rows.groups()) {
    const parts = texts.map((text) => JSON.parse(text) as ItemFacts & { readonly line: number })
    const line = parts[0]?.line ?? 1
    if (size > MAX_GROUP_LENGTH) {
      const detail = `${key} has ${size} letters in its rows, at most ${MAX_GROUP_LENGTH} are read`
      yield { line, problem: 'line_too_long', detail }
      continue
    }
    const joined = toLines(line, mergeFacts(key, parts), catalog)
    if (joined.length === 0) unknown++
    yield* joined
  }
  if (unknown > 0) {
    const detail = `items that the catalog has under none of their IMDb and TMDB ids: ${unknown}`
    yield { line: 1, note: 'left_out', detail }
  }
}

function mergeFacts(item: string, parts: readonly ItemFacts[]): ItemFacts {
  const merge = (list: (facts: ItemFacts) => readonly string[]) => [...new Set(parts.flatMap(list))]
  return {
    item,
    imdbIds: merge(({ imdbIds }) => imdbIds),
    tmdbIds: merge(({ tmdbIds }) => tmdbIds),
    titles: merge(({ titles }) => titles),
  }
}

/** The record of an item, with notes on ids that are not used; nothing if the catalog does not have it. */
function toLines(line: number, { item, imdbIds, tmdbIds, titles }: ItemFacts, catalog: Catalog): FeedLine[] {
  const known = [...imdbIds, ...tmdbIds].map((id) => findShow(catalog, id)).find((show) => show !== undefined)
  if (known === undefined) return []
  const lines: FeedLine[] = []
  const pick = (ids: readonly string[], own: string): string | undefined => {
    if (ids.length === 0 || ids.includes(own)) return own === '' ? undefined : own
    if (own === '' && ids.length === 1) return ids[0]
    const problem =
      own === ''
        ? 'Wikidata has several ids of one show, so none is used'
        : `the catalog has ${own}, Wikidata another id`
    lines.push({ line, note: 'left_out', detail: `${problem}: ${ids.join(', ')}`, record: item })
    return own === '' ? undefined : own
  }
  const ownKind = tmdbIds.filter((id) => isTmdbId(id, known.showType))
  const [imdbId, tmdbId] = [pick(imdbIds, known.imdbId), pick(ownKind, known.tmdbId)]
  const record: JsonObject = {
    kind: 'show',
    partial: true,
    showType: known.showType,
    id: known.id,
    ...(imdbId !== undefined && { imdbId }),
    ...(tmdbId !== undefined && { tmdbId }),
    title: known.title,
    ...listAliases(titles, [known.title, known.originalTitle]),
  }
  return [...lines, { line, text: JSON.stringify(record) }]
}

function findShow(catalog: Catalog, id: string): Show | undefined {
  const doc = catalog.findDoc(id)
  const show = doc === undefined ? undefined : catalog.show(doc)
  return show?.deleted === true ? undefined : show
}

/** What a row of a query result says of an item. */
export interface ItemFacts {
  /** The id of the item: `Q1079`. */
  readonly item: string
  readonly imdbIds: readonly string[]
  readonly tmdbIds: readonly string[]
  readonly titles: readonly string[]
}

/** Names of variables, in lower case. The numbers are the properties of Wikidata. */
const IMDB_VARIABLE = /imdb|^p345$/
const TMDB_MOVIE_VARIABLE = /tmdb.*(movie|film)|^p4947$/
const TMDB_SERIES_VARIABLE = /tmdb.*(tv|series|show)|^p4983$/
/** Variables of text. Descriptions are sentences, not titles. */
const TITLE_VARIABLE = /title|label|alias|name/
const DESCRIPTION_VARIABLE = /description$/

/**
 * Reads a row: in the verbose form, where values are objects with a type, or in the plain form, where they are texts.
 * Undefined if no value is an item of Wikidata.
 */
export function readBinding(row: JsonObject): ItemFacts | undefined {
  const facts = { imdbIds: [] as string[], tmdbIds: [] as string[], titles: [] as string[] }
  let item: string | undefined
  for (const [variable, cell] of Object.entries(row)) {
    const name = variable.toLowerCase()
    const value = readValue(cell)
    if (value === undefined) continue
    const entity = /^https?:\/\/www\.wikidata\.org\/(?:entity|wiki)\/(Q\d{1,12})$/.exec(value)?.[1]
    if (entity !== undefined) item ??= entity
    else if (IMDB_VARIABLE.test(name)) facts.imdbIds.push(value)
    else if (TMDB_MOVIE_VARIABLE.test(name)) facts.tmdbIds.push(`movie/${value}`)
    else if (TMDB_SERIES_VARIABLE.test(name)) facts.tmdbIds.push(`tv/${value}`)
    // The label service has the id of an item without a label in its place.
    else if (isTitle(name, cell) && !/^Q\d+$/.test(value)) facts.titles.push(value)
  }
  if (item === undefined) return undefined
  return {
    item,
    imdbIds: facts.imdbIds.filter(isImdbId),
    tmdbIds: facts.tmdbIds.filter((id) => isTmdbId(id)),
    titles: facts.titles,
  }
}

function readValue(cell: unknown): string | undefined {
  const value = isObject(cell) ? cell.value : cell
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Whether a value is a title: a text with a language, or the value of a variable that is named so. */
function isTitle(variable: string, cell: unknown): boolean {
  if (DESCRIPTION_VARIABLE.test(variable)) return false
  return (isObject(cell) && 'xml:lang' in cell) || TITLE_VARIABLE.test(variable)
}
