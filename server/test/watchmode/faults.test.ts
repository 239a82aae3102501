import { expect, test } from 'vitest'
import { failFirst, TITLE_FAULTS } from '../support/title-faults.ts'
import { aWatchmodeClient, aWatchmodeSync } from '../support/watchmode/sync-with.ts'

test('a fault that passes, on any path, delays a sync and loses nothing', async () => {
  const clean = await aWatchmodeSync({ titles: 3 })
  await clean.sync()
  const { service, standIn, sync } = await aWatchmodeSync({ titles: 3 })
  for (const [turn, [name, fault]] of Object.entries(TITLE_FAULTS).entries()) {
    standIn.fault = failFirst(fault, 2)
    // Another mapping is another scope, so that all titles are fetched again.
    const report = await sync({ mapping: new Map([[99_999, { service: `none-${turn}` }]]) })
    expect({ name, failures: report.failures, fetched: report.fetched }).toEqual({ name, failures: [], fetched: 3 })
    expect(service.ledger.catalog.counts()).toEqual(clean.service.ledger.catalog.counts())
  }
})

test('a fault of one title keeps its offers, and the next sync tries it again', async () => {
  const { service, standIn, sync } = await aWatchmodeSync({ titles: 6 })
  await sync()
  const before = await service.get('/shows/tt7000001')
  service.now += 8 * 86_400
  standIn.change(1)
  standIn.fault = (path) => (path === '/v1/title/1/details/' ? { kind: 'status', status: 500 } : undefined)
  const report = await sync()
  expect(report.failures).toMatchObject([{ key: '1', problem: expect.stringContaining('500') }])
  expect((await service.get('/shows/tt7000001')).body).toEqual(before.body)
  standIn.fault = () => undefined
  await sync()
  expect((await service.get('/shows/tt7000001')).body.overview).toContain('revision 1')
})

test('an answer without its offers is no answer', async () => {
  const { service, standIn, sync } = await aWatchmodeSync({ titles: 2 })
  await sync()
  const before = service.ledger.catalog.counts()
  service.now += 8 * 86_400
  standIn.alter = ({ sources: _, ...title }) => title
  const report = await sync({ client: { attempts: 2 } })
  expect(report.failures).toHaveLength(2)
  expect(service.ledger.catalog.counts()).toEqual(before)
})

test('a series without its episodes keeps those that are known', async () => {
  const { service, standIn, sync } = await aWatchmodeSync({ titles: 3 })
  await sync()
  service.now += 8 * 86_400
  standIn.alter = ({ seasons: _, episodes: __, ...title }) => title
  await sync()
  const { body } = await service.get('/shows/tt7000003?country=us')
  expect(body.seasons[1].episodes[2].streamingOptions.us).toHaveLength(1)
})

test('an invalid key stops the sync at once, with the message of Watchmode', async () => {
  const { standIn, sync } = await aWatchmodeSync()
  await expect(sync({ client: { key: 'wrong' } })).rejects.toThrow(/does not accept the token: Invalid API key/)
  expect(standIn.requests).toHaveLength(1)
})

test('an id map that breaks off is read again, and a page in its place is an error', async () => {
  const { standIn, sync } = await aWatchmodeSync()
  standIn.fault = failFirst({ kind: 'cut' }, 2, (path) => path.endsWith('.csv'))
  expect(await sync({ onlyKnown: true })).toMatchObject({ fetched: 0, failures: [] })
  standIn.fault = (path) => (path.endsWith('.csv') ? { kind: 'no-json' } : undefined)
  await expect(sync({ onlyKnown: true, limit: 5 })).rejects.toThrow(/the columns Watchmode ID, IMDB ID, TMDB ID/)
})

test('an answer of 300 MB is aborted after a few, and one that never ends by the timeout', async () => {
  const { standIn } = await aWatchmodeSync()
  let poured = 0
  standIn.fault = () => ({ kind: 'huge', megabytes: 300, onPoured: () => poured++ })
  const client = aWatchmodeClient(standIn, { maxBytes: 8 << 20 })
  await expect(client.title(1, ['us'])).rejects.toThrow(/more than 8388608 bytes/)
  expect(poured).toBeLessThan(100)
  standIn.fault = () => ({ kind: 'drip' })
  const hurried = aWatchmodeClient(standIn, { timeoutMs: 60, attempts: 2 })
  await expect(hurried.title(1, ['us'])).rejects.toThrow(/took too long \(tried 2 times\)/)
})
