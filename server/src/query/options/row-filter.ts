import { type Bitset, setBit, setRange } from '../../lib/bitset/bitset.ts'
import { type RowTest, retainBetween, retainPassing } from '../../lib/bitset/row-selection.ts'
import type { CatalogSelector, OptionFilter } from '../queries.ts'
import { NO_END, type OptionSegment } from './option-segment.ts'
import {
  AUDIOS,
  KIND,
  type OptionValues,
  PRICE,
  SUBTITLES,
  VALUES_PER_OPTION,
  type ValueTest,
} from './option-values.ts'

/** A test of one of the numbers of an option. */
interface ColumnTest {
  readonly offset: number
  readonly test: ValueTest
}

/** Filters on one and the same option, compiled for the rows of segments. */
export class RowFilter {
  private readonly tests: readonly ColumnTest[]
  /** The results of the tests, once all rows of a segment are tested. */
  private tables: readonly RowTest[] | undefined
  private readonly sinceMin: number | undefined
  private readonly leavingBefore: number | undefined

  constructor(options: OptionFilter, catalogs: readonly CatalogSelector[], values: OptionValues) {
    const { audios, subtitles, priceMax } = options
    const tests = [
      { offset: KIND, test: values.testKinds(options, catalogs) },
      { offset: AUDIOS, test: audios && values.testAudios(audios) },
      { offset: SUBTITLES, test: subtitles && values.testSubtitles(subtitles) },
      { offset: PRICE, test: priceMax && values.testPrices(priceMax) },
    ]
    this.tests = tests.filter((columnTest): columnTest is ColumnTest => columnTest.test !== undefined)
    this.sinceMin = options.availableSinceMin
    this.leavingBefore = options.leavingBefore
  }

  passes({ values, starts, ends }: OptionSegment, row: number): boolean {
    const { tests, sinceMin, leavingBefore } = this
    for (let i = 0; i < tests.length; i++) {
      const { offset, test } = tests[i] as ColumnTest
      if (!test.passes(values[row * VALUES_PER_OPTION + offset] as number)) return false
    }
    if (sinceMin !== undefined && (starts[row] as number) < sinceMin) return false
    if (leavingBefore === undefined) return true
    const end = ends[row] as number
    return end > NO_END && end < leavingBefore
  }

  /** Whether a row of the document at a place passes. */
  passesAny(segment: OptionSegment, place: number): boolean {
    const end = segment.firstRows[place + 1] as number
    for (let row = segment.firstRows[place] as number; row < end; row++) if (this.passes(segment, row)) return true
    return false
  }

  /** Adds the rows of the document at a place that pass. */
  addPassing(segment: OptionSegment, place: number, rows: Bitset): void {
    const end = segment.firstRows[place + 1] as number
    for (let row = segment.firstRows[place] as number; row < end; row++)
      if (this.passes(segment, row)) setBit(rows, row)
  }

  /** Fills a set with the rows of a segment that pass. */
  select({ values, rowCount, starts, ends }: OptionSegment, rows: Bitset): void {
    const { tests, sinceMin, leavingBefore } = this
    this.tables ??= tests.map(({ offset, test }) => ({ offset, table: test.table() }))
    setRange(rows, 0, rowCount)
    if (tests.length > 0) retainPassing(rows, values, VALUES_PER_OPTION, this.tables)
    if (sinceMin !== undefined) retainBetween(rows, starts, sinceMin, Number.POSITIVE_INFINITY)
    if (leavingBefore !== undefined) retainBetween(rows, ends, NO_END + 1, leavingBefore)
  }
}
