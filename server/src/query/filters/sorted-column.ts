import { ColumnScanner, type ScannedBlock } from '../../catalog/sorted/column-scanner.ts'
import type { ColumnStore } from '../../catalog/sorted/column-store.ts'
import { RankedBitset } from '../../lib/bitset/ranked-bitset.ts'

export type Direction = 'asc' | 'desc'

/** The entries of a column in memory, by ascending value and then by ascending show id. */
interface SortedEntries {
  readonly docs: Uint32Array
  /** Documents are numbered below it. */
  readonly docCount: number
  /** The documents that have an entry. */
  readonly members: RankedBitset
  /** The part of `docs` with each document, at its place among the members. Parts have `1 << partBits(docs.length)` documents. */
  readonly parts: Uint16Array
  /** The indexes at which a group of equal values starts. */
  readonly groups: RankedBitset
}

/** Parts are numbered with 16 bits. Of a million documents 16 are in a part: one line of the processor's cache. */
export function partBits(length: number): number {
  return Math.max(0, 32 - Math.clz32((length - 1) >>> 16))
}

/** A column in memory. Both directions have the same arrays. */
export class SortedColumn {
  readonly bytes: number
  private readonly asc: ColumnOrder
  private readonly desc: ColumnOrder

  constructor(entries: SortedEntries) {
    const { docs, members, parts, groups } = entries
    this.bytes = docs.byteLength + members.bytes + parts.byteLength + groups.bytes
    this.asc = new ColumnOrder(entries, 'asc')
    this.desc = new ColumnOrder(entries, 'desc')
  }

  inDirection(direction: Direction): ColumnOrder {
    return this[direction]
  }
}

/**
 * A column in one direction. Documents of equal value come by ascending show id in both: the descending order goes backwards
 * from group to group of equal values, and forwards within each group. A _place_ is a number that tells where in the order a
 * document comes.
 */
export class ColumnOrder {
  /** Documents are numbered below it. */
  readonly docCount: number
  /** How many documents have an entry. */
  readonly length: number
  private readonly entries: SortedEntries
  private readonly isDescending: boolean
  private readonly partBits: number
  private readonly groupCount: number

  constructor(entries: SortedEntries, direction: Direction) {
    this.entries = entries
    this.docCount = entries.docCount
    this.isDescending = direction === 'desc'
    this.length = entries.docs.length
    this.partBits = partBits(this.length)
    this.groupCount = entries.groups.size
  }

  /** The place of a document; -1 if it has no entry. */
  placeOf(doc: number): number {
    const { docs, members, parts } = this.entries
    const member = members.placeOf(doc)
    if (member < 0) return -1
    let index = (parts[member] as number) << this.partBits
    while (docs[index] !== doc) index++
    return this.placeAt(index)
  }

  /** The document at a place. */
  docAt(place: number): number {
    return this.entries.docs[this.isDescending ? place % this.length : place] as number
  }

  /** Scans the column from its start, or from a place on. */
  scan(from?: number): ColumnScan {
    const { length, isDescending } = this
    const { docs, groups } = this.entries
    const placeAt = (index: number) => this.placeAt(index)
    if (!isDescending) return new ColumnScan(docs, groups, placeAt, { start: 0, next: from ?? 0, end: length })
    if (from === undefined) return new ColumnScan(docs, groups, placeAt, { start: length, next: length, end: length })
    const next = from % length
    const start = groups.highestUpTo(next)
    return new ColumnScan(docs, groups, placeAt, { start, next, end: groups.lowestFrom(next + 1) ?? length })
  }

  private placeAt(index: number): number {
    if (!this.isDescending) return index
    return (this.groupCount - this.entries.groups.countUpTo(index)) * this.length + index
  }
}

/** Visits the documents of a column in order. */
export class ColumnScan {
  private readonly docs: Uint32Array
  private readonly groups: RankedBitset
  private readonly placeAt: (index: number) => number
  /** The indexes that are scanned, up to `end`: a group, or in ascending order the whole column. */
  private start: number
  private index: number
  private end: number

