import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

/* Canaries for undocumented behaviour of lmdb; see server/src/lib/runtime-hacks/README.md. */

/** Members that lmdb does not declare. */
interface Undeclared {
  ensureReadTxn(): void
  resetReadTxn(): void
  addListener(event: 'begin-transaction', listener: () => void): void
}

function openRoot(path: string) {
  return open<Buffer, number>({ path, encoding: 'binary', keyEncoding: 'uint32', eventTurnBatching: false })
}

test('a table emits begin-transaction when ensureReadTxn begins one, and not again while it is open', async () => {
  const root = openRoot(temporaryFolder(afterAll))
  await root.put(1, Buffer.from('a'))
  const table = root as unknown as Undeclared
  let begun = 0
  table.addListener('begin-transaction', () => begun++)
  table.resetReadTxn()
  table.ensureReadTxn()
  expect(begun).toBe(1)
  table.ensureReadTxn()
  root.get(1)
  expect(begun).toBe(1)
  table.resetReadTxn()
  table.ensureReadTxn()
  expect(begun).toBe(2)
  await root.close()
})

test('getBinaryFast lends one buffer that is larger than its length and that the next read overwrites', async () => {
  const root = openRoot(temporaryFolder(afterAll))
  await root.put(1, Buffer.from('first'))
  await root.put(2, Buffer.from('second!'))
  const first = root.getBinaryFast(1) as Buffer
  expect([first.length, first.toString('latin1', 0, 5)]).toEqual([5, 'first'])
  expect(first.byteLength).toBeGreaterThan(5)
  const second = root.getBinaryFast(2) as Buffer
  expect(second.buffer).toBe(first.buffer)
  expect(first.toString('latin1', 0, 7)).toBe('second!')
  await root.close()
})

test('the header pages of a file have magic, page size, last page and transaction where they are expected', async () => {
  const path = temporaryFolder(afterAll)
  const root = openRoot(path)
  await root.put(1, Buffer.from('a'))
  await root.close()
  const header = Buffer.alloc(160)
  const file = openSync(join(path, 'data.mdb'), 'r')
  readSync(file, header, 0, header.length, 0)
  closeSync(file)
  expect(header.readUInt32LE(24)).toBe(0xbeefc0de)
  expect(header.readUInt32LE(48)).toBeGreaterThanOrEqual(4096)
  expect(header.readBigUInt64LE(144)).toBeGreaterThan(0n)
})
