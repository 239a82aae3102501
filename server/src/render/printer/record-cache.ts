import type { Catalog } from '../../catalog/catalog.ts'
import { DOCS_PER_BLOCK, readBlockVersions } from '../../catalog/storage/meta.ts'
import { CacheMeter } from '../../lib/cache.ts'
import type { PrinterMemory, PrinterModule } from './printer-module.ts'
import {
  copyRecord,
  DOC_WORD,
  type EntryKind,
  FIRST_SIZE_WORD,
  HEADER_BYTES,
  readRecords,
  SECOND_SIZE_WORD,
  type ShowRecords,
  VERSION_WORD,
} from './show-records.ts'

/** Entries start at multiples of it. */
const UNIT_BYTES = HEADER_BYTES

/** The bit of the document number that tells an entry of seasons from one of a show. */
const SEASONS_BIT = 0x8000_0000

const NO_ENTRY = 0

/**
 * The records of shows that were printed, in the memory of the printer: a ring of entries, of which the oldest are evicted first.
 * They are a quarter as large as what is printed from them, serve all countries and languages, and stay valid while no document of
 * their block is written. The index is an array by document: it costs one read, and nothing to the garbage collector.
 */
export class RecordCache implements ShowRecords {
  readonly meter: CacheMeter
  private readonly catalog: Catalog
  private readonly module: PrinterModule
  private readonly memory: PrinterMemory
  private readonly maxBytes: number
  /** The offset of each entry in the ring, in units, plus one. */
  private readonly indexes: Record<EntryKind, Uint32Array> = { show: new Uint32Array(0), seasons: new Uint32Array(0) }
  private version = -1
  private blockVersions: readonly number[] = []
  /** Where the ring starts in memory; it is allocated with the first entry. */
  private start = 0
  /** Offsets in the ring: where the next entry is written, where the oldest one is, and where the last lap ended. */
  private at = 0
  private oldest = 0
  private lapEnd = -1
  private count = 0
  /** The bytes of the entry that is being written. */
  private written = 0

  constructor(catalog: Catalog, module: PrinterModule, memory: PrinterMemory, maxBytes: number) {
    this.catalog = catalog
    this.module = module
    this.memory = memory
    this.maxBytes = maxBytes & -UNIT_BYTES
    this.meter = new CacheMeter('shows', maxBytes)
  }

  /** Sets the catalog version as of which shows are loaded. */
  setVersion(version: number): void {
    if (version === this.version) return
    this.blockVersions = readBlockVersions(this.catalog.meta)
    this.version = version
  }

  loadShow(doc: number): number | undefined {
    const entry = this.find('show', doc)
    return entry === NO_ENTRY ? this.read('show', doc) : entry
  }

  loadSeasons(doc: number): number | undefined {
    const entry = this.find('seasons', doc)
    return entry === NO_ENTRY ? this.read('seasons', doc) : entry
  }

  /** The address of the entry of a document if it is still valid, or `NO_ENTRY`. */
  private find(kind: EntryKind, doc: number): number {
    const { meter } = this
    const unit = this.indexes[kind][doc] ?? 0
    if (unit !== 0) {
      const address = this.start + (unit - 1) * UNIT_BYTES
      const version = this.memory.words[address / 4 + VERSION_WORD] as number
      if (version === this.version || this.writtenAt(doc) <= version) {
        meter.hits++
        return address
      }
    }
    meter.misses++
    return NO_ENTRY
  }

  /** The catalog version at which a document of the same block was last written. */
  private writtenAt(doc: number): number {
    return this.blockVersions[Math.floor(doc / DOCS_PER_BLOCK)] ?? 0
  }

  /** Reads the records of a document into a new entry, and returns its address; undefined if the ring is too small for it. */
  private read(kind: EntryKind, doc: number): number | undefined {
    if (this.start === 0) this.start = this.module.allocate(this.maxBytes)
    let firstSize = -1
    let secondSize = 0
    let isTooLarge = false
    this.written = HEADER_BYTES
    readRecords(this.catalog.documents, kind, doc, (record) => {
      const size = record?.length ?? 0
      isTooLarge ||= this.written + size > this.maxBytes / 2
      if (!isTooLarge && record !== undefined) this.append(record)
      if (firstSize < 0) firstSize = size
      else secondSize = size
    })
    return isTooLarge ? undefined : this.add(kind, doc, firstSize, secondSize)
  }

  private append(record: Buffer): void {
    this.makeRoom(this.written + record.length)
    copyRecord(this.memory, record, this.start + this.at + this.written)
    this.written += record.length
  }

  private add(kind: EntryKind, doc: number, firstSize: number, secondSize: number): number {
    this.makeRoom(this.written)
    const { at, meter } = this
    const { words } = this.memory
    const address = this.start + at
    const header = address / 4
    words[header + DOC_WORD] = kind === 'seasons' ? doc + SEASONS_BIT : doc
    words[header + VERSION_WORD] = this.version
    words[header + FIRST_SIZE_WORD] = firstSize
    words[header + SECOND_SIZE_WORD] = secondSize
    if (this.count === 0) this.oldest = at
    this.at += entryBytes(firstSize, secondSize)
    this.count++
    meter.entries = this.count
    meter.bytes = Math.max(meter.bytes, this.at)
    this.growIndex(kind, doc)[doc] = at / UNIT_BYTES + 1
    return address
  }

  private growIndex(kind: EntryKind, doc: number): Uint32Array {
    const index = this.indexes[kind]
    if (doc < index.length) return index
    const larger = new Uint32Array(Math.max(this.catalog.nextDoc(), doc + 1))
    larger.set(index)
    this.indexes[kind] = larger
    return larger
  }

  /** Evicts the entries that the entry being written would overwrite; moves what is written of it where the ring ends before. */
  private makeRoom(size: number): void {
    const needed = (size + UNIT_BYTES - 1) & -UNIT_BYTES
    const { at } = this
    if (at + needed > this.maxBytes) {
      // The end is left empty.
      while (this.count > 0 && this.oldest >= at) this.evictOldest()
      this.at = 0
      this.lapEnd = this.count > 0 ? at : -1
    }
    while (this.count > 0 && this.oldest >= this.at && this.oldest < this.at + needed) this.evictOldest()
    if (this.at !== at) {
      const from = this.start + at
      this.memory.bytes.copyWithin(this.start, from, from + this.written)
    }
  }

  private evictOldest(): void {
    const { words } = this.memory
    const header = (this.start + this.oldest) / 4
    const doc = words[header + DOC_WORD] as number
    const index = doc >= SEASONS_BIT ? this.indexes.seasons : this.indexes.show
    const number = doc >= SEASONS_BIT ? doc - SEASONS_BIT : doc
    // The document may have a newer entry.
    if (index[number] === this.oldest / UNIT_BYTES + 1) index[number] = 0
    this.oldest += entryBytes(words[header + FIRST_SIZE_WORD] as number, words[header + SECOND_SIZE_WORD] as number)
    if (this.oldest === this.lapEnd) {
      this.oldest = 0
      this.lapEnd = -1
    }
    this.count--
    this.meter.evictions++
  }
}

function entryBytes(firstSize: number, secondSize: number): number {
  return (HEADER_BYTES + firstSize + secondSize + UNIT_BYTES - 1) & -UNIT_BYTES
}
