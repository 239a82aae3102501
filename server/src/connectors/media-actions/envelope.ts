import type { Readable } from 'node:stream'
import { type FeedLine, MAX_LINE_BYTES } from '../../ingest/parse/feed-lines.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { readAnyJsonList } from '../streams/json-list-reader.ts'
import { hasType, toArray } from './json-ld.ts'

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
