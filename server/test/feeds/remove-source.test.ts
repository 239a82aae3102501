import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Catalog } from '../../src/catalog/catalog.ts'
import { importFeed } from '../../src/ingest/import-feed.ts'
import { hasSource, removeSource, type SourceRemovalOptions } from '../../src/ingest/remove-source.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import type { Show } from '../../src/model/show.ts'
import { aMovie, anOption, aSeries, DAY, NOW, referenceRecords } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { feedFromRecords } from '../support/feed.ts'
import { propertyRuns } from '../support/property-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

type Json = Record<string, unknown>

async function aService(): Promise<TestService> {
  const service = await TestService.open(temporaryFolder())
  onTestFinished(() => service.close())
  return service
}

const feed = (source: string, ...records: Json[]): Json[] => [
  { kind: 'feed', source, mode: 'snapshot' },
  ...referenceRecords(),
  ...records,
]

const remove = (service: TestService, source: string, options: Partial<SourceRemovalOptions> = {}) =>
  removeSource(service.ledger, source, { clock: () => service.now, ...options })

const by = (source: string, fields: Json = {}) => anOption({ link: `https://${source}.test/1`, ...fields })
const top = (shows: string[]) => ({ kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows })

function shows(catalog: Catalog): Show[] {
  return [...catalog.documents.docs()].map((doc) => catalog.show(doc) as Show)
}

describe('a source that is removed', () => {
  it('takes its shows, offers, ratings and top lists along, and leaves those of others', async () => {
    const service = await aService()
    const both = (source: string, rating: number) => aMovie({ id: '1', rating, streamingOptions: { us: [by(source)] } })
    await service.import(
      feed('a', both('a', 40), aMovie({ id: '2', streamingOptions: { us: [by('a')] } }), top(['2', '1'])),
    )
    await service.import(feed('b', both('b', 80), aMovie({ id: '3', streamingOptions: { us: [by('b')] } })))
    service.advance(DAY)
    const planned = await remove(service, 'a', { dryRun: true })
    expect(service.ledger.catalog.counts().offersBySource).toEqual({ a: 2, b: 2 })
    const report = await remove(service, 'a')
    expect(report).toEqual({ ...planned, version: report.version })
    expect(report).toMatchObject({ shows: 2, deleted: 1, details: 0, offers: 2, topLists: 1 })
    expect(report.changes).toEqual({ new: 0, updated: 1, removed: 1 })
    expect((await service.get('/shows/1?country=us')).body).toMatchObject({ rating: 80 })
    expect((await service.get('/shows/2')).status).toBe(404)
    const { changes } = await service.allChanges('/changes?country=us&change_type=removed&item_type=show')
    expect(changes.map(({ showId, timestamp }) => [showId, timestamp])).toEqual([['2', service.now]])
    const { catalog } = service.ledger
    expect([catalog.counts().offersBySource, catalog.topLists(), hasSource(catalog, 'a')]).toEqual([
      { b: 2 },
      [],
      false,
    ])
    expect(JSON.stringify(shows(catalog))).not.toContain('"a"')
    expect(checkCatalog(catalog)).toEqual([])
  })

  it('leaves a top list that another source has stated since, without the shows that are gone', async () => {
    const service = await aService()
    await service.import(feed('a', aMovie({ id: '1', streamingOptions: { us: [by('a')] } }), top(['1'])))
    await service.import(feed('b', aMovie({ id: '2', streamingOptions: { us: [by('b')] } }), top(['1', '2'])))
    expect(await remove(service, 'a')).toMatchObject({ topLists: 1, deleted: 1 })
    expect(service.ledger.catalog.topList('us', 'netflix', 'movie')).toEqual(['2'])
  })

  it('takes details along that no other source has stated, and the next records of others bring theirs', async () => {
    const service = await aService()
    const own = feed(
      'b',
      aMovie({ id: '1', title: 'Of B', overview: 'By B.', releaseYear: 2002, streamingOptions: {} }),
    )
    await service.import(own)
    await service.import(
      feed('a', aMovie({ id: '1', title: 'Of A', overview: 'By A.', streamingOptions: { us: [by('a')] } })),
    )
    expect(await remove(service, 'a')).toMatchObject({ shows: 1, deleted: 0, details: 1 })
    const printed = async () => (await service.get('/shows/1?country=us')).body
    expect(await printed()).toMatchObject({ title: 'Of A', overview: '', releaseYear: 2002, streamingOptions: {} })
    await service.import(own)
    expect(await printed()).toMatchObject({ title: 'Of B', overview: 'By B.' })
  })

  it('is removed by another run if the first was interrupted, and windows are applied meanwhile', async () => {
    const service = await aService()
    const movies = (source: string, count: number, fields: Json = {}) =>
      Array.from({ length: count }, (_, i) =>
        aMovie({ id: `${i + 1}`, streamingOptions: { us: [by(source, fields)] } }),
      )
    await service.import(feed('a', ...movies('a', 200)))
    const expiresOn = service.now + 5
    await service.import(feed('b', ...movies('b', 3, { expiresOn, service: 'prime' })))
    let batches = 0
    const clock = () => service.now + batches * 5
    const checkpoint = () => {
      if (++batches > 7) throw new Error('interrupted')
    }
    await expect(remove(service, 'a', { checkpoint, clock })).rejects.toThrow('interrupted')
    const { catalog } = service.ledger
    expect(catalog.counts().offersBySource.a).toBeGreaterThan(0)
    expect(hasSource(catalog, 'a')).toBe(true)
    batches = 0
    service.advance(5)
    await remove(service, 'a')
    expect(catalog.counts()).toEqual({ shows: 3, offers: 0, offersBySource: {} })
    const ended = await service.allChanges('/changes?country=us&change_type=removed&item_type=show&catalogs=prime')
    expect(ended.changes.map(({ timestamp }) => timestamp)).toEqual([expiresOn, expiresOn, expiresOn])
    expect(checkCatalog(catalog)).toEqual([])
  })
})

