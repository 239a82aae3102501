import { describe, expect, it } from 'vitest'
import { COLUMN, createColumn } from '../../../test/support/test-column.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { ColumnEntry } from '../../catalog/sorted/column-store.ts'
import type { ColumnOrder } from './sorted-column.ts'
import { SortedColumns, WORK_SHARE } from './sorted-columns.ts'

const ENTRIES = 120_000

/** Documents in an order that has nothing to do with their numbers; 30 at a time have the same value. */
const order = Array.from({ length: ENTRIES }, (_, i) => (i * 7) % ENTRIES)
const valueAt = (index: number) => Math.floor(index / 30)

const entries = order.map((doc, index): ColumnEntry => ({ value: valueAt(index), id: index + 1, doc }))

/** A catalog with one column. */
function createCatalog() {
  const { store, blockTable, update, version } = createColumn()
  update([], entries)
  const catalog = { columns: store, nextDoc: () => ENTRIES } as unknown as Catalog
  return { catalog, store, blockTable, update, version }
}

function listDocs(column: ColumnOrder | undefined): number[] {
  const docs: number[] = []
  for (const scan = column?.scan(); scan?.hasNext() === true; ) docs.push(scan.next())
  return docs
}

describe('SortedColumns', () => {
  it('reads a column once it pays off, a part in each search', () => {
    const columns = new SortedColumns(createCatalog().catalog)
    const get = () => columns.get(COLUMN, 'asc', 1)
    columns.addWork(COLUMN, 1, ENTRIES * WORK_SHARE - 1)
    expect(get()).toBeUndefined()
    columns.addWork(COLUMN, 1, 1)
    expect([get(), get(), get()]).toEqual([undefined, undefined, undefined])
    expect(listDocs(get())).toEqual(order)
  })

  it('has both directions once it has read one: equal values come in the same order in both', () => {
    const columns = new SortedColumns(createCatalog().catalog)
    columns.addWork(COLUMN, 1, ENTRIES)
    const asc = Array.from({ length: 4 }, () => columns.get(COLUMN, 'asc', 1)).at(-1)
    const desc = columns.get(COLUMN, 'desc', 1)
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
    const { catalog, update, version } = createCatalog()
    const columns = new SortedColumns(catalog)
    const get = () => columns.get(COLUMN, 'desc', version())
    columns.addWork(COLUMN, version(), ENTRIES)
    get()
    update(entries.slice(0, 1), [])
    for (let search = 0; search < 10; search++) expect(get()).toBeUndefined()
    columns.addWork(COLUMN, version(), ENTRIES)
    for (let search = 0; search < 3; search++) expect(get()).toBeUndefined()
    expect(listDocs(get())).toHaveLength(ENTRIES - 1)
  })

  it('reads ahead, the columns that searches ask for, and again what was asked for since it changed', () => {
    const { store, update, version } = createColumn()
    const columns = new SortedColumns({ columns: store, nextDoc: () => ENTRIES } as unknown as Catalog)
    expect(columns.readAhead(version())).toBe(false)
    update([], entries)
    const get = () => columns.get(COLUMN, 'asc', version())
    const readAhead = () => {
      let parts = 0
      while (columns.readAhead(version())) parts++
      return parts
    }
    expect(get()).toBeUndefined()
    expect(readAhead()).toBeGreaterThan(2)
    expect(listDocs(get())).toEqual(order)
    expect(readAhead()).toBe(0)
    update(entries.slice(0, 1), [])
    expect(get()).toBeUndefined()
    expect(readAhead()).toBeGreaterThan(2)
    expect(listDocs(get())).toEqual(order.slice(1))
    // It was asked for since it was read.
    expect(readAhead()).toBe(0)
    update(entries.slice(1, 2), [])
    expect(readAhead()).toBeGreaterThan(2)
    // Nobody asks for it any more.
    update(entries.slice(2, 3), [])
    expect(readAhead()).toBe(0)
  })

  it('reports a damaged column once, and then what is asked for again', () => {
    const { catalog, store, blockTable, version } = createCatalog()
    const columns = new SortedColumns(catalog)
    const [block] = store.directory(COLUMN, version()).blocks
    blockTable.removeSync(block?.number as number)
    expect(() => columns.readAhead(version())).toThrow('is missing')
    expect(columns.readAhead(version())).toBe(false)
    expect(columns.get(COLUMN, 'asc', version())).toBeUndefined()
    expect(() => columns.readAhead(version())).toThrow('is missing')
  })
})
