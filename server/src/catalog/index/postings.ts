import type { Database } from 'lmdb'
import {
  addNumbers,
  type Bitset,
  copyBits,
  countCommon,
  hasBit,
  intersect,
  intersectNumbers,
  listBits,
  retainCommon,
  retainIn,
  subtract,
  subtractNumbers,
  unite,
  wordCount,
} from '../../lib/bitset/bitset.ts'
import { GenerationalCache, type MeteredCache } from '../../lib/cache.ts'
import { decodeStored, type UpdatableTable } from '../storage/environment.ts'
import {
  type DocSet,
  decodeDocList,
  decodeDocSet,
  docSetBytes,
  docSetVersion,
  EMPTY_SET,
  encodeDocList,
  encodeDocSet,
  MAX_LIST_SIZE,
  RoaringBitmap32,
} from './doc-set.ts'

/** Sorts after every term that continues a prefix. */
const MAX_CODE_POINT = '\u{10ffff}'

/** A decoded posting list, with the newest catalog version at which it was seen to be current. */
interface CachedPosting<T> {
  readonly changedAt: number
  checkedAt: number
  readonly decoded: T
}

/** The inverted index: for each term its posting list, the set of documents that have it. */
export class Postings {
  private readonly table: Database<Buffer, string>
  private readonly sets = new GenerationalCache<string, CachedPosting<DocSet>>({
    name: 'postings',
    maxBytes: 80 * 1024 * 1024,
    sizeOf: ({ decoded }) => docSetBytes(decoded),
  })
  private readonly lists = new GenerationalCache<string, CachedPosting<PostingList>>({
    name: 'posting_lists',
    maxBytes: 96 * 1024 * 1024,
    sizeOf: ({ decoded }, term) => 2 * term.length + decoded.bytes,
  })

  constructor(table: Database<Buffer, string>) {
    this.table = table
  }

  caches(): readonly MeteredCache[] {
    return [this.sets, this.lists]
  }

  /** The documents that have the term, as of the given catalog version. The set is frozen. */
  get(term: string, version: number): DocSet {
    return this.lookUp(this.sets, term, version, decodeFrozenSet) ?? EMPTY_SET
  }

  /** The documents that have the term, as a list to test documents with and to combine with others. */
  list(term: string, version: number): PostingList {
    return this.lookUp(this.lists, term, version, PostingList.decode) ?? PostingList.EMPTY
  }

  private lookUp<T>(
    cache: GenerationalCache<string, CachedPosting<T>>,
    term: string,
    version: number,
    decode: (stored: Buffer) => T,
  ): T | undefined {
    const cached = cache.get(term)
    if (cached !== undefined && cached.checkedAt === version) return cached.decoded
    const stored = this.table.getBinaryFast(term) as Buffer | undefined
    if (stored === undefined) return undefined
    const changedAt = docSetVersion(stored)
    if (cached !== undefined && cached.changedAt === changedAt) {
      cached.checkedAt = version
      return cached.decoded
    }
    const decoded = decodeStored(
      'postings',
      () => `the posting list of ${term}`,
      () => decode(stored),
    )
    cache.set(term, { changedAt, checkedAt: version, decoded })
    return decoded
  }

  /** The posting lists of the terms with the prefix, in order of the terms; undefined if there are more than the limit. */
  listsWithPrefix(prefix: string, maxTerms: number): PostingList[] | undefined {
    return this.listsBetween(prefix, prefix, maxTerms)
  }

  /** The same of the terms from a first prefix up to those with a last one. */
  listsBetween(first: string, last: string, maxTerms: number): PostingList[] | undefined {
    const lists: PostingList[] = []
    for (const { value } of this.table.getRange({
      start: first,
      end: last + MAX_CODE_POINT,
      limit: maxTerms + 1,
    })) {
      lists.push(PostingList.decode(value as Buffer))
    }
    return lists.length > maxTerms ? undefined : lists
  }

