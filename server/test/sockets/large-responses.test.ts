import { connect } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import { CatalogStateReader } from '../../src/render/catalog-state.ts'
import { createUncachedPrinter } from '../../src/render/printer/show-printer.ts'
import type { RenderedResponse } from '../../src/render/query-engine.ts'
import { aDelta, aMovie, anOption, aSeries, aSnapshot } from '../support/builders.ts'
import { aTestService } from '../support/test-service.ts'

// Long overviews: the series is larger than what is rendered at once, with few items to import.
const OVERVIEW = 'x'.repeat(40_000)
const SLICE_BYTES = 256 * 1024
const SERIES = '/shows/2?country=us&series_granularity=episode'
const aSeason = (number: number, episodes: number | undefined) => ({
  itemType: 'season',
  title: `Season ${number}`,
  streamingOptions: { us: [anOption()] },
  ...(episodes !== undefined && {
    episodes: Array.from({ length: episodes }, (_, i) => ({
      itemType: 'episode',
      title: `Episode ${i + 1}`,
      overview: OVERVIEW,
      // Options that are about to expire limit how long the response is valid.
      streamingOptions: { us: [anOption({ link: `https://a.test/${number}/${i}`, expiresOn: 1_900_000_000 + i })] },
    })),
  }),
})
const seasons = [20, 0, undefined, 1, 60, 40].map((episodes, i) => aSeason(i + 1, episodes))
const service = await aTestService(aSnapshot(aMovie({ id: '1' }), aSeries({ id: '2', title: 'Before', seasons })))
const { catalog } = service.ledger

/** The series as it is when it is rendered at once. */
function renderAtOnce(): string {
  const { reference } = new CatalogStateReader(catalog).get()
  const options = { countries: ['us'], language: 'en', granularity: 'episode', now: service.now, reference } as const
  const printer = createUncachedPrinter(catalog)
  printer.setOptions(options)
  printer.beginShow(catalog.findDoc('2') as number)
  printer.printSeasons()
  return printer.view().toString()
}

const whole = renderAtOnce()

const query = { kind: 'show', id: '2', countries: ['us'], granularity: 'episode', language: 'en' } as const

/** Renders the series in slices; `onTurn` is called in each turn of the event loop meanwhile. */
async function renderInSlices(engine: CatalogQueryEngine, onTurn: (turns: number) => void) {
  let turns = 0
  let isOver = false
  const turn = () => {
    onTurn(++turns)
    if (!isOver) setImmediate(turn)
  }
  const rendering = engine.execute(query, service.now)?.renderInTurns?.() as Promise<RenderedResponse>
  setImmediate(turn)
  const { body, contentHash } = await rendering
  isOver = true
  return { text: Buffer.concat([body.bytes, ...(body.rest ?? [])]).toString(), contentHash, turns, body }
}

async function serve(options: { fastPath?: 'on' | 'off'; writeTimeoutMs?: number } = {}) {
  const { fastPath = 'on', writeTimeoutMs } = options
  const engine = new CatalogQueryEngine(catalog)
  const app = createApp({
    engine,
    keys: service.accounts.keys,
    meter: service.meter,
    clock: () => service.now,
    settings: { marketplace: 'Market', keyPrefix: 'mq-key-', countries: 'array', fastPath },
    logger: false,
    ...(writeTimeoutMs !== undefined && { writeTimeoutMs }),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as { port: number }
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`http://127.0.0.1:${port}/v4${path}`, { method, headers: { 'x-api-key': service.directKey, ...headers } })
  return { engine, port, get }
}

it('is rendered in slices, with other work between them, and the same bytes', async () => {
  const { text, turns } = await renderInSlices(new CatalogQueryEngine(catalog), () => {})
  expect(text === whole).toBe(true)
  expect(turns).toBeGreaterThanOrEqual(Math.floor(whole.length / (2 * SLICE_BYTES)))
})

it.each(['on', 'off'] as const)('is sent whole, compressed or not, fast path %s', async (fastPath) => {
  const { get } = await serve({ fastPath })
  const plain = await get(SERIES, { 'accept-encoding': 'identity' })
  expect((await plain.text()) === whole).toBe(true)
  const etag = plain.headers.get('etag') as string
  expect(plain.headers.get('content-length')).toBe(String(Buffer.byteLength(whole)))
  for (const encoding of ['br', 'gzip']) {
    const response = await get(SERIES, { 'accept-encoding': encoding })
    expect([response.headers.get('content-encoding'), response.headers.get('etag')]).toEqual([encoding, etag])
    expect((await response.text()) === whole).toBe(true)
  }
  expect((await get(SERIES, { 'if-none-match': etag })).status).toBe(304)
  const head = await get(SERIES, { 'accept-encoding': 'identity' }, 'HEAD')
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(whole)))
})

