import { join } from 'node:path'
import fc from 'fast-check'
import { open } from 'lmdb'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { ColumnCursor } from './column-cursor.ts'
import {
  type ColumnEntry,
  compareSortValues,
  compareUtf8,
  createColumnStore,
  type SortKey,
  type SortValue,
} from './column-store.ts'

function someColumns() {
  const root = open({ path: join(temporaryFolder(), 'columns'), encoding: 'binary' })
  const columns = createColumnStore({
    directories: root.openDB('directories', { encoding: 'binary' }),
    blocks: root.openDB('blocks', { encoding: 'binary', keyEncoding: 'uint32' }),
  })
  let version = 0
  return {
    update: (removed: readonly SortKey[], added: readonly ColumnEntry[]) =>
      root.transactionSync(() => columns.update('c', removed, added, ++version)),
    walk(direction: 'asc' | 'desc', from?: SortKey): number[] {
      const walk = new ColumnCursor(columns, 'c', version, direction, from)
      const docs: number[] = []
      while (walk.next()) docs.push(walk.doc)
      return docs
    },
    blocks: () => columns.directory('c', version).blocks,
  }
}

/** What the column should give, the slow way. */
function expected(entries: readonly ColumnEntry[], direction: 'asc' | 'desc', from?: SortKey): number[] {
  const sign = direction === 'asc' ? 1 : -1
  const compare = (a: SortKey, b: SortKey) => sign * compareSortValues(a.value, b.value) || a.id - b.id
  return entries
    .filter((entry) => from === undefined || compare(entry, from) >= 0)
    .sort(compare)
    .map(({ doc }) => doc)
}

const values: Record<string, fc.Arbitrary<SortValue>> = {
  'few whole numbers': fc.integer({ min: 0, max: 5 }),
  'many whole numbers': fc.integer({ min: 0, max: 1_000_000 }),
  fractions: fc.double({ min: 0, max: 10, noNaN: true }).map((value) => value + 0),
  texts: fc.string({ maxLength: 4, unit: 'grapheme' }),
}

describe.each(Object.keys(values))('a column of %s', (kind) => {
  const value = values[kind] as fc.Arbitrary<SortValue>

  it('gives entries in order, in both directions and from any place, after any updates', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.tuple(fc.nat(400), value, fc.boolean()), { maxLength: 300 }), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.record({ value, id: fc.nat(400) }),
        (updates, from) => {
          const column = someColumns()
          const current = new Map<number, ColumnEntry>()
          for (const update of updates) {
            const before = new Map(current)
            for (const [id, value, there] of update) {
              if (there) current.set(id, { id, value, doc: id * 7 })
              else current.delete(id)
            }
            const changed = (a: Map<number, ColumnEntry>, b: Map<number, ColumnEntry>) =>
              [...a.values()].filter(({ id, value }) => b.get(id)?.value !== value)
            column.update(changed(before, current), changed(current, before))
          }
          const entries = [...current.values()]
          for (const direction of ['asc', 'desc'] as const) {
            expect(column.walk(direction)).toEqual(expected(entries, direction))
            expect(column.walk(direction, from)).toEqual(expected(entries, direction, from))
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  it('stays in order over many blocks', () => {
    const column = someColumns()
    const entries = fc
      .sample(value, { numRuns: 3_000, seed: 7 })
      .map((value, i): ColumnEntry => ({ value, id: (i * 7919) % 3_001, doc: i }))
    for (let start = 0; start < entries.length; start += 1_000) column.update([], entries.slice(start, start + 1_000))
    expect(column.blocks().length).toBeGreaterThan(5)
    for (const direction of ['asc', 'desc'] as const) {
      expect(column.walk(direction)).toEqual(expected(entries, direction))
      const from = entries[1_234] as ColumnEntry
      expect(column.walk(direction, from)).toEqual(expected(entries, direction, from))
    }
    column.update(entries.slice(500), [])
    expect(column.walk('asc')).toEqual(expected(entries.slice(0, 500), 'asc'))
  })

  it('keeps few entries beside their blocks until they are many, or until something else becomes of the block', () => {
    const column = someColumns()
    const entries = fc
      .sample(value, { numRuns: 2_400, seed: 8 })
      .map((value, i): ColumnEntry => ({ value, id: (i * 7919) % 3_001, doc: i }))
    const there = entries.slice(0, 2_000)
    column.update([], there)
    const numbers = () => column.blocks().map(({ number }) => number)
    const before = numbers()
    for (let start = 2_000; start < 2_010; start += 5) {
      const some = entries.slice(start, start + 5)
      column.update([], some)
      there.push(...some)
      expect(column.walk('asc')).toEqual(expected(there, 'asc'))
    }
    expect(numbers()).toEqual(before)
    expect(column.blocks().reduce((sum, { delta }) => sum + (delta?.count ?? 0), 0)).toBe(10)
    const [gone] = there.splice(0, 1) as [ColumnEntry]
    column.update([gone], [])
    expect(column.walk('desc')).toEqual(expected(there, 'desc'))
    for (let start = 2_010; start < 2_400; start += 30) {
      const some = entries.slice(start, start + 30)
      column.update([], some)
      there.push(...some)
    }
    expect(numbers()).not.toContain(before[0])
    expect(column.walk('asc')).toEqual(expected(there, 'asc'))
    expect(column.walk('desc', entries[2_100])).toEqual(expected(there, 'desc', entries[2_100]))
  })
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