  /** Whether any document has the term. */
  has(term: string): boolean {
    return this.table.doesExist(term)
  }

  /** The documents that have any term with the prefix. */
  docsWithPrefix(prefix: string): DocSet {
    const sets: DocSet[] = []
    for (const { value } of this.table.getRange({ start: prefix, end: prefix + MAX_CODE_POINT })) {
      sets.push(decodeDocSet(value as Buffer))
    }
    return sets.length === 1 ? (sets[0] as DocSet) : RoaringBitmap32.orMany(sets)
  }

  /** The terms with the prefix, in order. */
  *termsWithPrefix(prefix: string, limit?: number): Iterable<string> {
    yield* this.table.getKeys({ start: prefix, end: prefix + MAX_CODE_POINT, ...(limit !== undefined && { limit }) })
  }

  /**
   * A page of the terms with a prefix: the posting lists with more than one document, and the last term of the page, after
   * which the next one starts; undefined at the end. For scans of the whole index, which would only fill the cache.
   */
  sharedTerms(prefix: string, after: string | undefined, limit: number): { lists: number[][]; last?: string } {
    const lists: number[][] = []
    let last: string | undefined
    let terms = 0
    const range = { start: after ?? prefix, end: prefix + MAX_CODE_POINT, exclusiveStart: after !== undefined, limit }
    for (const { key, value } of this.table.getRange(range)) {
      terms++
      last = key
      const docs = decodeDocList(value as Buffer) ?? decodeDocSet(value as Buffer).toArray()
      if (docs.length > 1) lists.push([...docs])
    }
    return { lists, ...(terms === limit && last !== undefined && { last }) }
  }

  /** Clears the cache. A transaction that was rolled back may have left its sets in it. */
  invalidate(): void {
    this.sets.clear()
    this.lists.clear()
  }
}

/**
 * Removes documents from a term's posting list and adds others. Only within a write transaction. Returns 1 if the term is
 * new, -1 if it was deleted with its last document, else 0.
 */
export function updatePostingList(
  table: UpdatableTable<Buffer>,
  term: string,
  removed: readonly number[],
  added: Uint32Array,
  version: number,
): -1 | 0 | 1 {
  const stored = table.getBinaryFast(term) as Buffer | undefined
  if (removed.length === 0 && added.length <= MAX_LIST_SIZE) {
    // Most terms are new and have few documents: a list does without a bitmap.
    const list = stored === undefined ? [] : decodeDocList(stored)
    if (list !== undefined && list.length + added.length <= MAX_LIST_SIZE) {
      for (let i = 0; i < added.length; i++) {
        const doc = added[i] as number
        if (!list.includes(doc)) list.push(doc)
      }
      table.putSync(term, encodeDocList(list, version))
      return stored === undefined ? 1 : 0
    }
  }
  const set = stored === undefined ? new RoaringBitmap32() : decodeDocSet(stored)
  const sizeBefore = set.size
  for (const doc of removed) set.delete(doc)
  set.addMany(added)
  if (set.size === 0) {
    if (sizeBefore > 0) table.removeSync(term)
    return sizeBefore > 0 ? -1 : 0
  }
  table.putSync(term, encodeDocSet(set, version))
  return sizeBefore === 0 ? 1 : 0
}

function decodeFrozenSet(stored: Buffer): DocSet {
  const set = decodeDocSet(stored)
  set.freeze()
  return set
}

/** A smaller list is never kept as a bitset. */
const MIN_DENSE_SIZE = 1024

/** A list with more than one document in so many is kept as a bitset: that is combined faster, and up to one in 32 it is smaller, too. */
const DOCS_PER_DENSE = 128

const NO_DOCS = new Uint32Array(0)

/** Whether that many documents, up to a highest one, are kept as a bitset. */
function isDense(size: number, maxDoc: number): boolean {
  return size >= MIN_DENSE_SIZE && size * DOCS_PER_DENSE > maxDoc
}