/** What a source may say about one of a few works. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const option = fc.record({
  service: fc.constantFrom('netflix', 'prime'),
  type: fc.constantFrom('subscription', 'free'),
  expiresOn: maybe(fc.constantFrom(4_000_000_000, 5_000_000_000)),
})
const options = fc.array(option, { maxLength: 2 })
const statement = fc.record({
  hasIds: fc.boolean(),
  overview: maybe(fc.constantFrom('One.', 'Two.')),
  originalTitle: maybe(fc.constantFrom('Uno', 'Dos')),
  cast: maybe(fc.constantFrom(['Ann Actor'], ['Ann Actor', 'Ben Player'])),
  runtime: maybe(fc.integer({ min: 80, max: 90 })),
  rating: fc.nat(100),
  options,
  seasons: maybe(fc.array(options, { minLength: 1, maxLength: 3 })),
})
type Statement = typeof statement extends fc.Arbitrary<infer T> ? T : never

const TITLES = ['Weaver of Salt', 'The Ninth Lantern', 'Harbour Lights', 'Quarry', 'Glass Orchard', 'Tin Cathedral']
const WORKS = [...TITLES, ...TITLES.map((title) => `After ${title}`)].map((title, i) => ({
  showType: i % 2 === 0 ? 'movie' : 'series',
  title,
  year: 1980 + 3 * i,
}))

const print = (source: string, list: Statement['options']) => ({
  us: list.map((one) => by(source, { ...one, availableSince: undefined })),
})

function toRecord(source: string, work: number, { hasIds, options, seasons, ...details }: Statement): Json {
  const { showType, title, year } = WORKS[work] as { showType: string; title: string; year: number }
  const record =
    showType === 'movie' ? aMovie({ releaseYear: year }) : aSeries({ firstAirYear: year, seasons: undefined })
  const { id: _, genres: _g, imageSet: _i, popularity: _p, ...rest } = record
  return {
    ...rest,
    recordId: `${source}${work}`,
    imdbId: hasIds ? `tt000000${work}` : '',
    tmdbId: hasIds ? `${showType === 'movie' ? 'movie' : 'tv'}/${work}` : '',
    title,
    directors: undefined,
    creators: undefined,
    lastAirYear: undefined,
    ...details,
    ...(showType === 'series' && { runtime: undefined, seasonCount: seasons?.length }),
    streamingOptions: print(source, options),
    ...(showType === 'series' && {
      seasons: seasons?.map((list, s) => ({
        title: `${source} season ${s + 1}`,
        firstAirYear: year + s,
        lastAirYear: year + s,
        streamingOptions: print(source, list),
      })),
    }),
  }
}

/** Live shows by the key of their record, without times and without what names the show or its matching. */
function comparable(catalog: Catalog): unknown {
  const entries = shows(catalog).flatMap(({ id, records, formerIds, history, ...show }) => {
    if (show.deleted === true) return []
    const keys = Object.entries(records ?? {}).flatMap(([source, links]) => links.map(({ key }) => `${source} ${key}`))
    return [[keys.join(), JSON.parse(JSON.stringify(show, (key, value) => (key === 'availableSince' ? 0 : value)))]]
  })
  return Object.fromEntries(entries)
}

it('leaves what there would be had it never been imported', async () => {
  const statements = fc.array(maybe(statement), { minLength: WORKS.length, maxLength: WORKS.length })
  const toFeed = (source: string, said: (Statement | undefined)[]) =>
    feed(source, ...said.flatMap((one, i) => (one === undefined ? [] : [toRecord(source, i, one)])))
  await fc.assert(
    fc.asyncProperty(statements, statements, async (a, b) => {
      const [both, alone] = [new LocalLedger(temporaryFolder()), new LocalLedger(temporaryFolder())]
      const clock = () => NOW
      try {
        await importFeed(feedFromRecords(toFeed('a', a)), both, { clock })
        await importFeed(feedFromRecords(toFeed('b', b)), both, { clock })
        await removeSource(both, 'a', { clock })
        await importFeed(feedFromRecords(toFeed('b', b)), alone, { clock })
        expect(comparable(both.catalog)).toEqual(comparable(alone.catalog))
        expect(both.catalog.counts().offersBySource).toEqual(alone.catalog.counts().offersBySource)
        expect(checkCatalog(both.catalog)).toEqual([])
      } finally {
        await both.close()
        await alone.close()
      }
    }),
    propertyRuns(4, 26),
  )
})