it('is one show of a page as well', async () => {
  const { get } = await serve()
  const page = await (
    await get('/shows/search/filters?country=us&series_granularity=episode&order_by=original_title')
  ).text()
  const movie = await (await get('/shows/1?country=us&series_granularity=episode')).text()
  expect([`{"shows":[${whole},${movie}]`, `{"shows":[${movie},${whole}]`]).toContain(
    page.slice(0, page.lastIndexOf(']') + 1),
  )
})

interface Item {
  seasons?: Item[]
  episodes?: Item[]
  [member: string]: unknown
}

/** The series with members of its seasons and episodes added or chosen. */
function shape(change: (item: Item, number: number) => Item): Item {
  const plain = JSON.parse(whole) as Item
  const seasons = plain.seasons?.map((season, s) => {
    const { episodes, ...rest } = season
    const changed = episodes?.map((episode, e) => change(episode, e + 1))
    return change({ ...rest, ...(changed !== undefined && { episodes: changed }) }, s + 1)
  })
  return { ...plain, seasons: seasons ?? [] }
}

const pick = (item: Item, ...names: string[]) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)))

it.each<[string, Item]>([
  ['include=numbers', shape((item, number) => ({ ...item, number }))],
  ['include=aliases', { ...shape((item) => item), aliases: [] }],
  [
    'fields=id,seasons.title,seasons.number,seasons.episodes.overview',
    pick(
      shape((item, number) =>
        pick({ ...item, number }, ...(item.overview === undefined ? ['title', 'episodes', 'number'] : ['overview'])),
      ),
      'id',
      'seasons',
    ),
  ],
])('has the members that are asked for by %s', async (parameters, expected) => {
  const { engine, get } = await serve()
  const execute = vi.spyOn(engine, 'execute')
  const text = await (await get(`${SERIES}&${parameters}`)).text()
  expect(execute.mock.results[0]?.value.renderInTurns).toBeDefined()
  expect(text === JSON.stringify(expected)).toBe(true)
})

it('names the ids that no show has', async () => {
  const { get } = await serve()
  for (let i = 0; i < 2; i++) {
    const response = await get('/shows?ids=2,tt9999999&country=us&series_granularity=episode')
    expect(response.headers.get('x-unknown-ids')).toBe('tt9999999')
    expect((await response.text()) === `[${whole}]`).toBe(true)
  }
})

it('is kept for a query that comes again, while it is valid and the catalog is the same', async () => {
  const own = await aTestService(aSnapshot(aSeries({ id: '2', title: 'Before', seasons })))
  const engine = new CatalogQueryEngine(own.ledger.catalog)
  const render = async (now: number) => {
    const response = engine.execute(query, now, true) as RenderedResponse
    const { body, validUntil } =
      response.renderInTurns === undefined ? response : ((await response.renderInTurns()) as RenderedResponse)
    body.release?.()
    const text = Buffer.concat([body.bytes, ...(body.rest ?? [])]).toString()
    return { isKept: response.renderInTurns === undefined, title: JSON.parse(text).title, validUntil }
  }
  const first = await render(own.now)
  expect(first).toMatchObject({ isKept: false, title: 'Before' })
  expect(await render(first.validUntil - 1)).toEqual({ ...first, isKept: true })
  expect(await render(first.validUntil)).toMatchObject({ isKept: false })
  await own.import(aDelta(aSeries({ id: '2', title: 'After', seasons })))
  expect(await render(own.now)).toMatchObject({ isKept: false, title: 'After' })
  expect(await render(own.now)).toMatchObject({ isKept: true, title: 'After' })
})

