import type { CacheMeter } from './cache.ts'

/** No entry has a key. */
export const NO_ENTRY = -1

/** For so many bytes of memory there is room for one entry: they are larger on average. */
const BYTES_PER_ENTRY = 768

/* The record of an entry, half a cache line: numbers of 32 bits, and behind them one of 64 bits. */
const RECORD_WORDS = 8
const MAJOR = 0
const MINOR = 1
const START = 2
const END = 3
const VERSION = 4
const TAG = 5
const RECORD_DOUBLES = RECORD_WORDS / 2
const VALID_UNTIL = 3

interface RingOptions {
  readonly maxBytes: number
  /** Bytes of an entry that was found stay intact until so many more were put. */
  readonly heldBytes: number
}

/**
 * A cache of bytes in one circular buffer, by keys of two 32-bit numbers. The oldest entries are evicted first. Its index is an
 * open-addressing hash table in typed arrays, because tens of thousands of objects would slow every garbage collection, and so
 * would as many buffers. Entries are named by numbers, which are valid until the next `put`.
 */
export class ByteRing {
  /** The bytes of all entries. */
  memory: Buffer = Buffer.alloc(0)
  private readonly maxBytes: number
  private readonly heldBytes: number
  private readonly meter: CacheMeter
  /** A circular queue of records. */
  private records = new Uint32Array(0)
  /** The same memory. */
  private doubles = new Float64Array(0)
  private maxEntries = 0
  private oldest = 0
  private count = 0
  /** Where the next entry is written. */
  private at = 0
  /** Numbers of entries, plus one; 0 where a slot is free. */
  private slots = new Int32Array(0)

  constructor({ maxBytes, heldBytes }: RingOptions, meter: CacheMeter) {
    this.maxBytes = maxBytes
    this.heldBytes = heldBytes
    this.meter = meter
  }

  /** The largest entry that can be stored. */
  get maxEntryBytes(): number {
    return (this.maxBytes - this.heldBytes) >>> 1
  }

  /** The number of the entry under a key, or `NO_ENTRY`. */
  find(major: number, minor: number): number {
    const { slots, records } = this
    const mask = slots.length - 1
    if (mask < 0) return NO_ENTRY
    for (let i = hash(major, minor) & mask; ; i = (i + 1) & mask) {
      const entry = (slots[i] as number) - 1
      if (entry < 0) return NO_ENTRY
      const record = entry * RECORD_WORDS
      if (records[record + MINOR] === minor && records[record + MAJOR] === major) return entry
    }
  }

  startOf(entry: number): number {
    return this.records[entry * RECORD_WORDS + START] as number
  }

  endOf(entry: number): number {
    return this.records[entry * RECORD_WORDS + END] as number
  }

  versionOf(entry: number): number {
    return this.records[entry * RECORD_WORDS + VERSION] as number
  }

  validUntilOf(entry: number): number {
    return this.doubles[entry * RECORD_DOUBLES + VALID_UNTIL] as number
  }

  /** A number of the owner's. */
  tagOf(entry: number): number {
    return this.records[entry * RECORD_WORDS + TAG] as number
  }

  setTag(entry: number, tag: number): void {
    this.records[entry * RECORD_WORDS + TAG] = tag
  }

  /**
   * Stores a copy of the bytes in place of the entry under a key, if there is one, and returns its number.
   * @param bytes at least one
   * @param version a number of 32 bits, as is the tag
   */
  put(major: number, minor: number, bytes: Buffer, version: number, validUntil: number, tag = 0): number {
    const { length } = bytes
    if (length > this.maxEntryBytes) throw new RangeError(`An entry of ${length} bytes is larger than the ring allows`)
    if (this.maxEntries === 0) this.allocate()
    this.makeRoom(length)
    const entry = (this.oldest + this.count) % this.maxEntries
    this.memory.set(bytes, this.at)
    const record = entry * RECORD_WORDS
    this.records[record + MAJOR] = major
    this.records[record + MINOR] = minor
    this.records[record + START] = this.at
    this.records[record + END] = this.at + length
    this.records[record + VERSION] = version
    this.records[record + TAG] = tag
    this.doubles[entry * RECORD_DOUBLES + VALID_UNTIL] = validUntil
    this.index(entry)
    this.count++
    this.at += length
    this.meter.entries = this.count
    this.meter.bytes = Math.max(this.meter.bytes, this.at)
    return entry
  }

