import { type Bitset, intersect, ScratchBitset, setBit, subtract, wordCount } from '../../lib/bitset.ts'

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
