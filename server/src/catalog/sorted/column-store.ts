import type { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import { type BlockFormat, BlockStore } from './block-store.ts'

/** What a column is sorted by: a number, or a text in the byte order of its UTF-8 form. */
export type SortValue = number | string

/** A document's place in a column: by value, then by show id. */
export interface ColumnEntry {
  readonly value: SortValue
  readonly id: number
  readonly doc: number
}

/** A place in a column, whether or not something stands there. */
export type SortKey = Pick<ColumnEntry, 'value' | 'id'>

/** A run of entries in order. */
export interface ColumnBlock {
  readonly values: readonly SortValue[] | Float64Array
  readonly ids: Float64Array
  readonly docs: Uint32Array
}

/** Sorted columns on disk. */
export type ColumnStore = BlockStore<SortKey, ColumnEntry, ColumnBlock>

export function createColumnStore(
  tables: ConstructorParameters<typeof BlockStore<SortKey, ColumnEntry, ColumnBlock>>[1],
): ColumnStore {
  return new BlockStore(columnFormat, tables, 64 * 1024 * 1024)
}

/** Compares texts by the byte order of their UTF-8 form, which is the order of code points. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    // Halves of characters beyond the basic plane come after all others.
    const xHigh = x >= 0xd800 && x <= 0xdfff
    const yHigh = y >= 0xd800 && y <= 0xdfff
    return xHigh === yHigh ? x - y : xHigh ? 1 : -1
  }
  return a.length - b.length
}

export function compareSortValues(a: SortValue, b: SortValue): number {
  return typeof a === 'number' ? a - (b as number) : compareUtf8(a, b as string)
}

export function compareSortKeys(a: SortKey, b: SortKey): number {
  return compareSortValues(a.value, b.value) || a.id - b.id
}

const TEXTS = 0
const WHOLE_NUMBERS = 1
const NUMBERS = 2

const columnFormat: BlockFormat<SortKey, ColumnEntry, ColumnBlock> = {
  compare: compareSortKeys,
  count: ({ docs }) => docs.length,
  first: ({ values, ids }) => ({ value: values[0] as SortValue, id: ids[0] as number }),
  entries: ({ values, ids, docs }) =>
    Array.from(docs, (doc, i) => ({ value: values[i] as SortValue, id: ids[i] as number, doc })),
  estimateBytes: ({ docs, values }) => 200 + docs.length * (values instanceof Float64Array ? 20 : 80),
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
  const most = block.docs.length + added.length
  const texts = typeof (block.values[0] ?? added[0]?.value) === 'string'
  const merged = {
    values: texts ? new Array<SortValue>(most) : new Float64Array(most),
    ids: new Float64Array(most),
    docs: new Uint32Array(most),
  }
  let count = 0
  let from = 0
  const copyUpTo = (end: number) => {
    copy(block.values, from, end, merged.values, count)
    copy(block.ids, from, end, merged.ids, count)
    copy(block.docs, from, end, merged.docs, count)
    count += end - from
    from = end
  }
  let r = 0
  for (let a = 0; a < added.length || r < removed.length; ) {
    const entry = added[a]
    const place = removed[r]
    const takesOut = place !== undefined && (entry === undefined || compareSortKeys(place, entry) <= 0)
    const position = takesOut ? place : (entry as ColumnEntry)
    copyUpTo(lowerBound(block, position, from))
    // What stands there already goes, be it taken out or replaced.
    if (from < block.docs.length && compareEntry(block, from, position) === 0) from++
    if (takesOut) r++
    else {
      const { value, id, doc } = entry as ColumnEntry
      merged.values[count] = value as never
      merged.ids[count] = id
      merged.docs[count++] = doc
      a++
    }
  }
  copyUpTo(block.docs.length)
  return count === most ? merged : slice(merged, 0, count)
}

type Numbers = Float64Array | Uint32Array

/** Copies a run; most runs are so short that a loop is quicker than a call into native code. */
function copy(
  source: readonly SortValue[] | Numbers,
  start: number,
  end: number,
  target: SortValue[] | Numbers,
  at: number,
): void {
  for (let i = start, to = at; i < end; i++, to++) target[to] = source[i] as never
}

/** How an entry of a block stands to a position. */
function compareEntry({ values, ids }: ColumnBlock, at: number, { value, id }: SortKey): number {
  return compareSortValues(values[at] as SortValue, value) || (ids[at] as number) - id
}

/** Where in a block the first entry stands that is not before a position. */
function lowerBound(block: ColumnBlock, position: SortKey, from: number): number {
  let low = from
  let high = block.docs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareEntry(block, middle, position) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function slice({ values, ids, docs }: ColumnBlock, start: number, end: number): ColumnBlock {
  return { values: values.slice(start, end), ids: ids.slice(start, end), docs: docs.slice(start, end) }
}

function encode(out: ByteWriter, { values, ids, docs }: ColumnBlock): void {
  const form =
    typeof values[0] === 'string' ? TEXTS : areNonNegativeIntegers(values as Float64Array) ? WHOLE_NUMBERS : NUMBERS
  out.byte(form)
  out.varint(docs.length)
  let previous = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as SortValue
    if (form === TEXTS) out.sizedText(value as string)
    else if (form === NUMBERS) out.float64(value as number)
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
  const form = input.byte()
  const count = input.varint()
  let values: string[] | Float64Array
  if (form === TEXTS) {
    values = Array.from({ length: count }, () => input.sizedText())
  } else {
    values = new Float64Array(count)
    let previous = 0
    for (let i = 0; i < count; i++) {
      previous = form === NUMBERS ? input.float64() : previous + input.varint()
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
