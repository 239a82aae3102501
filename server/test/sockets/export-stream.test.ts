import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import { aDelta, aMovie, aSnapshot } from '../support/builders.ts'
import { aTestService } from '../support/test-service.ts'

// Long overviews of one word: an export is larger than all buffers between the service and a client that reads nothing.
const COUNT = 60
const OVERVIEW_BYTES = 200_000
const overviewOf = (id: number) => String.fromCharCode(0x61 + (id % 26)).repeat(OVERVIEW_BYTES)
const movies = Array.from({ length: COUNT }, (_, i) =>
  aMovie({ id: String(1 + i), title: 'Before', overview: overviewOf(1 + i) }),
)
const service = await aTestService(aSnapshot(...movies))

/** Serves the catalog on a port, as the worker of a service does. */
async function serve(options: { maxExportMs?: number; writeTimeoutMs?: number } = {}) {
  const engine = new CatalogQueryEngine(service.ledger.catalog, options)
  const app = createApp({
    engine,
    keys: service.accounts.keys,
    meter: service.meter,
    clock: () => service.now,
    settings: { marketplace: 'Market', keyPrefix: 'mq-key-', countries: 'array' },
    logger: false,
    ...(options.writeTimeoutMs !== undefined && { writeTimeoutMs: options.writeTimeoutMs }),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as { port: number }
  return { engine, port, base: `http://127.0.0.1:${port}/v4`, headers: { 'x-api-key': service.directKey } }
}

/** Resolves when the first export of an engine is closed. */
function firstClosed(engine: CatalogQueryEngine): Promise<void> {
  const open = engine.openExport.bind(engine)
  return new Promise((resolve) => {
    engine.openExport = (query, now) => {
      const opened = open(query, now)
      return (
        opened && {
          chunks: opened.chunks,
          close() {
            opened.close()
            resolve()
          },
        }
      )
    }
  })
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

it.each(['identity', 'gzip'])('arrives whole at a client that reads slowly, %s', async (encoding) => {
  const { base, headers } = await serve()
  const url = `${base}/catalog/export?country=us`
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { ...headers, 'accept-encoding': encoding } }, resolve).on('error', reject)
  })
  const parts: Buffer[] = []
  for await (const part of response) {
    parts.push(part)
    // The service has many turns of the event loop for each part that is read.
    for (let turn = 0; turn < 10; turn++) await nextTurn()
  }
  const body = Buffer.concat(parts)
  const shows = linesOf((encoding === 'gzip' ? gunzipSync(body) : body).toString()).filter(({ id }) => id !== undefined)
  expect(shows).toHaveLength(COUNT)
  for (const { id, overview } of shows) expect(overview === overviewOf(Number(id)), `show ${id}`).toBe(true)
})

it('is of one version, whatever is imported while it is read, and other requests see the new version meanwhile', async () => {
  const engine = new CatalogQueryEngine(service.ledger.catalog)
  const query = { kind: 'export', country: 'us', granularity: 'show', language: 'en' } as const
  const opened = engine.openExport(query, service.now)
  const parts: Buffer[] = []
  for await (const part of opened?.chunks ?? []) {
    if (parts.push(Buffer.from(part)) > 1) continue
    await service.import(aDelta(...[COUNT - 1, COUNT].map((id) => aMovie({ id: String(id), title: 'After' }))))
    expect((await service.get(`/shows/${COUNT}?country=us`)).body.title).toBe('After')
  }
  opened?.close()
  const lines = linesOf(Buffer.concat(parts).toString())
  const titles = lines.filter(({ itemType }) => itemType === 'show').map(({ title }) => title)
  expect(titles).toEqual(Array(COUNT).fill('Before'))
  expect(lines.at(-1)).toEqual({ kind: 'end', complete: true, shows: COUNT })
  const altered = linesOf((await service.get(`/catalog/export?country=us&since=${lines[0].since}`)).text)
  expect(altered.filter(({ title }) => title === 'After')).toHaveLength(2)
})

it('waits for a client that reads nothing, ends its connection after the write timeout, and frees the snapshot', async () => {
  const { engine, port } = await serve({ writeTimeoutMs: 1_000 })
  const freed = firstClosed(engine)
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  socket.write(`GET /v4/catalog/export?country=us HTTP/1.1\r\nHost: a\r\nX-API-Key: ${service.directKey}\r\n\r\n`)
  await freed
  socket.resume()
  await closed
  expect(socket.bytesRead).toBeLessThan(COUNT * OVERVIEW_BYTES)
})

it('is cut short after its time, and complete when the rest is fetched by the cursors', async () => {
  const { base, headers } = await serve({ maxExportMs: 0 })
  const ids = new Set<string>()
  let cursor = ''
  for (let parts = 1; ; parts++) {
    const text = await (await fetch(`${base}/catalog/export?country=us${cursor}`, { headers })).text()
    const lines = linesOf(text)
    for (const { id } of lines) if (id !== undefined) ids.add(id)
    const end = lines.at(-1)
    if (end.complete) {
      expect([ids.size, parts > 10]).toEqual([COUNT, true])
      return
    }
    cursor = `&cursor=${encodeURIComponent(end.cursor)}`
  }
})

it('answers 503 while as many exports are open as a process makes', async () => {
  const { engine, base, headers } = await serve()
  const query = { kind: 'export', country: 'us', granularity: 'show', language: 'en' } as const
  const opened = [1, 2, 3, 4].map(() => engine.openExport(query, service.now))
  const refused = await fetch(`${base}/catalog/export?country=us`, { headers })
  expect([refused.status, refused.headers.get('x-error-code'), refused.headers.get('retry-after')]).toEqual([
    503,
    'overloaded',
    '60',
  ])
  for (const one of opened) one?.close()
  const freed = firstClosed(engine)
  const granted = await fetch(`${base}/catalog/export?country=us`, { headers, method: 'HEAD' })
  expect(granted.status).toBe(200)
  await freed
})
