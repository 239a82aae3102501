import type { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import { BlockStore, type BlockTables } from './block-store.ts'
import type { BlockFormat } from './block-table.ts'

/** What a column is sorted by: a number, or a text in the byte order of its UTF-8 form. */
export type SortValue = number | string

/** An entry of a column: a document under its value and its show's id. */
export interface ColumnEntry {
  readonly value: SortValue
  readonly id: number
  readonly doc: number
}

/** The order of a column: by value, then by show id. */
export type SortKey = Pick<ColumnEntry, 'value' | 'id'>

/** A block of entries in key order, as parallel arrays. */
export interface ColumnBlock {
  readonly values: readonly SortValue[] | Float64Array
  readonly ids: Float64Array
  readonly docs: Uint32Array
}

/** Columns on disk: for each sort order all documents that have a value in it, sorted. */
export type ColumnStore = BlockStore<SortKey, ColumnEntry, ColumnBlock>

const MEBIBYTE = 1024 * 1024

export function createColumnStore(tables: BlockTables): ColumnStore {
  const cache = { name: 'column', blockBytes: 16 * MEBIBYTE, directoryBytes: 32 * MEBIBYTE }
  return new BlockStore(columnFormat, tables, cache)
}

/** Compares texts by the byte order of their UTF-8 form, which is the order of code points. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    // Surrogates stand for code points beyond U+FFFF, which sort after all others.
    const xSurrogate = x >= 0xd800 && x <= 0xdfff
    const ySurrogate = y >= 0xd800 && y <= 0xdfff
    return xSurrogate === ySurrogate ? x - y : xSurrogate ? 1 : -1
  }
  return a.length - b.length
}

export function compareSortValues(a: SortValue, b: SortValue): number {
  return typeof a === 'number' ? a - (b as number) : compareUtf8(a, b as string)
}

export function compareSortKeys(a: SortKey, b: SortKey): number {
  return compareSortValues(a.value, b.value) || a.id - b.id
}

/** Compares keys in a direction. Equal values come by ascending show id in both. */
export function compareInDirection(direction: 'asc' | 'desc'): (a: SortKey, b: SortKey) => number {
  const sign = direction === 'asc' ? 1 : -1
  return (a, b) => sign * compareSortValues(a.value, b.value) || a.id - b.id
}

/*
 * A block on disk, which `server/kernels/columns.ts` reads, too: a byte for the type of its values, the count of entries (varint), then
 *   values  text: length-prefixed; number: float64; non-negative integer: difference to the one before (varint)
 *   varint  show id and document of each entry
 * A key on disk is the type byte, the value (a number always as float64), and the show id (varint).
 */
const TEXTS = 0
const INTEGERS = 1
const NUMBERS = 2

const columnFormat: BlockFormat<SortKey, ColumnEntry, ColumnBlock> = {
  compare: compareSortKeys,
  count: ({ docs }) => docs.length,
  first: ({ values, ids }) => ({ value: values[0] as SortValue, id: ids[0] as number }),
  entries: ({ values, ids, docs }) =>
    Array.from(docs, (doc, i) => ({ value: values[i] as SortValue, id: ids[i] as number, doc })),
  estimateBytes: ({ docs, values }) => 200 + docs.length * (values instanceof Float64Array ? 20 : 80),
  lowerBound,
  merge,
  slice,
  maxDeltaEntries: 32,
  encode,
  decode,
  encodeKey(out, { value, id }) {
    if (typeof value === 'string') {
      out.byte(TEXTS)
      out.sizedText(value)
    } else {
      out.byte(NUMBERS)
      out.float64(value)
    }
    out.varint(id)
  },
  decodeKey(input) {
    const value = input.byte() === TEXTS ? input.sizedText() : input.float64()
    return { value, id: input.varint() }
  },
}

const EMPTY_BLOCK: ColumnBlock = { values: [], ids: new Float64Array(0), docs: new Uint32Array(0) }

function merge(
  block: ColumnBlock = EMPTY_BLOCK,
  removed: readonly SortKey[],
  added: readonly ColumnEntry[],
): ColumnBlock {
  const capacity = block.docs.length + added.length
  const isText = typeof (block.values[0] ?? added[0]?.value) === 'string'
  const values = isText ? new Array<SortValue>(capacity) : new Float64Array(capacity)
  const ids = new Float64Array(capacity)
  const docs = new Uint32Array(capacity)
  let count = 0
  let from = 0
  const copyUpTo = (end: number) => {
    for (; from < end; from++, count++) {
      values[count] = block.values[from] as never
      ids[count] = block.ids[from] as number
      docs[count] = block.docs[from] as number
    }
  }
  let r = 0
  for (let a = 0; a < added.length || r < removed.length; ) {
    const entry = added[a]
    const removedKey = removed[r]
    const removes = removedKey !== undefined && (entry === undefined || compareSortKeys(removedKey, entry) <= 0)
    const key = removes ? removedKey : (entry as ColumnEntry)
    copyUpTo(lowerBound(block, key, from))
    // Skips the entry with this key: it is removed or replaced.
    if (from < block.docs.length && compareEntry(block, from, key) === 0) from++
    if (removes) r++
    else {
      const { value, id, doc } = entry as ColumnEntry
      values[count] = value as never
      ids[count] = id
      docs[count++] = doc
      a++
    }
  }
  copyUpTo(block.docs.length)
  const merged = { values, ids, docs }
  return count === capacity ? merged : slice(merged, 0, count)
}

function compareEntry({ values, ids }: ColumnBlock, index: number, { value, id }: SortKey): number {
  return compareSortValues(values[index] as SortValue, value) || (ids[index] as number) - id
}

/** The index of the first entry, from an index on, that is not before a key. */
function lowerBound(block: ColumnBlock, key: SortKey, from = 0): number {
  let low = from
  let high = block.docs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareEntry(block, middle, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function slice({ values, ids, docs }: ColumnBlock, start: number, end: number): ColumnBlock {
  return { values: values.slice(start, end), ids: ids.slice(start, end), docs: docs.slice(start, end) }
}

function encode(out: ByteWriter, { values, ids, docs }: ColumnBlock): void {
  const type =
    typeof values[0] === 'string' ? TEXTS : areNonNegativeIntegers(values as Float64Array) ? INTEGERS : NUMBERS
  out.byte(type)
  out.varint(docs.length)
  let previous = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as SortValue
    if (type === TEXTS) out.sizedText(value as string)
    else if (type === NUMBERS) out.float64(value as number)
    else {
      out.varint((value as number) - previous)
      previous = value as number
    }
  }
  for (let i = 0; i < docs.length; i++) {
    out.varint(ids[i] as number)
    out.varint(docs[i] as number)
  }
}

function areNonNegativeIntegers(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (!Number.isSafeInteger(value) || value < 0) return false
  }
  return true
}

function decode(input: ByteReader): ColumnBlock {
  const type = input.byte()
  const count = input.varint()
  let values: string[] | Float64Array
  if (type === TEXTS) {
    values = input.sizedTexts(count)
  } else {
    values = new Float64Array(count)
    let previous = 0
    for (let i = 0; i < count; i++) {
      previous = type === NUMBERS ? input.float64() : previous + input.varint()
      values[i] = previous
    }
  }
  const ids = new Float64Array(count)
  const docs = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    ids[i] = input.varint()
    docs[i] = input.varint()
  }
  return { values, ids, docs }
}
