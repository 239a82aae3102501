import { DOCS_PER_BLOCK } from '../../catalog/storage/meta.ts'
import { type Bitset, setBit, wordCount } from '../../lib/bitset/bitset.ts'
import { RankedBitset } from '../../lib/bitset/ranked-bitset.ts'
import type { NumberColumn } from '../../lib/bitset/row-selection.ts'
import {
  AUDIOS,
  KIND,
  type OptionKind,
  type OptionValues,
  PRICE,
  type StoredOption,
  SUBTITLES,
  VALUES_PER_OPTION,
} from './option-values.ts'

/** Blocks of documents in a segment. */
export const BLOCKS_PER_SEGMENT = 64

/** The numbers of documents within a segment fit into 16 bits. */
export const DOCS_PER_SEGMENT = BLOCKS_PER_SEGMENT * DOCS_PER_BLOCK

/** In the place of an end: there is none that is known. */
export const NO_END = 0

/** Ids and times, in as few bytes as the highest of them needs. */
type LongColumn = Uint32Array | Float64Array

/**
 * The options of a range of documents in one country, as columns. An option is a row; rows are in the order of documents, and
 * those of a document in the order of services.
 */
export class OptionSegment {
  readonly rowCount: number
  /** The documents that have rows, by their numbers within the segment. */
  readonly docs: RankedBitset
  /** By the places of documents: the ids of their shows, and their first rows, with the count of all rows behind the last one. */
  readonly ids: LongColumn
  readonly firstRows: NumberColumn
  /** The document of each row. */
  readonly rowDocs: Uint16Array
  /** For each row the numbers of its kind, audios, subtitles and price. */
  readonly values: NumberColumn
  /** For each row the time since which it is available, and its end. */
  readonly starts: LongColumn
  readonly ends: LongColumn
  /** The last row of each document, and the last one of each service of a document. */
  readonly docEnds: Bitset
  readonly serviceEnds: Bitset

  constructor(rows: OptionRows) {
    const rowCount = rows.count
    this.rowCount = rowCount
    this.docs = new RankedBitset(DOCS_PER_SEGMENT)
    this.ids = toLongColumn(rows.ids)
    this.firstRows = toNumberColumn([...rows.firstRows, rowCount])
    this.rowDocs = new Uint16Array(rowCount)
    this.values = toNumberColumn(rows.values)
    this.starts = toLongColumn(rows.starts)
    this.ends = toLongColumn(rows.ends)
    this.docEnds = new Uint32Array(wordCount(rowCount))
    this.serviceEnds = new Uint32Array(wordCount(rowCount))
    rows.docs.forEach((doc, place) => {
      const [start, end] = [this.firstRows[place] as number, this.firstRows[place + 1] as number]
      this.docs.add(doc)
      this.rowDocs.fill(doc, start, end)
      setBit(this.docEnds, end - 1)
      for (let row = start; row < end; row++) {
        if (row === end - 1 || rows.service(row) !== rows.service(row + 1)) setBit(this.serviceEnds, row)
      }
    })
    this.docs.count()
  }

  /** The place of the first of the documents from one on. */
  placeFrom(doc: number): number {
    return doc === 0 ? 0 : this.docs.countUpTo(doc - 1)
  }

  /** The memory that it takes, about. */
  get bytes(): number {
    const { ids, firstRows, rowDocs, values, starts, ends, docEnds, serviceEnds } = this
    const columns = [ids, firstRows, rowDocs, values, starts, ends, docEnds, serviceEnds]
    return columns.reduce((sum, { byteLength }) => sum + ARRAY_BYTES + byteLength, ARRAY_BYTES + this.docs.bytes)
  }
}

/** What an array takes beside its numbers, about. */
const ARRAY_BYTES = 200

function toNumberColumn(numbers: readonly number[]): NumberColumn {
  return numbers.some((number) => number >= 2 ** 16) ? Uint32Array.from(numbers) : Uint16Array.from(numbers)
}

function toLongColumn(numbers: readonly number[]): LongColumn {
  return numbers.some((number) => number >= 2 ** 32) ? Float64Array.from(numbers) : Uint32Array.from(numbers)
}

/** The rows of a segment that is being built, as its columns are. */
export class OptionRows {
  readonly docs: number[] = []
  readonly ids: number[] = []
  readonly firstRows: number[] = []
  readonly values: number[] = []
  readonly starts: number[] = []
  readonly ends: number[] = []
  private readonly numbered: OptionValues

  constructor(numbered: OptionValues) {
    this.numbered = numbered
  }

  get count(): number {
    return this.starts.length
  }

  /** Adds an option of a document, all of whose rows are added one after the other. */
  add(doc: number, id: number, option: StoredOption, start: number, end: number): void {
    const { numbered, values } = this
    const row = this.insert(doc, id, option.service)
    const at = row * VALUES_PER_OPTION
    values[at + KIND] = numbered.kindOf(option)
    values[at + AUDIOS] = numbered.audiosOf(option)
    values[at + SUBTITLES] = numbered.subtitlesOf(option)
    values[at + PRICE] = numbered.priceOf(option)
    this.starts[row] = start
    this.ends[row] = end
  }

  /** Adds the rows of a block of another segment, if there is one. */
  copyBlock(segment: OptionSegment | undefined, block: number): void {
    if (segment === undefined) return
    const [firstPlace, endPlace] = [block, block + 1].map((at) => segment.placeFrom(at * DOCS_PER_BLOCK)) as [
      number,
      number,
    ]
    const first = segment.firstRows[firstPlace] as number
    const end = segment.firstRows[endPlace] as number
    const { count } = this
    for (let place = firstPlace; place < endPlace; place++) {
      const row = segment.firstRows[place] as number
      this.docs.push(segment.rowDocs[row] as number)
      this.ids.push(segment.ids[place] as number)
      this.firstRows.push(count + row - first)
    }
    for (let at = first * VALUES_PER_OPTION; at < end * VALUES_PER_OPTION; at++)
      this.values.push(segment.values[at] as number)
    for (let row = first; row < end; row++) {
      this.starts.push(segment.starts[row] as number)
      this.ends.push(segment.ends[row] as number)
    }
  }

  /** The service of a row, by its number in the dictionary. */
  service(row: number): number {
    return (this.numbered.kinds.values[this.values[row * VALUES_PER_OPTION + KIND] as number] as OptionKind).service
  }

  /** The row of a new option: behind those of its document whose services are not higher. Those behind it move on. */
  private insert(doc: number, id: number, service: number): number {
    const { count, values, starts, ends } = this
    if (this.docs.at(-1) !== doc) {
      this.docs.push(doc)
      this.ids.push(id)
      this.firstRows.push(count)
    }
    const first = this.firstRows.at(-1) as number
    let row = count
    for (; row > first && this.service(row - 1) > service; row--) {
      const at = row * VALUES_PER_OPTION
      for (let i = at; i < at + VALUES_PER_OPTION; i++) values[i] = values[i - VALUES_PER_OPTION] as number
      starts[row] = starts[row - 1] as number
      ends[row] = ends[row - 1] as number
    }
    return row
  }
}
