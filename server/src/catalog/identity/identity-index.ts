import type { Database } from 'lmdb'
import { hashText } from '../../lib/text/hash-text.ts'
import type { RecordLinks } from '../../model/identity.ts'
import type { Show } from '../../model/show.ts'
import { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import { type FoldedTitle, foldTitle, toSkeleton } from './folded-title.ts'

/** The tables of the index. A reader of an older catalog does not have them. */
export interface IdentityTables {
  /** Source and key of a record to the document that it is linked to. */
  readonly recordKeys: Database<number, string> | undefined
  /** Title key to documents. */
  readonly titleKeys: Database<Buffer, number> | undefined
}

/** Raise it when title keys are made in another way: the index is then built anew from the documents. */
export const IDENTITY_INDEX_VERSION = 3

/**
 * Finds shows by the records that they are linked to, and by titles that may mean the same. It is derived from the
 * documents and local to this copy of the catalog. Title keys are buffered and written once a transaction; look-ups see
 * what is buffered.
 */
export class IdentityIndex {
  private readonly tables: IdentityTables
  private added = new Map<number, number[]>()
  private removed = new Map<number, number[]>()
  private readonly out = new ByteWriter(256)

  constructor(tables: IdentityTables) {
    this.tables = tables
  }

  /** The document that a record of a source is linked to. A key that is the show's own id is not in the index. */
  findRecord(source: string, key: string): number | undefined {
    return this.tables.recordKeys?.get(recordKey(source, key))
  }

  /** The documents with any of the title keys, in ascending order. */
  findTitles(keys: Iterable<number>): number[] {
    const docs = new Set<number>()
    for (const key of keys) for (const doc of this.docs(key)) docs.add(doc)
    return docs.size < 2 ? [...docs] : [...docs].sort((a, b) => a - b)
  }

  /** Replaces what the index has of a document. Only within a write transaction. */
  replace(doc: number, old: Show | undefined, show: Show): void {
    this.replaceRecords(doc, old, show)
    const after = showTitleKeys(show)
    if (old === undefined) {
      for (const key of after) push(this.added, key, doc)
      return
    }
    const before = showTitleKeys(old)
    for (const key of before) if (!after.has(key)) this.move(key, doc, this.added, this.removed)
    for (const key of after) if (!before.has(key)) this.move(key, doc, this.removed, this.added)
  }

  /** Writes the buffered title keys. Only within a write transaction. */
  flush(): void {
    const { titleKeys } = this.tables
    if (titleKeys === undefined) return
    // LMDB inserts ascending keys fastest.
    const keys = Uint32Array.from(new Set([...this.added.keys(), ...this.removed.keys()])).sort()
    for (const key of keys) {
      const docs = this.docs(key)
      if (docs.length === 0) titleKeys.removeSync(key)
      else titleKeys.putSync(key, this.encode(docs))
    }
    this.discard()
  }

  /** Drops what is buffered, after a flush or a transaction that was rolled back. */
  discard(): void {
    if (this.added.size > 0) this.added = new Map()
    if (this.removed.size > 0) this.removed = new Map()
  }

  /** Deletes everything, before it is built anew. Only within a write transaction. */
  clear(): void {
    this.discard()
    this.tables.recordKeys?.clearSync()
    this.tables.titleKeys?.clearSync()
  }

  private docs(key: number): number[] {
    const stored = this.tables.titleKeys?.getBinaryFast(key) as Buffer | undefined
    const docs = stored === undefined ? [] : decode(stored)
    const added = this.added.get(key)
    const removed = this.removed.get(key)
    if (added !== undefined) for (const doc of added) if (!docs.includes(doc)) docs.push(doc)
    return removed === undefined ? docs : docs.filter((doc) => !removed.includes(doc))
  }

  /** Undoes a buffered change of a key, or buffers the opposite one. */
  private move(key: number, doc: number, from: Map<number, number[]>, to: Map<number, number[]>): void {
    const buffered = from.get(key)
    const at = buffered?.indexOf(doc) ?? -1
    if (at >= 0) buffered?.splice(at, 1)
    push(to, key, doc)
  }

  private replaceRecords(doc: number, old: Show | undefined, show: Show): void {
    const { recordKeys } = this.tables
    if (recordKeys === undefined || (old?.records === undefined && show.records === undefined)) return
    const kept = indexedKeys(show)
    for (const key of old === undefined ? [] : indexedKeys(old)) {
      if (!kept.has(key) && recordKeys.get(key) === doc) recordKeys.removeSync(key)
    }
    for (const key of kept) if (recordKeys.get(key) !== doc) recordKeys.putSync(key, doc)
  }

  private encode(docs: number[]): Buffer {
    const out = this.out.reset()
    let previous = 0
    for (const doc of docs.sort((a, b) => a - b)) {
      out.varint(doc - previous)
      previous = doc
    }
    return out.view()
  }
}

/** The keys of a show's records in the table. The records of a merged show are those of the other one. */
function indexedKeys({ id, records, mergedInto }: Show): Set<string> {
  const keys = new Set<string>()
  if (records === undefined || mergedInto !== undefined) return keys
  for (const [source, links] of Object.entries(records as RecordLinks)) {
    for (const { key } of links) if (key !== id) keys.add(recordKey(source, key))
  }
  return keys
}

function recordKey(source: string, key: string): string {
  return `${source}\n${key}`
}

function push(lists: Map<number, number[]>, key: number, doc: number): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [doc])
  else list.push(doc)
}

