import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Catalog } from '../../catalog/catalog.ts'
import { RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { RangeIndex, SortedColumns } from './sorted-columns.ts'

/** An index over documents 0, 1, 2… with the given numbers; those of version 2 are higher by one. */
function indexOver(given: readonly number[]): RangeIndex {
  const numbers = (version: number) => given.map((number) => number + version - 1)
  return new RangeIndex('test', {
    numbers: (version) => [...new Set(numbers(version))],
    docs: (number, version) =>
      new RoaringBitmap32(numbers(version).flatMap((other, doc) => (other === number ? doc : []))),
  })
}

describe('RangeIndex', () => {
  it('finds every document of a range, and no other', () => {
    const anyNumber = fc.nat(30)
    fc.assert(
      fc.property(fc.array(anyNumber, { maxLength: 40 }), fc.array(fc.tuple(anyNumber, anyNumber)), (given, ranges) => {
        const index = indexOver(given)
        for (const [min, max] of [...ranges, [0, Number.POSITIVE_INFINITY] as const]) {
          const expected = given.flatMap((number, doc) => (number >= min && number <= max ? doc : []))
          const range = index.range(min, max, 1)
          expect([...range.toSet()]).toEqual(expected)
          expect(range.size).toBe(expected.length)
          expect(given.flatMap((_, doc) => (range.has(doc) ? doc : []))).toEqual(expected)
        }
      }),
    )
  })

  it('reads the field again for another version', () => {
    const index = indexOver([1, 2, 3])
    expect([...index.range(2, 3, 1).toSet()]).toEqual([1, 2])
    expect([...index.range(2, 3, 2).toSet()]).toEqual([0, 1])
  })
})

/** A catalog with one column of documents in this order. It changes at a version. */
function catalogWith(order: readonly number[], changedAt: { version: number }): Catalog {
  const columns = { directory: () => ({ changedAt: changedAt.version, blocks: [{ count: order.length }] }) }
  const openCursor = () => {
    const cursor = { doc: -1, id: 0, value: 0, at: 0, next: () => cursor.at < order.length && moveOn() }
    const moveOn = () => {
      cursor.doc = order[cursor.at++] as number
      return true
    }
    return cursor
  }
  return { columns, openCursor, nextDoc: () => order.length } as unknown as Catalog
}

describe('SortedColumns', () => {
  const order = Array.from({ length: 36_000 }, (_, i) => (i * 7) % 36_000)

  it('reads a column once it pays off, a part in each search', () => {
    const columns = new SortedColumns(catalogWith(order, { version: 1 }))
    const get = () => columns.get('rating', 'desc', 1)
    columns.addWork('rating', 'desc', 1, 35_999)
    expect(get()).toBeUndefined()
    columns.addWork('rating', 'desc', 1, 1)
    const searches = Array.from({ length: 4 }, get)
    expect(searches).toEqual([undefined, undefined, undefined, undefined])
    const column = get()
    expect(Array.from(column?.docs ?? [])).toEqual(order)
    expect(order.map((doc) => column?.indexOf(doc))).toEqual(order.map((_, index) => index))
    expect(get()).toBe(column)
  })

  it('starts again when the column changes while it is read', () => {
    const changedAt = { version: 1 }
    const columns = new SortedColumns(catalogWith(order, changedAt))
    const get = () => columns.get('rating', 'desc', changedAt.version)
    columns.addWork('rating', 'desc', 1, 36_000)
    get()
    changedAt.version = 2
    for (let search = 0; search < 10; search++) expect(get()).toBeUndefined()
    columns.addWork('rating', 'desc', 2, 36_000)
    for (let search = 0; search < 4; search++) expect(get()).toBeUndefined()
    expect(Array.from(get()?.docs ?? [])).toEqual(order)
  })
})
