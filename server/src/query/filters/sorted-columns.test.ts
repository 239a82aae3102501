import { describe, expect, it } from 'vitest'
import type { Catalog } from '../../catalog/catalog.ts'
import type { ColumnBlock } from '../../catalog/sorted/column-store.ts'
import type { ColumnOrder } from './sorted-column.ts'
import { SortedColumns, WORK_SHARE } from './sorted-columns.ts'

const BLOCK = 200
const BLOCKS = 600
const ENTRIES = BLOCKS * BLOCK

/** Documents in an order that has nothing to do with their numbers; 30 at a time have the same value. */
const order = Array.from({ length: ENTRIES }, (_, i) => (i * 7) % ENTRIES)
const valueAt = (index: number) => Math.floor(index / 30)

/** A catalog with one column. It changes at a version. */
function catalogWith(changedAt: { version: number }): Catalog {
  const blocks = Array.from({ length: BLOCKS }, (_, number) => ({ number, count: BLOCK }))
  const readBlock = (_column: string, { number }: { number: number }): ColumnBlock => {
    const indexes = Array.from({ length: BLOCK }, (_, i) => number * BLOCK + i)
    return {
      values: Float64Array.from(indexes, valueAt),
      ids: Float64Array.from(indexes),
      docs: Uint32Array.from(indexes, (index) => order[index] as number),
    }
  }
  const columns = { directory: () => ({ changedAt: changedAt.version, blocks }), readBlock }
  return { columns, nextDoc: () => ENTRIES } as unknown as Catalog
}

function listDocs(column: ColumnOrder | undefined): number[] {
  const docs: number[] = []
  for (const scan = column?.scan(); scan?.hasNext() === true; ) docs.push(scan.next())
  return docs
}

describe('SortedColumns', () => {
  it('reads a column once it pays off, a part in each search', () => {
    const columns = new SortedColumns(catalogWith({ version: 1 }))
    const get = () => columns.get('rating', 'asc', 1)
    columns.addWork('rating', 1, ENTRIES * WORK_SHARE - 1)
    expect(get()).toBeUndefined()
    columns.addWork('rating', 1, 1)
    expect([get(), get(), get()]).toEqual([undefined, undefined, undefined])
    expect(listDocs(get())).toEqual(order)
  })

  it('has both directions once it has read one: equal values come in the same order in both', () => {
    const columns = new SortedColumns(catalogWith({ version: 1 }))
    columns.addWork('rating', 1, ENTRIES)
    const asc = Array.from({ length: 4 }, () => columns.get('rating', 'asc', 1)).at(-1)
    const desc = columns.get('rating', 'desc', 1)
    const descending = order
      .map((doc, index) => ({ doc, index }))
      .sort((a, b) => valueAt(b.index) - valueAt(a.index) || a.index - b.index)
      .map(({ doc }) => doc)
    expect(listDocs(asc)).toEqual(order)
    expect(listDocs(desc)).toEqual(descending)
    for (const [column, docs] of [[asc, order] as const, [desc, descending] as const]) {
      const places = docs.map((doc) => column?.placeOf(doc) as number)
      expect(places.toSorted((a, b) => a - b)).toEqual(places)
      expect(places.map((place) => column?.docAt(place))).toEqual(docs)
    }
  })

  it('starts again when the column changes while it is read', () => {
    const changedAt = { version: 1 }
    const columns = new SortedColumns(catalogWith(changedAt))
    const get = () => columns.get('rating', 'desc', changedAt.version)
    columns.addWork('rating', 1, ENTRIES)
    get()
    changedAt.version = 2
    for (let search = 0; search < 10; search++) expect(get()).toBeUndefined()
    columns.addWork('rating', 2, ENTRIES)
    for (let search = 0; search < 3; search++) expect(get()).toBeUndefined()
    expect(listDocs(get())).toHaveLength(ENTRIES)
  })
})