  constructor(
    docs: Uint32Array,
    groups: RankedBitset,
    placeAt: (index: number) => number,
    { start, next, end }: { readonly start: number; readonly next: number; readonly end: number },
  ) {
    this.docs = docs
    this.groups = groups
    this.placeAt = placeAt
    this.start = start
    this.index = next
    this.end = end
  }

  /** Whether there is a next document. */
  hasNext(): boolean {
    return this.index < this.end || this.enterGroupBefore()
  }

  /** The next document. Only if there is one. */
  next(): number {
    return this.docs[this.index++] as number
  }

  /** The place of the next document. Only if there is one. */
  get place(): number {
    if (this.index === this.end) this.enterGroupBefore()
    return this.placeAt(this.index)
  }

  /** How many documents are left. */
  get remaining(): number {
    return this.end - this.index + this.start
  }

  private enterGroupBefore(): boolean {
    if (this.start === 0) return false
    this.end = this.start
    this.start = this.groups.highestUpTo(this.end - 1)
    this.index = this.start
    return true
  }
}

/** So many entries of a column are read at once: two milliseconds of work for numbers, five for texts. */
const ENTRIES_AT_ONCE = 50_000

/** Reads the blocks of a column in ascending order, a part at a time, so that no search waits for the whole of it. */
export class GradualScan {
  private readonly scanner: ColumnScanner
  private readonly visit: (block: ScannedBlock) => void

  constructor(columns: ColumnStore, column: string, version: number, visit: (block: ScannedBlock) => void) {
    this.scanner = new ColumnScanner(columns, column, version)
    this.visit = visit
  }

  /** Reads the next part, and returns whether it was the last one. */
  advance(): boolean {
    for (let count = 0; count < ENTRIES_AT_ONCE; ) {
      const block = this.scanner.next()
      if (block === undefined) return true
      this.visit(block)
      count += block.docs.length
    }
    return false
  }
}

/** So many parts are set at once: some two milliseconds of work. */
const PARTS_AT_ONCE = 100_000

/** A column that is read into memory, a part in each search that asks for it. */
export class ColumnReader {
  private readonly docCount: number
  private readonly members: RankedBitset
  private readonly groups: RankedBitset
  private readonly scan: GradualScan
  private docs: Uint32Array
  private count = 0
  /** By place among the members, once all documents are read. */
  private parts: Uint16Array | undefined
  private placed = 0

  /** @param docCount documents are numbered below it */
  constructor(columns: ColumnStore, column: string, version: number, docCount: number) {
    const capacity = columns.directory(column, version).blocks.reduce((sum, { count }) => sum + count, 0)
    this.docCount = docCount
    this.members = new RankedBitset(docCount)
    this.groups = new RankedBitset(capacity)
    this.docs = new Uint32Array(capacity)
    this.scan = new GradualScan(columns, column, version, (block) => this.add(block))
  }

  /** Reads on. Returns the column once it is complete. */
  read(): SortedColumn | undefined {
    if (this.parts === undefined) {
      if (!this.scan.advance()) return undefined
      // An entry that replaces another one is counted twice in the directory.
      if (this.count < this.docs.length) this.docs = this.docs.slice(0, this.count)
      this.members.count()
      this.groups.count()
      this.parts = new Uint16Array(this.count)
    }
    const { docs, docCount, members, groups, parts, count } = this
    const bits = partBits(count)
    for (const end = Math.min(this.placed + PARTS_AT_ONCE, count); this.placed < end; this.placed++) {
      parts[members.placeOf(docs[this.placed] as number)] = this.placed >>> bits
    }
    return this.placed < count ? undefined : new SortedColumn({ docs, docCount, members, parts, groups })
  }

  private add({ docs, starts }: ScannedBlock): void {
    const { members, groups, count } = this
    this.docs.set(docs, count)
    for (let i = 0; i < docs.length; i++) {
      members.add(docs[i] as number)
      if (starts[i] === 1) groups.add(count + i)
    }
    this.count += docs.length
  }
}
