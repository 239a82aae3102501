import { join } from 'node:path'
import fc from 'fast-check'
import { open } from 'lmdb'
import {
  type ColumnEntry,
  createColumnStore,
  type SortKey,
  type SortValue,
} from '../../src/catalog/sorted/column-store.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A column in a store of its own. */
export const COLUMN = 'c'

export function createColumn() {
  const root = open({ path: join(temporaryFolder(), 'columns'), encoding: 'binary' })
  const blocks = root.openDB<Buffer, number>('blocks', { encoding: 'binary', keyEncoding: 'uint32' })
  const store = createColumnStore({
    hasChecksums: true,
    directories: root.openDB('directories', { encoding: 'binary' }),
    blocks,
  })
  let version = 0
  return {
    store,
    blockTable: blocks,
    version: () => version,
    update: (removed: readonly SortKey[], added: readonly ColumnEntry[]) =>
      root.transactionSync(() => store.update(COLUMN, removed, added, ++version)),
    blocks: () => store.directory(COLUMN, version).blocks,
  }
}

/** The kinds of values that columns have. */
export const columnValues: Record<string, fc.Arbitrary<SortValue>> = {
  'few integers': fc.integer({ min: 0, max: 5 }),
  'many integers': fc.integer({ min: 0, max: 1_000_000 }),
  fractions: fc.double({ min: 0, max: 10, noNaN: true }).map((value) => value + 0),
  texts: fc.string({ maxLength: 4, unit: 'grapheme' }),
}
