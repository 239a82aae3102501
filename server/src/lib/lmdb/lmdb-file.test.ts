import { copyFileSync, mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openLmdb } from './lmdb.ts'
import { checkDataFile } from './lmdb-file.ts'

const PAGE_BYTES = 4_096

async function anEnvironment(folder: string): Promise<void> {
  const root = openLmdb<Buffer, number>({ path: folder, encoding: 'binary', keyEncoding: 'uint32' })
  root.transactionSync(() => {
    for (let key = 0; key < 400; key++) root.putSync(key, Buffer.alloc(1 + ((key * 37) % 3_000), key))
  })
  // Frees pages all over the file, so that there is a free list.
  root.transactionSync(() => {
    for (let key = 0; key < 400; key += 3) root.removeSync(key)
  })
  await root.close()
}

it('a file that lacks a single page is named as damaged, whichever length it has', async () => {
  const folder = join(temporaryFolder(), 'whole')
  await anEnvironment(folder)
  checkDataFile(folder)
  const { size } = statSync(join(folder, 'data.mdb'))
  const cut = join(folder, '..', 'cut')
  mkdirSync(cut)
  for (let length = size - 1; length > 0; length -= 11 * PAGE_BYTES + 7) {
    copyFileSync(join(folder, 'data.mdb'), join(cut, 'data.mdb'))
    truncateSync(join(cut, 'data.mdb'), length)
    expect(() => checkDataFile(cut), `${length} of ${size} bytes`).toThrow(/data\.mdb is damaged/)
    expect(() => openLmdb({ path: cut })).toThrow('is damaged')
  }
})

it('an empty file, and one that is no LMDB file, are damaged; no file is none', () => {
  const folder = temporaryFolder()
  checkDataFile(folder)
  writeFileSync(join(folder, 'data.mdb'), '')
  expect(() => checkDataFile(folder)).toThrow('it is empty')
  writeFileSync(join(folder, 'data.mdb'), Buffer.alloc(3 * PAGE_BYTES, 7))
  expect(() => checkDataFile(folder)).toThrow('overwritten or cut off within its first two pages')
})

it('last pages that only the free list has may be missing', async () => {
  const folder = temporaryFolder()
  const root = openLmdb<Buffer, number>({ path: folder, encoding: 'binary', keyEncoding: 'uint32' })
  root.transactionSync(() => root.putSync(1, Buffer.alloc(10)))
  // Pages that are allocated and freed within a transaction are not written.
  root.transactionSync(() => {
    for (let key = 10; key < 200; key++) root.putSync(key, Buffer.alloc(3_000))
    for (let key = 10; key < 200; key++) root.removeSync(key)
  })
  await root.close()
  checkDataFile(folder)
})
