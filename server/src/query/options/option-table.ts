import type { Catalog } from '../../catalog/catalog.ts'
import { findCountryPart, OfferReader } from '../../catalog/documents/offers-codec.ts'
import { term } from '../../catalog/index/terms.ts'
import { ByteReader } from '../../catalog/storage/byte-stream.ts'
import { DOCS_PER_BLOCK, readBlockVersions } from '../../catalog/storage/meta.ts'
import { type Bitset, intersect, ScratchBitset, setBit, subtract, wordCount } from '../../lib/bitset.ts'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'

/** Memory for decoded options in each serving process; an option takes 40 bytes. */
const MAX_TABLE_BYTES = 128 * 1024 * 1024

/** The size of a block beside its options, about. */
const BLOCK_BYTES = 3_600

/** The numbers of an option in `OptionBlock.numbers`, by offset. `KIND` is the type, plus the quality times eight. */
export const KIND = 0
export const SERVICE = 1
export const ADDON = 2
export const AUDIOS = 3
export const SUBTITLES = 4
export const PRICE = 5
export const NUMBERS_PER_OPTION = 6

/** In the place of an addon or a price: there is none. */
export const NONE = 0xffff_ffff

/**
 * The live options of a block of documents in one country, as columns. Options of seasons and episodes are not in it.
 * The options of the block's n-th document are those from `starts[n]` to before `starts[n + 1]`.
 */
export interface OptionBlock {
  readonly starts: Uint32Array
  /** The ids of the shows. */
  readonly ids: Float64Array
  readonly numbers: Uint32Array
  /** For each option the time since which it is available, and its end (Infinity if it has none that is known). */
  readonly times: Float64Array
}

type RecentBlocks = (OptionBlock | undefined)[]

/**
 * The options of shows by country and document, decoded into columns in memory: filters on options test thousands of
 * them for a page or a count. A block is decoded when it is first needed, and again when one of its documents changes.
 */
export class OptionTable {
  private readonly catalog: Catalog
  private readonly reader: OfferReader
  private readonly countryNumbers = new Map<string, number>()
  private blockVersions: readonly number[] = []
  private countryCodes: readonly string[] | undefined
  private version = -1
  /** The blocks of each country, by index, that were used since the cache evicted some: a look-up in it takes several times as long. */
  private readonly recent = new Map<string, RecentBlocks>()
  private evictions = 0
  private readonly cache = new VersionedCache<number, OptionBlock>({
    name: 'options',
    maxBytes: MAX_TABLE_BYTES,
    sizeOf: ({ numbers, times }) => BLOCK_BYTES + numbers.byteLength + times.byteLength,
  })

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.reader = new OfferReader(catalog.dictionary, Buffer.alloc(0))
  }

  caches(): readonly MeteredCache[] {
    return [this.cache]
  }

  /** The options of a block of documents in a country. */
  block(country: string, index: number, version: number): OptionBlock {
    const key = this.countryNumber(country) * 2 ** 32 + index
    const changedAt = this.versions(version)[index] ?? 0
    const block = this.cache.getOrCompute(key, changedAt, () => this.decode(country, index, version))
    const { evictions } = this.cache.stats()
    if (evictions !== this.evictions) {
      this.evictions = evictions
      for (const blocks of this.recent.values()) blocks.fill(undefined)
    }
    this.recentOf(country)[index] = block
    return block
  }

  /** The blocks of a country that need not be looked up; `block` adds to them. */
  recentBlocks(country: string, version: number): Readonly<RecentBlocks> {
    this.versions(version)
    return this.recentOf(country)
  }

  /** How many blocks have documents. */
  blockCount(version: number): number {
    return this.versions(version).length
  }

  /** The countries with options. */
  countries(version: number): readonly string[] {
    this.versions(version)
    const prefix = term.country('')
    this.countryCodes ??= Array.from(this.catalog.postings.termsWithPrefix(prefix), (name) => name.slice(prefix.length))
    return this.countryCodes
  }

  /** The catalog version at which a document of the blocks in a range was last written. */
  changedAt(start: number, end: number, version: number): number {
    const versions = this.versions(version)
    let changedAt = 0
    for (let block = start; block < end; block++) changedAt = Math.max(changedAt, versions[block] ?? 0)
    return changedAt
  }

  private versions(version: number): readonly number[] {
    if (this.version !== version) {
      this.blockVersions = readBlockVersions(this.catalog.meta)
      this.recent.clear()
      this.countryCodes = undefined
      this.version = version
    }
    return this.blockVersions
  }

  private decode(country: string, block: number, version: number): OptionBlock {
    const { documents } = this.catalog
    const inCountry = this.catalog.docsWithTerm(term.country(country), version)
    const starts = new Uint32Array(DOCS_PER_BLOCK + 1)
    const ids = new Float64Array(DOCS_PER_BLOCK)
    const numbers: number[] = []
    const times: number[] = []
    const first = block * DOCS_PER_BLOCK
    for (let n = 0; n < DOCS_PER_BLOCK; n++) {
      const doc = first + n
      if (inCountry.has(doc)) {
        ids[n] = documents.sortValue(doc, 'rating').id
        const record = documents.offersRecord('offers', doc)
        const part = record === undefined ? undefined : findCountryPart(record, country)
        // A copy: reading links overwrites the record.
        if (record !== undefined && part !== undefined)
          this.addOptions(Buffer.from(record.subarray(part.start, part.end)), numbers, times)
      }
      starts[n + 1] = times.length / 2
    }
    return { starts, ids, numbers: Uint32Array.from(numbers), times: Float64Array.from(times) }
  }

  private addOptions(part: Buffer, numbers: number[], times: number[]): void {
    const reader = this.reader.reset(new ByteReader(part))
    for (let left = reader.readCount(); left > 0; left--) {
      reader.next()
      if (!reader.isLive || reader.isRepeated) continue
      numbers.push(
        reader.type + reader.quality * 8,
        reader.service,
        reader.addon < 0 ? NONE : reader.addon,
        reader.audios,
        reader.subtitles,
        reader.price < 0 ? NONE : reader.price,
      )
      times.push(reader.availableSince, reader.expiresOn < 0 ? Number.POSITIVE_INFINITY : reader.expiresOn)
    }
  }

  private recentOf(country: string): RecentBlocks {
    let blocks = this.recent.get(country)
    if (blocks === undefined) {
      blocks = new Array<OptionBlock | undefined>(this.blockVersions.length).fill(undefined)
      this.recent.set(country, blocks)
    }
    return blocks
  }

  private countryNumber(country: string): number {
    let number = this.countryNumbers.get(country)
    if (number === undefined) {
      number = this.countryNumbers.size
      this.countryNumbers.set(country, number)
    }
    return number
  }
}