it('has the provenance of one moment, and another entity tag once that has changed', async () => {
  const feed = () => aSnapshot(aSeries({ id: '2', title: 'Before', seasons }))
  const own = await aTestService(feed())
  const engine = new CatalogQueryEngine(own.ledger.catalog)
  const shape = {
    name: 'provenance',
    includes: new Set(['provenance'] as const),
    extraMembers: new Set(['provenance']),
    services: new Set<string>(),
  }
  const asked = { ...query, shape }
  const render = async (onTurn?: () => Promise<unknown>) => {
    const response = engine.execute(asked, own.now, true) as RenderedResponse
    const rendering = response.renderInTurns?.()
    await onTurn?.()
    const { body, contentHash } = rendering === undefined ? response : ((await rendering) as RenderedResponse)
    body.release?.()
    const text = Buffer.concat([body.bytes, ...(body.rest ?? [])]).toString()
    const confirmed = new Set(text.match(/"lastConfirmed":\d+/g))
    return { isKept: rendering === undefined, confirmed: [...confirmed], contentHash }
  }
  const before = { confirmed: [`"lastConfirmed":${own.now}`], contentHash: engine.contentHash(asked) }
  const importAgain = async () => {
    // The clock of the import is later than that of the request.
    own.now += 3_600
    await own.import(feed())
  }
  expect(await render(importAgain)).toEqual({ isKept: false, ...before })
  const after = { confirmed: [`"lastConfirmed":${own.now}`], contentHash: engine.contentHash(asked) }
  expect(after.contentHash).not.toBe(before.contentHash)
  expect(await render()).toEqual({ isKept: false, ...after })
  expect(await render()).toEqual({ isKept: true, ...after })
})

it('has a history that is rendered in slices as well', async () => {
  const episodes = Array.from({ length: 3_000 }, (_, i) => ({
    itemType: 'episode',
    title: `Episode ${i + 1}`,
    streamingOptions: { us: [anOption()] },
  }))
  const { ledger } = await aTestService(
    aSnapshot(aSeries({ id: '2', seasons: [{ ...aSeason(1, undefined), episodes }] })),
  )
  const engine = new CatalogQueryEngine(ledger.catalog)
  const asked = { kind: 'history', id: '2', country: 'us', granularity: 'episode', language: 'en' } as const
  const rendering = engine.execute(asked, service.now)?.renderInTurns?.() as Promise<RenderedResponse>
  const { body } = await rendering
  const history = JSON.parse(Buffer.concat([body.bytes, ...(body.rest ?? [])]).toString())
  expect(history).toMatchObject({ showId: '2', country: 'us' })
  const numbers = history.places.flatMap(({ episode }: { episode?: number }) => episode ?? [])
  expect(numbers).toEqual(episodes.map((_, i) => i + 1))
})

it('is freed when a client reads nothing and is cut off', async () => {
  const { engine, port } = await serve({ writeTimeoutMs: 1_000 })
  const freed = new Promise<void>((resolve) => {
    const execute = engine.execute.bind(engine)
    engine.execute = (asked, now) => {
      const response = execute(asked, now)
      const render = response?.renderInTurns
      if (response === undefined || render === undefined) return response
      const renderInTurns = async () => {
        const rendered = (await render()) as RenderedResponse
        const release = () => {
          rendered.body.release?.()
          resolve()
        }
        return { ...rendered, body: { ...rendered.body, release } }
      }
      return { ...response, renderInTurns }
    }
  })
  const socket = connect(port, '127.0.0.1').pause()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  socket.write(`GET /v4${SERIES} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${service.directKey}\r\n\r\n`)
  await freed
  socket.resume()
  await closed
  expect(socket.bytesRead).toBeLessThan(whole.length)
  expect((await renderInSlices(engine, () => {})).text === whole).toBe(true)
})

it('is a line of an export, which is made in slices as well', async () => {
  const { get } = await serve()
  const response = await get('/catalog/export?country=us&series_granularity=episode')
  const lines = (await response.text()).split('\n')
  expect(lines.filter((line) => line === whole)).toHaveLength(1)
})

it('is of one version, whatever is imported meanwhile', async () => {
  let importing: Promise<unknown> | undefined
  const engine = new CatalogQueryEngine(catalog)
  const before = engine.contentHash(query)
  const { text, contentHash } = await renderInSlices(engine, (turns) => {
    if (turns === 2) importing = service.import(aDelta(aSeries({ id: '2', title: 'After', seasons })))
  })
  await importing
  expect([text === whole, contentHash]).toEqual([true, before])
  const after = await renderInSlices(engine, () => {})
  expect([after.text.includes('"title":"After"'), after.contentHash]).toEqual([true, engine.contentHash(query)])
})
