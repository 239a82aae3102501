import { describe, expect, it, onTestFinished } from 'vitest'
import type { Batch } from '../../src/catalog/write/batch.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { Change } from '../../src/model/change.ts'
import type { Show } from '../../src/model/show.ts'
import { anImageSet } from '../support/builders.ts'
import { changesIn, checkCatalog } from '../support/check-catalog.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { STORES } from '../support/test-store.ts'

const aShow = (id: string, title = `Show ${id}`): Show => ({
  id,
  showType: 'movie',
  imdbId: `tt000000${id}`,
  tmdbId: '',
  title,
  overview: '',
  imageSet: anImageSet() as unknown as Show['imageSet'],
  originalTitle: title,
  translations: {},
  genres: [],
  cast: [],
  rating: 50,
  ratings: { test: 50 },
  popularity: {},
  offers: {},
})

const aChange = (showId: string, timestamp: number): Change => ({
  changeType: 'new',
  itemType: 'show',
  showId,
  showType: 'movie',
  country: 'us',
  service: 'netflix',
  offerType: 'subscription',
  timestamp,
  link: 'https://example.test/',
})

const aBatch = (...shows: Show[]): Batch => ({ at: 1_000, shows, changes: [] })

describe.each(Object.entries(STORES))('the %s ledger', (_name, open) => {
  async function anOpenLedger(): Promise<Ledger> {
    const { ledger, accounts } = await open(temporaryFolder())
    onTestFinished(async () => {
      await accounts.close()
      await ledger.close()
    })
    return ledger
  }
  const titleOf = ({ catalog }: Ledger, id: string) => {
    const doc = catalog.findDoc(id)
    return doc === undefined ? undefined : catalog.show(doc)?.title
  }

  it('gives each commit the next version', async () => {
    const ledger = await anOpenLedger()
    expect(ledger.catalog.version()).toBe(0)
    expect(await ledger.commit(() => [aBatch(aShow('1'))])).toBe(1)
    expect(await ledger.commit(() => [aBatch(aShow('2')), aBatch(aShow('3'))])).toBe(2)
    expect(ledger.catalog.counts().shows).toBe(3)
    expect(checkCatalog(ledger.catalog)).toEqual([])
  })

  it('applies each batch before the next one is made', async () => {
    const ledger = await anOpenLedger()
    const seen: (string | undefined)[] = []
    await ledger.commit(function* () {
      yield aBatch(aShow('1', 'Before'))
      seen.push(titleOf(ledger, '1'))
      yield aBatch(aShow('1', 'After'), aShow('2'))
      seen.push(titleOf(ledger, '1'))
    })
    expect(seen).toEqual(['Before', 'After'])
    expect(checkCatalog(ledger.catalog)).toEqual([])
  })

  it('commits nothing if making a batch fails half-way', async () => {
    const ledger = await anOpenLedger()
    await ledger.commit(() => [aBatch(aShow('1'))])
    const failing = ledger.commit(function* () {
      yield aBatch(aShow('1', 'Other'), aShow('2'))
      throw new Error('broken')
    })
    await expect(failing).rejects.toThrow('broken')
    expect(ledger.catalog.version()).toBe(1)
    expect(titleOf(ledger, '1')).toBe('Show 1')
    expect(titleOf(ledger, '2')).toBeUndefined()
    expect(await ledger.commit(() => [aBatch(aShow('2'))])).toBe(2)
    expect(checkCatalog(ledger.catalog)).toEqual([])
  })

  it('keeps the version if there is no batch, or only a source record', async () => {
    const ledger = await anOpenLedger()
    await ledger.commit(() => [aBatch(aShow('1'))])
    expect(await ledger.commit(() => [])).toBe(1)
    const lastImport = { at: 1, mode: 'delta', shows: 0, changes: {}, notices: {}, complete: true } as const
    expect(await ledger.commit(() => [{ ...aBatch(), source: { name: 'a', lastImport } }])).toBe(1)
    expect(ledger.catalog.sources()).toEqual([{ name: 'a', lastImport }])
    expect(await ledger.commit(() => [aBatch(aShow('2'))])).toBe(2)
  })

  it('serializes concurrent commits', async () => {
    const ledger = await anOpenLedger()
    const ids = Array.from({ length: 8 }, (_, i) => String(i + 1))
    const versions = await Promise.all(ids.map((id) => ledger.commit(() => [aBatch(aShow(id))])))
    expect(versions).toEqual(ids.map(Number))
    expect(checkCatalog(ledger.catalog)).toEqual([])
  })

  it('keeps changes until they are truncated', async () => {
    const ledger = await anOpenLedger()
    await ledger.commit(() => [{ ...aBatch(aShow('1'), aShow('2')), changes: [aChange('1', 100), aChange('2', 200)] }])
    expect(changesIn(ledger.catalog).map(({ timestamp }) => timestamp)).toEqual([100, 200])
    await ledger.commit(() => [{ ...aBatch(), forgetChangesBefore: 150 }])
    expect(changesIn(ledger.catalog).map(({ timestamp }) => timestamp)).toEqual([200])
  })

  it('grants a task to one holder at a time', async () => {
    const ledger = await anOpenLedger()
    expect(await ledger.tasks.holder('import')).toBeUndefined()
    expect(await ledger.tasks.acquire('import', 1, 'first')).toBeUndefined()
    expect(await ledger.tasks.acquire('import', 2, 'second')).toMatchObject({ pid: process.pid, what: 'first' })
    expect(await ledger.tasks.acquire('keep', 3, 'windows')).toBeUndefined()
    expect(await ledger.tasks.holder('import')).toMatchObject({ since: 1 })
    await ledger.tasks.release('import')
    expect(await ledger.tasks.holder('import')).toBeUndefined()
    expect(await ledger.tasks.acquire('import', 4, 'third')).toBeUndefined()
  })
})
