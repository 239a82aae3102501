import { CacheMeter, type MeteredCache } from '../../lib/cache.ts'
import { Turns } from '../../lib/turns.ts'
import type { OptionReader } from './option-reader.ts'
import { BLOCKS_PER_SEGMENT, OptionRows, OptionSegment } from './option-segment.ts'
import { OptionValues, type ValueReader } from './option-values.ts'

/** Memory for options in each serving process, unless the searches that wait need more. An option takes some 27 bytes. */
const MAX_TABLE_BYTES = 192 * 1024 * 1024

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

/** A search that waits for the options of countries. */
interface WaitingSearch {
  readonly countries: readonly string[]
  /** Reads them, a step at a time. */
  readonly steps: Generator<void>
  /** Runs the search, or fails it. */
  run(): void
  fail(error: unknown): void
}

interface TableOptions {
  readonly maxBytes?: number | undefined
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
  private readonly waiting: WaitingSearch[] = []

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

  /**
   * Runs a search once the options of its countries are in memory, in a turn of the event loop of its own. They are read in many
   * turns; those of few countries before those of many, which take longer.
   */
  whenLoaded<Result>(countries: readonly string[], search: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const run = () => {
        resolve(search())
      }
      this.waiting.push({ countries, steps: this.load(countries), run, fail: reject })
      if (this.waiting.length === 1) void this.runWaiting()
    })
  }

  private async runWaiting(): Promise<void> {
    const turns = new Turns(this.now)
    while (this.waiting.length > 0) {
      await turns.next()
      const next = this.waiting.reduce((a, b) => (b.countries.length < a.countries.length ? b : a))
      try {
        if (!runSteps(next.steps, turns)) continue
        next.run()
      } catch (error) {
        next.fail(error)
      }
      this.waiting.splice(this.waiting.indexOf(next), 1)
      this.evictOthers(next.countries)
    }
  }

  private *load(countries: readonly string[]): Generator<void> {
    for (let pass = 0; pass < MAX_PASSES && !this.has(countries, this.source.version()); pass++) {
      yield* this.read(countries)
    }
  }

  /** The options of countries, which are read now if they are not in memory. */
  segments(countries: readonly string[], version: number): CountrySegments[] {
    if (this.has(countries, version)) this.meter.hits++
    else for (const _step of this.read(countries));
    const segments = countries.map((country) => this.use(country).segments)
    this.evictOthers(countries)
    return segments
  }

  /** Reads the blocks of countries that changed, one at a step. A document is read once for all countries. */
  private *read(countries: readonly string[]): Generator<void> {
    const { source } = this
    const version = source.version()
    const stale = countries.map((country) => this.use(country)).filter((options) => options.version !== version)
    if (stale.length === 0) return
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
      if (stale.size > 0) source.addBlock(first + i, stale, source.version())
      yield
    }
    for (const options of changed) {
      this.put(options, index, rows.get(options.country) as OptionRows, version)
      yield
    }
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

  /** Drops countries while all take too much, but for some, and those that searches wait for. */
  private evictOthers(kept: readonly string[]): void {
    if (this.meter.bytes <= this.maxBytes) return
    const needed = new Set([kept, ...this.waiting.map(({ countries }) => countries)].flat())
    for (const [country, { bytes }] of this.countries) {
      if (this.meter.bytes <= this.maxBytes) return
      if (needed.has(country)) continue
      this.countries.delete(country)
      this.meter.bytes -= bytes
      this.meter.evictions++
      this.meter.entries--
    }
  }
}

/** Runs steps until the turn is over; returns whether all are done. */
function runSteps(steps: Generator<void>, turns: Turns): boolean {
  while (steps.next().done !== true) if (turns.isOver) return false
  return true
}
