import type { Catalog } from '../../catalog/catalog.ts'
import { DOCS_PER_BLOCK, readBlockVersions } from '../../catalog/storage/meta.ts'
import { CacheMeter } from '../../lib/cache.ts'
import type { PrinterMemory, PrinterModule } from './printer-module.ts'
import {
  DOC_WORD,
  EntryBuffer,
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

/** In the index, an entry has its offset in the ring, in units, plus one; above that how often it was used, up to three times. */
const OFFSET_MASK = 0x3fff_ffff
const ONE_USE = 0x4000_0000
const THREE_USES = 3 * ONE_USE

/** So many entries are moved at most for a new one: where all are used, the oldest goes all the same. */
const MAX_MOVES = 16

/**
 * The records of shows that were printed, in the memory of the printer: a ring of entries, of which the oldest are evicted first. An
 * entry that was used is moved to the newest instead, once for each use (the CLOCK algorithm, as a ring of entries of any size).
 * Records are a quarter as large as what is printed from them, serve all countries and languages, and stay valid while no document of
 * their block is written. The index is an array by document: it costs one read, and nothing to the garbage collector.
 */
export class RecordCache implements ShowRecords {
  readonly meter: CacheMeter
  private readonly catalog: Catalog
  private readonly module: PrinterModule
  private readonly memory: PrinterMemory
  private readonly maxBytes: number
  /** For each document where its entry is, and how often it was used. */
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
  /** What records are read into. */
  private readonly buffer: EntryBuffer

  constructor(catalog: Catalog, module: PrinterModule, memory: PrinterMemory, maxBytes: number) {
    this.catalog = catalog
    this.module = module
    this.memory = memory
    this.maxBytes = maxBytes & -UNIT_BYTES
    this.buffer = new EntryBuffer(module, memory)
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
    const index = this.indexes[kind]
    const place = index[doc] ?? 0
    if (place !== 0) {
      const address = this.start + offsetOf(place)
      const version = this.memory.words[address / 4 + VERSION_WORD] as number
      if (version === this.version || this.writtenAt(doc) <= version) {
        if (place < THREE_USES) index[doc] = place + ONE_USE
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
    const { buffer } = this
    const maxSize = this.maxBytes / 2
    let isTooLarge = false
    buffer.clear()
    readRecords(this.catalog.documents, kind, doc, (record) => {
      isTooLarge ||= buffer.size + (record?.length ?? 0) > maxSize
      if (!isTooLarge) buffer.add(record)
    })
    return isTooLarge ? undefined : this.add(kind, doc)
  }

  /** Adds what was read as the newest entry. */
  private add(kind: EntryKind, doc: number): number {
    if (this.start === 0) this.start = this.module.allocate(this.maxBytes)
    const { buffer, memory, meter } = this
    const size = roundUp(buffer.size)
    this.makeRoom(size)
    const address = this.start + this.at
    memory.bytes.copyWithin(address, buffer.address, buffer.address + buffer.size)
    const header = address / 4
    memory.words[header + DOC_WORD] = kind === 'seasons' ? doc + SEASONS_BIT : doc
    memory.words[header + VERSION_WORD] = this.version
    this.growIndex(kind, doc)[doc] = placeOf(this.at)
    this.at += size
    this.count++
    meter.entries = this.count
    meter.bytes = Math.max(meter.bytes, this.at)
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

  /** Evicts or moves the oldest entries until there is room for a new one; it starts at the beginning where the end has no room. */
  private makeRoom(size: number): void {
    for (let moves = 0; ; ) {
      if (this.count === 0) {
        this.at = 0
        this.oldest = 0
        return
      }
      if (this.oldest < this.at) {
        if (this.at + size <= this.maxBytes) return
        this.lapEnd = this.at
        this.at = 0
      }
      if (this.oldest - this.at >= size) return
      if (this.dropOldest(moves < MAX_MOVES)) moves++
    }
  }

  /** Evicts the oldest entry, or moves it to the newest if it was used, and may be moved; returns whether it was moved. */
  private dropOldest(mayMove: boolean): boolean {
    const { memory, start, oldest, at } = this
    const header = (start + oldest) / 4
    const { words } = memory
    const doc = words[header + DOC_WORD] as number
    const records = (words[header + FIRST_SIZE_WORD] as number) + (words[header + SECOND_SIZE_WORD] as number)
    const size = roundUp(HEADER_BYTES + records)
    const index = doc >= SEASONS_BIT ? this.indexes.seasons : this.indexes.show
    const number = doc >= SEASONS_BIT ? doc - SEASONS_BIT : doc
    const place = index[number] as number
    // The document may have a newer entry.
    const isCurrent = offsetOf(place) === oldest
    const isMoved = isCurrent && mayMove && place >= ONE_USE
    if (isMoved) {
      memory.bytes.copyWithin(start + at, start + oldest, start + oldest + size)
      index[number] = placeOf(at) + (place & ~OFFSET_MASK) - ONE_USE
      this.at += size
    } else {
      if (isCurrent) index[number] = 0
      this.count--
      this.meter.evictions++
    }
    this.oldest += size
    if (this.oldest === this.lapEnd) {
      this.oldest = 0
      this.lapEnd = -1
    }
    return isMoved
  }
}

function offsetOf(place: number): number {
  return ((place & OFFSET_MASK) - 1) * UNIT_BYTES
}

function placeOf(offset: number): number {
  return offset / UNIT_BYTES + 1
}

/** The bytes that an entry takes in the ring. */
function roundUp(size: number): number {
  return (size + UNIT_BYTES - 1) & -UNIT_BYTES
}