function decode(stored: Buffer): number[] {
  const input = new ByteReader(stored)
  const docs: number[] = []
  let doc = 0
  while (!input.done) {
    doc += input.varint()
    docs.push(doc)
  }
  return docs
}

/** Skeletons shorter than this are shared by too many titles; the letters themselves are the key then. */
const MIN_SKELETON = 4
/** Subtitles shorter than this are too common to look a show up by. */
const MIN_TAIL = 8
const MIN_MAIN = 3

/**
 * The keys under which shows of similar titles are found: hashes of the skeletons of the title, its main title, its
 * subtitle and the title without a brand. Two titles that may mean the same work share a key; most that share one do not
 * mean the same, so whoever looks up compares the titles themselves.
 */
export function titleKeys(titles: Iterable<string>): Set<number> {
  const keys = new Set<number>()
  for (const title of titles) for (const key of foldedKeys(foldTitle(title))) keys.add(key)
  return keys
}

/** The keys of cached titles: an import needs those of a title several times. */
const keysByTitle = new WeakMap<readonly FoldedTitle[], ReadonlySet<number>>()

function foldedKeys(title: readonly FoldedTitle[]): ReadonlySet<number> {
  const known = keysByTitle.get(title)
  if (known !== undefined) return known
  const keys = new Set<number>()
  for (const folded of title) addKeys(folded, keys)
  keysByTitle.set(title, keys)
  return keys
}

/** What has titles: a show, or a record of one. */
export interface Titled {
  readonly title: string
  readonly originalTitle?: string
  readonly translations?: Readonly<Record<string, { readonly title: string }>>
  /** Alternative titles. */
  readonly aliases?: readonly string[]
}

/** All titles of a show or a record: its own, the original one, translated and alternative ones. */
export function allTitles({ title, originalTitle, translations = {}, aliases = [] }: Titled): Set<string> {
  const titles = new Set([title, ...aliases])
  if (originalTitle !== undefined) titles.add(originalTitle)
  for (const language in translations) titles.add((translations[language] as { title: string }).title)
  return titles
}

/** The title keys of a show; a deleted one has none. */
export function showTitleKeys(show: Show): Set<number> {
  return show.deleted === true ? new Set() : titleKeys(allTitles(show))
}

function addKeys({ full, main, tail, brandless, yearless }: FoldedTitle, keys: Set<number>): void {
  if (full !== '') keys.add(toKey(full))
  if (main.length >= MIN_MAIN) keys.add(toKey(main))
  if (tail.length >= MIN_TAIL) keys.add(toKey(tail))
  if (brandless !== '') keys.add(toKey(brandless))
  if (yearless !== '') keys.add(toKey(yearless))
}

function toKey(text: string): number {
  const skeleton = toSkeleton(text)
  return hashText(skeleton.length >= MIN_SKELETON ? skeleton : `=${text}`)
}
