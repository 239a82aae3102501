import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cacheStats } from '../../../test/support/cache-stats.ts'
import { COLUMN, columnValues, createColumn } from '../../../test/support/test-column.ts'
import { ColumnCursor } from './column-cursor.ts'
import { type ColumnEntry, compareSortValues, compareUtf8, type SortKey, type SortValue } from './column-store.ts'

function scan(column: ReturnType<typeof createColumn>, direction: 'asc' | 'desc', from?: SortKey): number[] {
  const cursor = new ColumnCursor(column.store, COLUMN, column.version(), direction, from)
  const docs: number[] = []
  while (cursor.next()) docs.push(cursor.doc)
  return docs
}

/** The expected result of a scan, from a plain array. */
function expected(entries: readonly ColumnEntry[], direction: 'asc' | 'desc', from?: SortKey): number[] {
  const sign = direction === 'asc' ? 1 : -1
  const compare = (a: SortKey, b: SortKey) => sign * compareSortValues(a.value, b.value) || a.id - b.id
  return entries
    .filter((entry) => from === undefined || compare(entry, from) >= 0)
    .sort(compare)
    .map(({ doc }) => doc)
}

describe.each(Object.keys(columnValues))('a column of %s', (kind) => {
  const value = columnValues[kind] as fc.Arbitrary<SortValue>

  it('is scanned in order, in both directions and from any key, after any updates', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.tuple(fc.nat(400), value, fc.boolean()), { maxLength: 300 }), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.record({ value, id: fc.nat(400) }),
        (updates, from) => {
          const column = createColumn()
          const current = new Map<number, ColumnEntry>()
          for (const update of updates) {
            const before = new Map(current)
            for (const [id, value, isPresent] of update) {
              if (isPresent) current.set(id, { id, value, doc: id * 7 })
              else current.delete(id)
            }
            const changed = (a: Map<number, ColumnEntry>, b: Map<number, ColumnEntry>) =>
              [...a.values()].filter(({ id, value }) => b.get(id)?.value !== value)
            column.update(changed(before, current), changed(current, before))
          }
          const entries = [...current.values()]
          for (const direction of ['asc', 'desc'] as const) {
            expect(scan(column, direction)).toEqual(expected(entries, direction))
            expect(scan(column, direction, from)).toEqual(expected(entries, direction, from))
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  it('stays in order over many blocks', () => {
    const column = createColumn()
    const entries = fc
      .sample(value, { numRuns: 3_000, seed: 7 })
      .map((value, i): ColumnEntry => ({ value, id: (i * 7919) % 3_001, doc: i }))
    for (let start = 0; start < entries.length; start += 1_000) column.update([], entries.slice(start, start + 1_000))
    expect(column.blocks().length).toBeGreaterThan(5)
    for (const direction of ['asc', 'desc'] as const) {
      expect(scan(column, direction)).toEqual(expected(entries, direction))
      const from = entries[1_234] as ColumnEntry
      expect(scan(column, direction, from)).toEqual(expected(entries, direction, from))
    }
    column.update(entries.slice(500), [])
    expect(scan(column, 'asc')).toEqual(expected(entries.slice(0, 500), 'asc'))
  })

  it('collects few added entries in delta blocks until these are full, or until the block is rewritten for another reason', () => {
    const column = createColumn()
    const entries = fc
      .sample(value, { numRuns: 2_400, seed: 8 })
      .map((value, i): ColumnEntry => ({ value, id: (i * 7919) % 3_001, doc: i }))
    const present = entries.slice(0, 2_000)
    column.update([], present)
    const numbers = () => column.blocks().map(({ number }) => number)
    const before = numbers()
    for (let start = 2_000; start < 2_010; start += 5) {
      const some = entries.slice(start, start + 5)
      column.update([], some)
      present.push(...some)
      expect(scan(column, 'asc')).toEqual(expected(present, 'asc'))
    }
    expect(numbers()).toEqual(before)
    expect(column.blocks().reduce((sum, { delta }) => sum + (delta?.count ?? 0), 0)).toBe(10)
    const [removed] = present.splice(0, 1) as [ColumnEntry]
    column.update([removed], [])
    expect(scan(column, 'desc')).toEqual(expected(present, 'desc'))
    for (let start = 2_010; start < 2_400; start += 30) {
      const some = entries.slice(start, start + 30)
      column.update([], some)
      present.push(...some)
    }
    expect(numbers()).not.toContain(before[0])
    expect(scan(column, 'asc')).toEqual(expected(present, 'asc'))
    expect(scan(column, 'desc', entries[2_100])).toEqual(expected(present, 'desc', entries[2_100]))
  })
})

it('a cache keeps no block that was replaced', () => {
  const column = createColumn()
  column.update(
    [],
    Array.from({ length: 2_000 }, (_, id) => ({ id, value: id, doc: id })),
  )
  for (let id = 2_000; id < 2_050; id++) {
    expect(scan(column, 'asc')).toHaveLength(id)
    expect(cacheStats(column.store, 'column_blocks').entries).toBe(column.blocks().length)
    column.update([], [{ id, value: id % 1_500, doc: id }])
  }
})

describe('compareUtf8', () => {
  it('is the byte order of the UTF-8 form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
      { numRuns: 2_000 },
    )
  })
})
