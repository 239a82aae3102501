import type { Readable } from 'node:stream'
import { type FeedLine, MAX_LINE_BYTES } from '../../ingest/lines/feed-lines.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import type { LocalText } from '../records/locales.ts'
import { toText } from '../records/values.ts'
import { readAnyJsonList } from '../streams/json-list-reader.ts'

/** The values of a JSON-LD property, which may be a single value, a list, or missing. */
export function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
}

/** The values of a property that are objects. */
export function toObjects(value: unknown): readonly JsonObject[] {
  return toArray(value).filter(isObject)
}

/** The local name of a term that may be a full IRI: `Movie` of `http://schema.org/Movie`. */
export function shortName(value: unknown): string {
  return toText(value).replace(/^.*[/#]/, '')
}

/** Whether one of the types of a node is the given one. */
export function hasType(value: JsonObject, type: string): boolean {
  return toArray(value['@type']).some((term) => shortName(term) === type)
}

/** The names in a property whose values are texts or nodes with a name. */
export function readNames(value: unknown): string[] {
  return toArray(value).flatMap((item) => {
    const name = isObject(item) ? (item.name ?? item['@value']) : item
    return typeof name === 'string' && name.trim() !== '' ? [name.trim()] : []
  })
}

/** The texts of a property with their languages, if they are tagged. */
export function readLocalTexts(value: unknown): LocalText[] {
  return toArray(value).flatMap((item): LocalText[] => {
    if (typeof item === 'string') return [{ language: undefined, text: item.trim() }]
    if (!isObject(item) || typeof item['@value'] !== 'string') return []
    const language = item['@language']
    return [{ language: typeof language === 'string' ? language : undefined, text: item['@value'].trim() }]
  })
}

/**
 * The `@id` of a node that is embedded, referenced, or given by its id alone. A trailing slash is dropped, since feeds
 * write the same id with and without one.
 */
export function readId(value: unknown): string | undefined {
  const [first] = toArray(value)
  const id = isObject(first) ? first['@id'] : first
  if (typeof id !== 'string' || id.trim() === '') return undefined
  return id
    .trim()
    .replace(/[\t\n\r]/g, ' ')
    .replace(/(?<=[^/])\/+$/, '')
}

/** Parses a number that may be a text. */
export function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Whether a value is the address of a web page or an image. An address without a protocol is none. */
export function isWebLink(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/[^/]/i.test(value)
}

/** An entity of a feed, or a problem in its place. An entity that is no object is a fault of the feed. */
export type FeedEntity =
  | { readonly line: number; readonly entity: unknown }
  | { readonly line: number; readonly problem: FeedLine }

/** Members of an envelope that hold the entities. */
const ELEMENT_LISTS = ['dataFeedElement', '@graph']

/** Types of nodes that wrap an entity in their member `item`. */
const WRAPPERS = ['DataFeedItem', 'ListItem']

/** The number of member names that a message lists. */
const MAX_LISTED = 10

/**
 * Streams the entities of a feed out of their envelope: a DataFeed, a graph, a plain array, one entity alone, or several
 * of them after each other. A list that is a single object counts as a list of one.
 */
export async function* readEntities(source: Readable): AsyncGenerator<FeedEntity> {
  let members: Record<string, unknown> = {}
  let bytes = 0
  for await (const part of readAnyJsonList(source, ELEMENT_LISTS)) {
    if ('problem' in part) yield part
    else if ('element' in part) yield* unwrap(part.element, part.line)
    else if ('member' in part) {
      bytes += part.bytes
      if (bytes <= MAX_LINE_BYTES) members[part.member] = part.value
    } else {
      if (!part.sawList) yield* readSingle(members, bytes, part.line)
      members = {}
      bytes = 0
    }
  }
}

/** The entities of an object without a list: it is an entity itself, has a single one, or is of an unknown form. */
function* readSingle(members: JsonObject, bytes: number, line: number): Generator<FeedEntity> {
  const isEnvelope = ELEMENT_LISTS.some((name) => members[name] !== undefined)
  if (isEnvelope || ('@type' in members && !hasType(members, 'DataFeed'))) {
    if (bytes <= MAX_LINE_BYTES) yield* unwrap(members, line)
    else {
      const detail = `${bytes} bytes in one entity, at most ${MAX_LINE_BYTES} are read`
      yield { line, problem: { line, problem: 'line_too_long', detail } }
    }
    return
  }
  const names = Object.keys(members).slice(0, MAX_LISTED)
  const found =
    names.length === 0 ? 'no members' : `the members ${names.map((name) => JSON.stringify(name)).join(', ')}`
  const detail =
    `the envelope is unknown: an object with ${found}; a Media Actions feed has its entities in "dataFeedElement" or ` +
    '"@graph", or is an array of entities, or one entity with an "@type"'
  yield { line, problem: { line, problem: 'unreadable_line', detail } }
}

/** The entities inside a node that may be an envelope or a wrapper. */
function* unwrap(node: unknown, line: number): Generator<FeedEntity> {
  if (!isObject(node)) yield { line, entity: node }
  else {
    const inner = ELEMENT_LISTS.flatMap((name) => toArray(node[name]))
    const items = WRAPPERS.some((type) => hasType(node, type)) ? [...inner, ...toArray(node.item)] : inner
    if (items.length === 0) yield { line, entity: node }
    for (const item of items) yield* unwrap(item, line)
  }
}
