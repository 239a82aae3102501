import { describe, expect, it } from 'vitest'
import { Marquee, ServiceError } from '../src/index.ts'
import { answer, startFaultServer } from './support/fault-server.ts'

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'
const PARAMETERS = { country: 'us', changeType: ['new'], itemType: ['show'] } as const

const event = (id: number) =>
  `id: ${id}\nevent: change\ndata: {"changeType":"new","showId":"${id}","show":{"id":"${id}"}}\n\n`

const clientOf = (baseUrl: string) => new Marquee({ apiKey: 'mq-key-test', baseUrl, sleep: async () => {} })

describe('a stream of changes', () => {
  it('goes on behind the last event, however connections end', async () => {
    const lastIds: (string | undefined)[] = []
    const server = await startFaultServer((socket, n) => {
      const request = String(requests[n])
      lastIds.push(/last-event-id: (\S+)/i.exec(request)?.[1])
      const last = Number(lastIds.at(-1) ?? 0)
      if (n % 5 === 1) socket.end(answer(503, '{"detail":"No.","code":"overloaded"}'))
      else if (n % 5 === 2) socket.resetAndDestroy()
      // The second event is cut off, and comes again.
      else
        socket.end(`${HEAD}retry: 1\nid: ${last}\n\n: heartbeat\n\n${event(last + 1)}${event(last + 2).slice(0, -9)}`)
    })
    const requests: string[] = []
    const seen: string[] = []
    const client = new Marquee({
      apiKey: 'mq-key-test',
      baseUrl: server.baseUrl,
      sleep: async () => {},
      fetch: (url, init) => {
        const headers = new Headers(init?.headers)
        requests.push([...headers].map(([name, value]) => `${name}: ${value}`).join('\n'))
        return fetch(url, init)
      },
    })
    for await (const change of client.changes.stream(PARAMETERS)) {
      expect([change.show.id, change.since]).toEqual([change.showId, change.showId])
      seen.push(change.showId)
      if (seen.length === 12) break
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, i) => String(i + 1)))
    expect(lastIds.slice(0, 4)).toEqual([undefined, '1', '1', '1'])
    await server.released()
  })

  it('fails with the error of the service when its token has expired', async () => {
    const server = await startFaultServer((socket, n) => {
      if (n === 0) socket.end(`${HEAD}id: 1\n\nevent: expired\ndata: {"code":"token_expired"}\n\n`)
      else socket.end(answer(410, '{"detail":"Start again.","code":"token_expired"}'))
    })
    const next = clientOf(server.baseUrl).changes.stream(PARAMETERS).next()
    await expect(next).rejects.toMatchObject({ name: 'ServiceError', code: 'token_expired' })
    await expect(next).rejects.toBeInstanceOf(ServiceError)
  })

  it('gives up after as many failures in a row as the options say, and when it is aborted', async () => {
    const server = await startFaultServer((socket) => socket.destroy())
    const { changes } = clientOf(server.baseUrl)
    await expect(changes.stream(PARAMETERS, { retries: 3 }).next()).rejects.toMatchObject({ name: 'ConnectionError' })
    expect(server.requests()).toBe(4)
    const reason = new Error('enough')
    const aborted = changes.stream(PARAMETERS, { signal: AbortSignal.abort(reason) }).next()
    await expect(aborted).rejects.toBe(reason)
  })

  it('ends at once when it is aborted while it waits before the next connection, as an export does', async () => {
    const server = await startFaultServer((socket) =>
      socket.end(answer(503, '{"detail":"No.","code":"overloaded"}', { 'retry-after': 60 })),
    )
    const client = new Marquee({ apiKey: 'mq-key-test', baseUrl: server.baseUrl })
    const reason = new Error('enough')
    const calls = [
      (signal: AbortSignal) => client.changes.stream(PARAMETERS, { signal }).next(),
      (signal: AbortSignal) => client.catalog.export({ country: 'us' }, { signal }).next(),
    ]
    for (const [i, call] of calls.entries()) {
      const controller = new AbortController()
      const result = expect(call(controller.signal)).rejects.toBe(reason)
      await expect.poll(() => server.requests()).toBe(i + 1)
      setTimeout(() => controller.abort(reason), 100)
      await result
    }
  })
})
