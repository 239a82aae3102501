import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Bitset, hasBit, ScratchBitset, setRange, wordCount } from './bitset.ts'
import { type NumberColumn, retainBetween, retainPassing } from './row-selection.ts'

const WIDTH = 3

/** All rows, in memory of the module or elsewhere. */
function allRows(count: number, isScratch: boolean): Bitset {
  const rows = isScratch ? new ScratchBitset().take(wordCount(count)) : new Uint32Array(wordCount(count))
  setRange(rows, 0, count)
  return rows
}

function expectRows(rows: Bitset, count: number, passes: (row: number) => boolean): void {
  const wrong = Array.from({ length: rows.length * 32 }, (_, row) => row).filter(
    (row) => hasBit(rows, row) !== (row < count && passes(row)),
  )
  expect(wrong).toEqual([])
}

/** Counts of rows: few, and more than are selected at once. */
const counts = fc.oneof(fc.nat(140), fc.integer({ min: 4_000, max: 9_000 }))

it('retains the rows whose numbers all pass', () => {
  fc.assert(
    fc.property(counts, fc.nat(), fc.boolean(), fc.boolean(), (count, seed, isLong, isScratch) => {
      const limit = isLong ? 70_000 : 50
      const numbers: NumberColumn = new (isLong ? Uint32Array : Uint16Array)(count * WIDTH)
      for (let i = 0; i < numbers.length; i++) numbers[i] = (Math.imul(i + seed, 2_654_435_761) >>> 7) % limit
      const tables = [3, 5].map((n) => Uint8Array.from({ length: limit }, (_, i) => Number((i + seed) % n !== 0)))
      const tests = tables.map((table, i) => ({ offset: 2 * i, table }))
      for (const some of [tests, tests.slice(1), []]) {
        const rows = allRows(count, isScratch)
        retainPassing(rows, numbers, WIDTH, some)
        expectRows(rows, count, (row) =>
          some.every(({ offset, table }) => table[numbers[row * WIDTH + offset] as number] === 1),
        )
      }
    }),
    { numRuns: 60 },
  )
})

it('retains the rows with a number from one to before another', () => {
  fc.assert(
    fc.property(
      counts,
      fc.nat(1000),
      fc.nat(1000),
      fc.boolean(),
      fc.boolean(),
      (count, from, span, isLong, isScratch) => {
        const base = isLong ? 253_402_300_000 : 4_294_960_000
        const numbers = new (isLong ? Float64Array : Uint32Array)(count)
        for (let i = 0; i < count; i++) numbers[i] = base + ((i * 7_919) % 1_200)
        for (const to of [base + from + span, Number.POSITIVE_INFINITY]) {
          const rows = allRows(count, isScratch)
          retainBetween(rows, numbers, base + from, to)
          expectRows(rows, count, (row) => (numbers[row] as number) >= base + from && (numbers[row] as number) < to)
        }
      },
    ),
    { numRuns: 60 },
  )
})