  /** Drops all entries and keeps the memory. */
  clear(): void {
    this.slots.fill(0)
    this.count = 0
    this.meter.entries = 0
  }

  /**
   * Allocates all memory at once: V8 collects garbage when external memory has grown by some megabytes, and would do so again and
   * again. The system provides it only as it is written.
   */
  private allocate(): void {
    this.maxEntries = Math.ceil(this.maxBytes / BYTES_PER_ENTRY)
    this.memory = Buffer.allocUnsafeSlow(this.maxBytes)
    this.records = new Uint32Array(this.maxEntries * RECORD_WORDS)
    this.doubles = new Float64Array(this.records.buffer)
    // At most half of the slots are taken, so that chains are short.
    this.slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * this.maxEntries)))
  }

  /** Evicts the entries that the next bytes, or the held bytes after them, would overwrite. */
  private makeRoom(size: number): void {
    if (this.count === this.maxEntries) this.evictOldest()
    if (this.at + size > this.maxBytes) {
      // The end is left empty.
      while (this.count > 0 && this.startOf(this.oldest) >= this.at) this.evictOldest()
      this.at = 0
    }
    const needed = size + this.heldBytes
    while (this.count > 0 && this.bytesBeforeOldest() < needed) this.evictOldest()
  }

  /** How many bytes can be written before the oldest entry is overwritten. They never meet: held bytes are between them. */
  private bytesBeforeOldest(): number {
    const distance = this.startOf(this.oldest) - this.at
    return distance >= 0 ? distance : distance + this.maxBytes
  }

  private evictOldest(): void {
    this.unindex(this.oldest)
    this.oldest = (this.oldest + 1) % this.maxEntries
    this.count--
    this.meter.evictions++
  }

  /** Adds an entry to the hash table, in place of an older one of its key. */
  private index(entry: number): void {
    const { slots, records } = this
    const mask = slots.length - 1
    const major = records[entry * RECORD_WORDS + MAJOR] as number
    const minor = records[entry * RECORD_WORDS + MINOR] as number
    let i = hash(major, minor) & mask
    for (; slots[i] !== 0; i = (i + 1) & mask) {
      const record = ((slots[i] as number) - 1) * RECORD_WORDS
      if (records[record + MINOR] === minor && records[record + MAJOR] === major) break
    }
    slots[i] = entry + 1
  }

  /** Removes an entry from the hash table, unless a newer one has taken its place there. */
  private unindex(entry: number): void {
    const { slots } = this
    const mask = slots.length - 1
    let free = this.homeOf(entry)
    while (slots[free] !== entry + 1) {
      if (slots[free] === 0) return
      free = (free + 1) & mask
    }
    // Linear probing without tombstones: what comes behind is moved up, unless it is between its home and the free slot.
    for (let i = (free + 1) & mask; slots[i] !== 0; i = (i + 1) & mask) {
      const home = this.homeOf((slots[i] as number) - 1)
      if (((i - home) & mask) < ((i - free) & mask)) continue
      slots[free] = slots[i] as number
      free = i
    }
    slots[free] = 0
  }

  /** The slot at which the search for an entry begins. */
  private homeOf(entry: number): number {
    const record = entry * RECORD_WORDS
    const { records } = this
    return hash(records[record + MAJOR] as number, records[record + MINOR] as number) & (this.slots.length - 1)
  }
}

function hash(major: number, minor: number): number {
  const mixed = Math.imul(major, 0x9e37_79b1) ^ Math.imul(minor, 0x85eb_ca6b)
  return mixed ^ (mixed >>> 15)
}