/** Into how many ranges of time rows are divided. */
const BUCKETS = 16

/** Of so many rows for each bucket the times are sorted to find the bounds between buckets. */
const SAMPLES_PER_BUCKET = 32

/**
 * Finds the rows from a time on, or before it. Rows are divided into ranges of time of about the same size. For the
 * bound of each range it keeps the rows from there on, as bits, so that only rows of the range that holds the time are
 * compared with it.
 */
export class TimeIndex {
  private readonly rowCount: number
  /** The lowest time of each bucket but the first. */
  private readonly bounds: readonly number[]
  /** The rows of each bucket, their times, and the rows of it and all later ones. */
  private readonly rows: readonly Uint32Array[]
  private readonly times: readonly Float64Array[]
  private readonly suffixes: readonly Bitset[]

  /** @param times by row */
  constructor(times: Float64Array) {
    this.rowCount = times.length
    this.bounds = chooseBounds(times)
    const rows = Array.from({ length: this.bounds.length + 1 }, (): number[] => [])
    for (let row = 0; row < times.length; row++) rows[this.bucket(times[row] as number)]?.push(row)
    this.rows = rows.map((list) => Uint32Array.from(list))
    this.times = rows.map((list) => Float64Array.from(list, (row) => times[row] as number))
    let suffix: Bitset = new Uint32Array(wordCount(times.length))
    this.suffixes = this.rows
      .toReversed()
      .map((list) => {
        suffix = suffix.slice()
        for (const row of list) setBit(suffix, row)
        return suffix
      })
      .toReversed()
  }

  /** The memory that it takes, about. */
  get bytes(): number {
    return 12 * this.rowCount + this.suffixes.length * (4 * wordCount(this.rowCount) + 400)
  }

  /** Removes the rows with an earlier time from a set. */
  keepFrom(time: number, rows: Bitset): void {
    intersect(rows, this.rowsFrom(time))
  }

  /** Removes the rows with this time or a later one from a set. */
  keepBefore(time: number, rows: Bitset): void {
    subtract(rows, this.rowsFrom(time))
  }

  /** The rows with a time or a later one. Valid until the next call. */
  private rowsFrom(time: number): Bitset {
    const from = scratch.take(wordCount(this.rowCount))
    const bucket = this.bucket(time)
    const later = this.suffixes[bucket + 1]
    if (later !== undefined) from.set(later)
    const rows = this.rows[bucket] as Uint32Array
    const times = this.times[bucket] as Float64Array
    for (let i = 0; i < rows.length; i++) if ((times[i] as number) >= time) setBit(from, rows[i] as number)
    return from
  }

  /** The bucket of a time: how many bounds are not above it. */
  private bucket(time: number): number {
    const { bounds } = this
    let low = 0
    let high = bounds.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((bounds[middle] as number) <= time) low = middle + 1
      else high = middle
    }
    return low
  }
}

const scratch = new ScratchBitset()

/** Times that divide the rows into parts of about the same size, in ascending order, without repeats. */
function chooseBounds(times: Float64Array): number[] {
  const step = Math.max(1, Math.floor(times.length / (BUCKETS * SAMPLES_PER_BUCKET)))
  const sample = times.filter((_, row) => row % step === 0).sort()
  const bounds = new Set<number>()
  for (let i = SAMPLES_PER_BUCKET; i < sample.length; i += SAMPLES_PER_BUCKET) bounds.add(sample[i] as number)
  return [...bounds]
}
