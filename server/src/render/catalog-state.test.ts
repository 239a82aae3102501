import { afterAll, expect, test, vi } from 'vitest'
import { aMovie, aSnapshot } from '../../test/support/builders.ts'
import { aTestService } from '../../test/support/test-service.ts'
import { CatalogStateReader } from './catalog-state.ts'

const service = await aTestService(aSnapshot(aMovie({ id: '1' })))
const { catalog } = service.ledger
const version = vi.spyOn(catalog, 'version')
const contentHash = vi.spyOn(catalog, 'contentHash')
afterAll(() => vi.restoreAllMocks())

/** Long enough for lmdb to reset its read transaction. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 5))

test('the version is read once in a read transaction, the rest once in a version', async () => {
  const current = new CatalogStateReader(catalog)
  const first = current.get()
  version.mockClear()
  contentHash.mockClear()
  await aMoment()
  for (let i = 0; i < 100; i++) expect(current.get()).toBe(first)
  expect(version).toHaveBeenCalledTimes(1)
  await aMoment()
  expect(current.get()).toBe(first)
  expect(version).toHaveBeenCalledTimes(2)
  expect(contentHash).not.toHaveBeenCalled()
})

test('a commit is seen with the first read transaction after it', async () => {
  const current = new CatalogStateReader(catalog)
  for (let i = 2; i < 12; i++) {
    const before = current.get()
    await service.import(aSnapshot(aMovie({ id: '1', title: `Title ${i}` })))
    // Whichever table is read first, the state belongs to what it shows.
    catalog.findDoc('1')
    const after = current.get()
    expect(after.version).toBeGreaterThan(before.version)
    expect([after.version, after.contentHash]).toEqual([catalog.version(), catalog.contentHash()])
    expect(after.contentHash).not.toBe(before.contentHash)
  }
})
