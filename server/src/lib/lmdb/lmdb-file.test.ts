import { copyFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openLmdb } from './lmdb.ts'
import { checkDataFile } from './lmdb-file.ts'
import { checkPages, findPageDamage } from './page-check.ts'

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

it('a page that was damaged, zeroed or swapped is named, and a whole file passes', async () => {
  const folder = join(temporaryFolder(), 'whole')
  await anEnvironment(folder)
  expect(findPageDamage(folder, () => {})).toBeUndefined()
  const whole = readFileSync(join(folder, 'data.mdb'))
  const damaged = join(folder, '..', 'damaged')
  mkdirSync(damaged)
  const pageOf = (number: number) => number * PAGE_BYTES
  // Pages with keys, as their headers say; free ones are not looked at.
  const pages = Array.from({ length: whole.length / PAGE_BYTES }, (_, number) => number).slice(2)
  const tree = pages.filter((number) => [1, 2].includes(whole.readUInt16LE(pageOf(number) + 18)))
  const damages: Record<string, (bytes: Buffer, at: number) => void> = {
    zeroed: (bytes, at) => void bytes.fill(0, at, at + PAGE_BYTES),
    swapped: (bytes, at) => void whole.copy(bytes, at, pageOf(tree[0] as number), pageOf((tree[0] as number) + 1)),
    'a count': (bytes, at) => void bytes.writeUInt16LE(bytes.readUInt16LE(at + 20) - 2, at + 20),
    'a pointer': (bytes, at) => void bytes.writeUInt16LE(60_000, at + 24),
    'a key': (bytes, at) => {
      // The last entry of the page gets the greatest key of all.
      const last = bytes.readUInt16LE(at + 20) - 2
      bytes.fill(
        0xff,
        at + 24 + bytes.readUInt16LE(at + 24 + last) + 8,
        at + 24 + bytes.readUInt16LE(at + 24 + last) + 12,
      )
    },
  }
  const found: Record<string, string[]> = {}
  const some = tree.filter((_, i) => i % 9 === 1)
  for (const [name, damage] of Object.entries(damages)) {
    for (const number of some) {
      const bytes = Buffer.from(whole)
      damage(bytes, pageOf(number))
      writeFileSync(join(damaged, 'data.mdb'), bytes)
      found[name] = [...(found[name] ?? []), findPageDamage(damaged, () => {}) ?? []].flat()
    }
  }
  // Pages of earlier commits, and the last key of all, may be anything.
  for (const name of Object.keys(damages)) expect(found[name]?.length, name).toBeGreaterThan(some.length / 4)
  expect(found['a key']?.[0]).toMatch(/^page \d+ has keys (of another page|that are out of order)$/)
  writeFileSync(join(damaged, 'data.mdb'), Buffer.from(whole).fill(0, 2 * PAGE_BYTES))
  expect(() => checkPages(damaged)).toThrow(/data\.mdb is damaged: page \d+ was overwritten, or swapped with another/)
})