/**
 * A posting list for filters and for scoring: sorted document numbers, or a flat bitset where it is dense. Reading either needs no native
 * call, which costs more than the work on a short list.
 */
export class PostingList {
  static readonly EMPTY = new PostingList(0, NO_DOCS)

  readonly size: number
  /** The documents in ascending order; undefined if the list is dense. */
  readonly docs: Uint32Array | undefined
  /** The documents as a set; undefined if the list is not dense. Not to be altered. */
  readonly bits: Bitset | undefined

  private constructor(size: number, docs: Uint32Array | undefined, bits?: Bitset) {
    this.size = size
    this.docs = docs
    this.bits = bits
  }

  /** A list of numbers in ascending order. */
  static from(numbers: Uint32Array): PostingList {
    const { length } = numbers
    const maxDoc = numbers.at(-1) ?? 0
    if (!isDense(length, maxDoc)) return new PostingList(length, numbers)
    const bits = new Uint32Array(wordCount(maxDoc + 1))
    addNumbers(bits, numbers)
    return new PostingList(length, undefined, bits)
  }

  /** Decodes a stored posting list. The containers of a dense one are copied as they are, without listing their documents. */
  static decode(stored: Buffer): PostingList {
    const list = decodeDocList(stored)
    if (list !== undefined) return PostingList.from(new Uint32Array(list))
    const set = decodeDocSet(stored)
    return isDense(set.size, set.maximum())
      ? new PostingList(set.size, undefined, set.toBitset())
      : new PostingList(set.size, set.toUint32Array())
  }

  /** All documents are below it. */
  get end(): number {
    return this.docs === undefined ? 32 * (this.bits as Bitset).length : (this.docs.at(-1) ?? -1) + 1
  }

  has(doc: number): boolean {
    if (this.bits !== undefined) return hasBit(this.bits, doc)
    const docs = this.docs as Uint32Array
    let low = 0
    let high = docs.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((docs[middle] as number) < doc) low = middle + 1
      else high = middle
    }
    return docs[low] === doc
  }

  /** All documents in ascending order. Decodes a dense list. */
  toDocs(): Uint32Array {
    return this.docs ?? listBits(this.bits as Bitset, this.size)
  }

  /** Adds the documents to a set of none, which has room for them. */
  copyTo(bits: Bitset): void {
    if (this.bits === undefined) this.addTo(bits)
    else copyBits(bits, this.bits)
  }

  /** Adds the documents to a set, which has room for them. */
  addTo(bits: Bitset): void {
    if (this.bits === undefined) addNumbers(bits, this.docs as Uint32Array)
    else unite(bits, this.bits)
  }

  /** Removes all other documents from a set. */
  intersect(bits: Bitset): void {
    if (this.bits === undefined) intersectNumbers(bits, this.docs as Uint32Array)
    else intersect(bits, this.bits)
  }

  /** Removes the documents from a set. */
  subtract(bits: Bitset): void {
    if (this.bits === undefined) subtractNumbers(bits, this.docs as Uint32Array)
    else subtract(bits, this.bits)
  }

  /** Moves those of the first `count` documents of an ascending list that are in this one to its start; returns how many they are. */
  retain(docs: Uint32Array, count: number): number {
    return this.bits === undefined
      ? retainCommon(docs, count, this.docs as Uint32Array)
      : retainIn(this.bits, docs, count)
  }

  /** How many of the documents are in a set. */
  countIn(bits: Bitset): number {
    if (this.bits !== undefined) return countCommon(bits, this.bits)
    const docs = this.docs as Uint32Array
    let count = 0
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number
      count += ((bits[doc >>> 5] as number) >>> (doc & 31)) & 1
    }
    return count
  }

  /** The memory that the list takes, about. */
  get bytes(): number {
    return 160 + (this.docs ?? (this.bits as Uint32Array)).byteLength
  }
}
