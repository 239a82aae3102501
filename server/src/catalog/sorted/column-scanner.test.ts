import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COLUMN, columnValues, createColumn } from '../../../test/support/test-column.ts'
import { ColumnScanner } from './column-scanner.ts'
import { type ColumnEntry, compareSortKeys, type SortValue } from './column-store.ts'

/** Documents, ids and starts of values of a whole column, in order. */
function scanAll(column: ReturnType<typeof createColumn>) {
  const scanner = new ColumnScanner(column.store, COLUMN, column.version())
  const rows: { doc: number; id: number; isStart: boolean }[] = []
  for (let block = scanner.next(); block !== undefined; block = scanner.next()) {
    const { docs, ids, starts } = block
    docs.forEach((doc, i) => {
      rows.push({ doc, id: ids[i] as number, isStart: starts[i] === 1 })
    })
  }
  return rows
}

/** The same from a plain array. */
function expected(entries: readonly ColumnEntry[]) {
  const sorted = entries.toSorted(compareSortKeys)
  return sorted.map(({ doc, id, value }, i) => ({ doc, id, isStart: value !== sorted[i - 1]?.value }))
}

/** Entries with ids and documents of up to five bytes. */
function sampleEntries(values: fc.Arbitrary<SortValue>, count: number, seed: number): ColumnEntry[] {
  return fc.sample(values, { numRuns: count, seed }).map((value, i) => ({
    value,
    id: (i * 7_919 + 1) * (i % 5 === 0 ? 1_000_000 : 1),
    doc: i % 3 === 0 ? i + 0xf000_0000 : i,
  }))
}

describe.each(Object.keys(columnValues))('a column of %s', (kind) => {
  const values = columnValues[kind] as fc.Arbitrary<SortValue>

  it('is scanned in order, with the starts of its values, over many blocks with delta blocks', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.array(fc.record({ removed: fc.nat(20), added: fc.nat(40) }), { minLength: 1, maxLength: 4 }),
        (seed, updates) => {
          const column = createColumn()
          const entries = sampleEntries(values, 3_000, seed)
          let present = entries.slice(0, 2_400)
          column.update([], present)
          expect(column.blocks().length).toBeGreaterThan(3)
          let next = 2_400
          for (const { removed, added } of updates) {
            const some = entries.slice(next, next + added)
            next += added
            // One document in four gets another number: its entry replaces the one with its key.
            const replaced = present
              .slice(removed, removed + added / 4)
              .map((entry) => ({ ...entry, doc: entry.doc + 1 }))
            column.update(present.slice(0, removed), [...some, ...replaced])
            present = [...present.slice(removed + replaced.length), ...some, ...replaced]
          }
          expect(scanAll(column)).toEqual(expected(present))
        },
      ),
      { numRuns: 10 },
    )
  })

  it('that is empty or short has the entries of its only block', () => {
    const column = createColumn()
    expect(scanAll(column)).toEqual([])
    const entries = sampleEntries(values, 3, 1)
    column.update([], entries)
    expect(scanAll(column)).toEqual(expected(entries))
  })
})

describe('ColumnScanner', () => {
  it('knows a value that goes on in the next block, and one that is longer than others of its kind', () => {
    for (const value of [7, 0.5, 'a', 'é'.repeat(300)]) {
      const column = createColumn()
      const entries = Array.from({ length: 1_500 }, (_, i): ColumnEntry => ({ value, id: i + 1, doc: i }))
      column.update([], entries)
      expect(column.blocks().length).toBeGreaterThan(2)
      expect(scanAll(column).filter(({ isStart }) => isStart)).toEqual([{ doc: 0, id: 1, isStart: true }])
    }
  })

  it.each([7, 'a'])('two scans at once do not disturb each other (values like %s)', (first) => {
    const column = createColumn()
    const valueAt = (i: number) => (typeof first === 'number' ? i >> 8 : `text ${String(i >> 8).padStart(4, '0')}`)
    column.update(
      [],
      Array.from({ length: 2_000 }, (_, i): ColumnEntry => ({ value: valueAt(i), id: i + 1, doc: i })),
    )
    const scanners = [1, 2].map(() => new ColumnScanner(column.store, COLUMN, column.version()))
    const starts = scanners.map(() => [] as number[])
    for (let isDone = false; !isDone; ) {
      for (const [s, scanner] of scanners.entries()) {
        const block = scanner.next()
        isDone = block === undefined
        block?.starts.forEach((isStart, i) => {
          if (isStart === 1) starts[s]?.push(block.docs[i] as number)
        })
      }
    }
    const expectedStarts = Array.from({ length: 8 }, (_, i) => i * 256)
    expect(starts).toEqual([expectedStarts, expectedStarts])
  })

  it('names the block that is damaged or missing, and does not go on behind it', () => {
    const column = createColumn()
    column.update(
      [],
      Array.from({ length: 2_000 }, (_, i): ColumnEntry => ({ value: i, id: i + 1, doc: i })),
    )
    const number = column.blocks()[1]?.number as number
    const stored = Buffer.from(column.blockTable.getBinary(number) as Buffer)
    stored[40] = (stored[40] as number) ^ 1
    column.blockTable.putSync(number, stored)
    const scanner = new ColumnScanner(column.store, COLUMN, column.version())
    expect(scanner.next()?.docs[0]).toBe(0)
    for (let call = 0; call < 3; call++)
      expect(() => scanner.next()).toThrow(`block ${number} does not have its checksum`)
    column.blockTable.removeSync(number)
    expect(() => scanner.next()).toThrow(`block ${number} is missing`)
  })
})
