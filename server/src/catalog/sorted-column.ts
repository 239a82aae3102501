import type { ByteReader } from './codec/byte-reader.ts'
import type { ByteWriter } from './codec/byte-writer.ts'
import { type BlockFormat, runsOf, SortedBlocks } from './sorted-blocks.ts'

/** What a column is sorted by: a number, or a text in the byte order of its UTF-8 form. */
export type SortValue = number | string

/** A document's place in a column: by value, then by show id. */
export interface ColumnEntry {
  readonly value: SortValue
  readonly id: number
  readonly doc: number
}

/** A place in a column, whether or not something stands there. */
export type Position = Pick<ColumnEntry, 'value' | 'id'>

/** A run of entries in order. */
export interface ColumnBlock {
  readonly values: readonly SortValue[] | Float64Array
  readonly ids: Float64Array
  readonly docs: Uint32Array
}

/** Sorted columns on disk. */
export type SortedColumns = SortedBlocks<Position, ColumnEntry, ColumnBlock>

export function sortedColumns(
  tables: ConstructorParameters<typeof SortedBlocks<Position, ColumnEntry, ColumnBlock>>[1],
): SortedColumns {
  return new SortedBlocks(columnFormat, tables, 64 * 1024 * 1024)
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

export function compareValues(a: SortValue, b: SortValue): number {
  return typeof a === 'number' ? a - (b as number) : compareUtf8(a, b as string)
}

export function comparePositions(a: Position, b: Position): number {
  return compareValues(a.value, b.value) || a.id - b.id
}

const TEXTS = 0
const WHOLE_NUMBERS = 1
const NUMBERS = 2

const columnFormat: BlockFormat<Position, ColumnEntry, ColumnBlock> = {
  compare: comparePositions,
  count: ({ docs }) => docs.length,
  first: ({ values, ids }) => ({ value: values[0] as SortValue, id: ids[0] as number }),
  places: ({ values, ids }) => Array.from(ids, (id, i) => ({ value: values[i] as SortValue, id })),
  size: ({ docs, values }) => 200 + docs.length * (values instanceof Float64Array ? 20 : 80),
  merge,
  encode,
  decode,
  encodePlace(out, { value, id }) {
    if (typeof value === 'string') {
      out.byte(TEXTS)
      out.sizedText(value)
    } else {
      out.byte(NUMBERS)
      out.float64(value)
    }
    out.varint(id)
  },
  decodePlace(input) {
    const value = input.byte() === TEXTS ? input.sizedText() : input.float64()
    return { value, id: input.varint() }
  },
}

const EMPTY: ColumnBlock = { values: [], ids: new Float64Array(0), docs: new Uint32Array(0) }

function* merge(
  block: ColumnBlock = EMPTY,
  removed: readonly Position[],
  added: readonly ColumnEntry[],
): Generator<ColumnBlock> {
  const most = block.docs.length + added.length
  const texts = typeof (block.values[0] ?? added[0]?.value) === 'string'
  const values: SortValue[] | Float64Array = texts ? new Array<SortValue>(most) : new Float64Array(most)
  const ids = new Float64Array(most)
  const docs = new Uint32Array(most)
  let count = 0
  let a = 0
  let r = 0
  const put = (value: SortValue, id: number, doc: number) => {
    values[count] = value as never
    ids[count] = id
    docs[count] = doc
    count++
  }
  for (let i = 0; i < block.docs.length; i++) {
    const value = block.values[i] as SortValue
    const id = block.ids[i] as number
    let order = 1
    for (; a < added.length; a++) {
      const entry = added[a] as ColumnEntry
      order = compareValues(entry.value, value) || entry.id - id
      if (order >= 0) break
      put(entry.value, entry.id, entry.doc)
    }
    let gone = a < added.length && order === 0
    for (; r < removed.length; r++) {
      const place = removed[r] as Position
      const removal = compareValues(place.value, value) || place.id - id
      if (removal > 0) break
      if (removal === 0) gone = true
    }
    if (!gone) put(value, id, block.docs[i] as number)
  }
  for (; a < added.length; a++) {
    const entry = added[a] as ColumnEntry
    put(entry.value, entry.id, entry.doc)
  }
  const runs = runsOf(count)
  for (let run = 0; run < runs; run++) {
    const start = Math.floor((run * count) / runs)
    const end = Math.floor(((run + 1) * count) / runs)
    yield { values: values.slice(start, end), ids: ids.slice(start, end), docs: docs.slice(start, end) }
  }
}

function encode(out: ByteWriter, { values, ids, docs }: ColumnBlock): void {
  const form = typeof values[0] === 'string' ? TEXTS : areWhole(values as Float64Array) ? WHOLE_NUMBERS : NUMBERS
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

function areWhole(values: Float64Array): boolean {
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
