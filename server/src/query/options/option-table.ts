import { setImmediate as nextTurn } from 'node:timers/promises'
import { CacheMeter, type MeteredCache } from '../../lib/cache.ts'
import { Mutex } from '../../lib/mutex.ts'
import type { OptionReader } from './option-reader.ts'
import { BLOCKS_PER_SEGMENT, OptionRows, OptionSegment } from './option-segment.ts'
import { OptionValues, type ValueReader } from './option-values.ts'

/** Memory for options in each serving process, unless one search needs more. An option takes some 27 bytes. */
const MAX_TABLE_BYTES = 192 * 1024 * 1024

/** How long one turn of the event loop may take, about. */
const MAX_TURN_MS = 4

/** Each pass reads what was imported during the one before, which takes a fraction of the time. What is left is read at once. */
const MAX_PASSES = 4

/** The segments of a country by index; undefined where it has no options. */
export type CountrySegments = readonly (OptionSegment | undefined)[]

interface CountryOptions {
  readonly country: string
  readonly segments: (OptionSegment | undefined)[]
  /** The catalog versions that were current when reading of the segments began. */
  readonly readAt: number[]
  /** The catalog version that all segments are of; -1 before there is one. */
  version: number
  bytes: number
}

interface TableOptions {
  readonly maxBytes?: number
  /** Milliseconds. */
  readonly now?: () => number
}

/**
 * The live options of shows as columns in memory, by country: filters on options test thousands of them for a page or a count.
 * A country is read when it is first needed, and for another version of the catalog those of its blocks whose documents changed.
 * Countries that were not needed for the longest time are dropped.
 */
export class OptionTable {
  readonly values: OptionValues
  private readonly source: Pick<OptionReader, 'version' | 'blockVersions' | 'addBlock'>
  private readonly maxBytes: number
  private readonly now: () => number
  /** The least recently used one first. */
  private readonly countries = new Map<string, CountryOptions>()
  private readonly meter: CacheMeter
  private readonly loads = new Mutex()

  constructor(
    source: Pick<OptionReader, 'version' | 'blockVersions' | 'addBlock'>,
    dictionary: ValueReader,
    { maxBytes = MAX_TABLE_BYTES, now = () => performance.now() }: TableOptions = {},
  ) {
    this.source = source
    this.values = new OptionValues(dictionary)
    this.maxBytes = maxBytes
    this.now = now
    this.meter = new CacheMeter('options', maxBytes)
  }

  caches(): readonly MeteredCache[] {
    return [this.meter, ...this.values.caches()]
  }

  /** Whether the options of countries are in memory. */
  has(countries: readonly string[], version: number): boolean {
    return countries.every((country) => this.countries.get(country)?.version === version)
  }

  /** Reads the options of countries into memory, in many turns of the event loop. */
  load(countries: readonly string[]): Promise<void> {
    return this.loads.run(async () => {
      let turnStartedAt = this.now()
      for (let pass = 0; pass < MAX_PASSES && !this.has(countries, this.source.version()); pass++) {
        for (const _block of this.read(countries)) {
          if (this.now() - turnStartedAt < MAX_TURN_MS) continue
          await nextTurn()
          turnStartedAt = this.now()
        }
        this.evictOthers(countries)
      }
    })
  }

  /** The options of countries, which are read now if they are not in memory. */
  segments(countries: readonly string[], version: number): CountrySegments[] {
    if (this.has(countries, version)) this.meter.hits++
    else for (const _block of this.read(countries));
    const segments = countries.map((country) => this.use(country).segments)
    this.evictOthers(countries)
    return segments
  }

  /** Reads the blocks of countries that changed, one at a step. A document is read once for all countries. */
  private *read(countries: readonly string[]): Generator<void> {
    const { source } = this
    const version = source.version()
    const stale = countries.map((country) => this.use(country)).filter((options) => options.version !== version)
    for (let index = 0; index * BLOCKS_PER_SEGMENT < source.blockVersions().length; index++) {
      yield* this.readSegments(stale, index)
    }
    // Else a version was committed in between.
    if (source.version() === version) for (const options of stale) options.version = version
  }

  /** Reads a segment of each country, but for blocks that have not changed. */
  private *readSegments(countries: readonly CountryOptions[], index: number): Generator<void> {
    const { source } = this
    const version = source.version()
    const first = index * BLOCKS_PER_SEGMENT
    const changes = source.blockVersions().slice(first, first + BLOCKS_PER_SEGMENT)
    const isStale = (changedAt: number, { readAt }: CountryOptions) => changedAt > (readAt[index] ?? -1)
    const changed = countries.filter((options) => changes.some((changedAt) => isStale(changedAt, options)))
    if (changed.length === 0) return
    const rows = new Map(changed.map(({ country }) => [country, new OptionRows(this.values)]))
    for (let i = 0; i < changes.length; i++) {
      const stale = new Map<string, OptionRows>()
      for (const options of changed) {
        const rowsOfCountry = rows.get(options.country) as OptionRows
        if (isStale(changes[i] as number, options)) stale.set(options.country, rowsOfCountry)
        else rowsOfCountry.copyBlock(options.segments[index], i)
      }
      if (stale.size === 0) continue
      source.addBlock(first + i, stale, source.version())
      yield
    }
    for (const options of changed) this.put(options, index, rows.get(options.country) as OptionRows, version)
  }

  /** Replaces a segment, unless a later version was put there, or the country was dropped. */
  private put(options: CountryOptions, index: number, rows: OptionRows, version: number): void {
    const { country, segments, readAt } = options
    if (this.countries.get(country) !== options || (readAt[index] ?? -1) > version) return
    const segment = rows.count === 0 ? undefined : new OptionSegment(rows)
    const added = (segment?.bytes ?? 0) - (segments[index]?.bytes ?? 0)
    segments[index] = segment
    readAt[index] = version
    options.bytes += added
    this.meter.bytes += added
    this.meter.misses++
  }

  /** The options of a country, which is the most recently used one from now on. */
  private use(country: string): CountryOptions {
    const options = this.countries.get(country) ?? { country, segments: [], readAt: [], version: -1, bytes: 0 }
    this.countries.delete(country)
    this.countries.set(country, options)
    this.meter.entries = this.countries.size
    return options
  }

  /** Drops countries while all take too much, but for some. */
  private evictOthers(kept: readonly string[]): void {
    for (const [country, { bytes }] of this.countries) {
      if (this.meter.bytes <= this.maxBytes) return
      if (kept.includes(country)) continue
      this.countries.delete(country)
      this.meter.bytes -= bytes
      this.meter.evictions++
      this.meter.entries--
    }
  }
}
