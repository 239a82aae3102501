import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exportFeed } from '../../src/ingest/export-feed.ts'
import { aMovie, anOption, referenceRecords } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

type Json = Record<string, unknown>

const from = (source: string, mode: 'snapshot' | 'delta', ...records: Json[]) => [
  { kind: 'feed', source, mode },
  ...referenceRecords(),
  ...records,
]

/** A movie that a source rates and offers. */
const rated = (source: string, rating: number | undefined, fields: Json = {}) =>
  aMovie({ id: '1', rating, streamingOptions: { us: [anOption({ link: `https://${source}.test/1` })] }, ...fields })

describe('ratings of several sources', () => {
  let service: TestService
  beforeEach(async () => {
    service = await TestService.open(temporaryFolder())
  })
  afterEach(async () => {
    expect(checkCatalog(service.ledger.catalog)).toEqual([])
    await service.close()
  })
  const rating = async () => (await service.get('/shows/1')).body.rating
  const parts = () => {
    const { catalog } = service.ledger
    return catalog.show(catalog.findDoc('1') as number)?.ratings
  }

  it('are averaged, and each source changes only its own', async () => {
    await service.import(from('a', 'snapshot', rated('a', 70)))
    await service.import(from('b', 'snapshot', rated('b', 81)))
    expect(await rating()).toBe(76)
    await service.import(from('a', 'snapshot', rated('a', 60)))
    expect([await rating(), parts()]).toEqual([71, { a: 60, b: 81 }])
  })

  it('do not change when the same feed is imported again', async () => {
    await service.import(from('a', 'snapshot', rated('a', 70)))
    await service.import(from('b', 'delta', rated('b', 80, { partial: true })))
    expect(await service.import(from('b', 'delta', rated('b', 80, { partial: true })))).toMatchObject({ unchanged: 1 })
  })

  it('are removed when their source says 0, leaves them out, or no longer has the show', async () => {
    await service.import(from('a', 'snapshot', rated('a', 70)))
    await service.import(from('b', 'snapshot', rated('b', 80)))
    await service.import(from('b', 'snapshot', rated('b', 0)))
    expect(parts()).toEqual({ a: 70 })
    await service.import(from('b', 'snapshot', rated('b', 80)))
    await service.import(from('b', 'snapshot', rated('b', undefined)))
    expect(parts()).toEqual({ a: 70 })
    await service.import(from('b', 'snapshot', rated('b', 80)))
    await service.import(from('b', 'snapshot', aMovie({ id: '2' })), { force: true })
    expect([await rating(), parts()]).toEqual([70, { a: 70 }])
  })

  it('of a source without offers are removed, too, when its snapshot no longer has the show', async () => {
    await service.import(from('a', 'snapshot', rated('a', 70)))
    await service.import(from('imdb', 'snapshot', rated('imdb', 90, { partial: true, streamingOptions: {} })))
    expect(await rating()).toBe(80)
    await service.import(from('imdb', 'snapshot'))
    expect([await rating(), parts()]).toEqual([70, { a: 70 }])
    expect((await service.get('/shows/1')).body.streamingOptions.us).toHaveLength(1)
  })

  it('stay when a snapshot of another scope lacks the show', async () => {
    await service.import(from('a', 'snapshot', rated('a', 70)))
    const [, ...records] = from('a', 'snapshot', aMovie({ id: '2', streamingOptions: {} }))
    await service.import([{ kind: 'feed', source: 'a', mode: 'snapshot', scope: { countries: ['gb'] } }, ...records])
    expect(parts()).toEqual({ a: 70 })
  })

  it('stay when a partial record lacks them', async () => {
    await service.import(from('a', 'snapshot', rated('a', 70)))
    await service.import(from('a', 'delta', rated('a', undefined, { partial: true })))
    expect(parts()).toEqual({ a: 70 })
  })

  it('are removed when one source removes the show', async () => {
    await service.import(from('a', 'snapshot', rated('a', 70)))
    await service.import(from('b', 'snapshot', rated('b', 80)))
    await service.import(from('b', 'delta', { kind: 'remove', id: '1' }))
    expect(parts()).toEqual({ a: 70 })
  })

  it('are exported and imported with their sources', async () => {
    await service.import(from('a', 'snapshot', rated('a', 70)))
    await service.import(from('b', 'snapshot', rated('b', 81)))
    const exported = [...exportFeed(service.ledger.catalog)]
    const copy = await TestService.open(temporaryFolder())
    try {
      expect(await copy.import(exported)).toMatchObject({ notices: {} })
      expect([...exportFeed(copy.ledger.catalog)]).toEqual(exported)
      await copy.import(from('b', 'snapshot', rated('b', 71)))
      expect((await copy.get('/shows/1')).body.rating).toBe(71)
    } finally {
      await copy.close()
    }
  })

  it('of an export without their sources are credited to the source of the offers', async () => {
    await service.import(from('a', 'snapshot', rated('a', 70)))
    const exported = [...exportFeed(service.ledger.catalog)].map((record) => ({ ...record, ratings: undefined }))
    const copy = await TestService.open(temporaryFolder())
    try {
      await copy.import(exported)
      await copy.import(from('a', 'snapshot', rated('a', 60)))
      expect((await copy.get('/shows/1')).body.rating).toBe(60)
    } finally {
      await copy.close()
    }
  })

  it('by source are refused in feeds other than exports', async () => {
    const { notices } = await service.import(from('a', 'snapshot', rated('a', 70, { ratings: { b: 10 } })))
    expect([notices, parts()]).toEqual([{ ignored_field: 1 }, { a: 70 }])
  })
})
