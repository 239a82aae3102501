import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { aDelta, aMovie, aSeries, aSnapshot } from '../support/builders.ts'
import { parseEvents } from '../support/stream-events.ts'
import type { TestService } from '../support/test-service.ts'
import { aRunningService } from './running-service.ts'

const FILTERS = 'country=us&change_type=new,updated,removed&item_type=show,season,episode'
/** Opens a stream over HTTP and collects what it sends. */
async function connect(service: TestService, path: string, headers: Record<string, string> = {}) {
  if (!service.app.server.listening) await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as { port: number }
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const answer = await fetch(`http://127.0.0.1:${port}/v4/changes/stream?${path}`, {
    headers: { 'x-api-key': service.directKey, ...headers },
    signal: stop.signal,
  })
  const received = { text: '', isOver: false }
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const part of answer.body ?? []) received.text += decoder.decode(part, { stream: true })
    received.isOver = true
  }
  void read().catch(() => {})
  return { answer, received, stop }
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 20 })

describe('GET /changes/stream', async () => {
  const service = await aRunningService(aSnapshot(aMovie({ id: '1' }), aSeries({ id: '2' })))

  it('sends changes as they are committed, each with its show and a token', async () => {
    const { answer, received } = await connect(service, FILTERS)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    await service.import(aDelta(aMovie({ id: '3' })))
    await until(() => expect(parseEvents(received.text).events).toHaveLength(1))
    const [event] = parseEvents(received.text).events
    expect(event?.data).toMatchObject({ changeType: 'new', itemType: 'show', showId: '3', show: { id: '3' } })
    const polled = (await service.get(`/changes?${FILTERS}&since=${event?.id}`)).body
    expect(polled.changes).toEqual([])
  })

  it('goes on behind the event that Last-Event-ID names, also after a cut before the first event', async () => {
    const first = await connect(service, FILTERS)
    await until(() => expect(parseEvents(first.received.text).lastId).toBeDefined())
    first.stop.abort()
    await service.import(aDelta(aMovie({ id: '4' }), aMovie({ id: '5' })))
    const { lastId = '' } = parseEvents(first.received.text)
    const second = await connect(service, `${FILTERS}&since=now`, { 'last-event-id': lastId })
    await until(() => expect(parseEvents(second.received.text).events).toHaveLength(2))
    const [four] = parseEvents(second.received.text).events
    const third = await connect(service, `${FILTERS}&since=${four?.id}`)
    await until(() => expect(parseEvents(third.received.text).events.map(({ data }) => data.showId)).toEqual(['5']))
  })

  it('takes the filters of /changes', async () => {
    const { since } = (await service.get(`/changes?${FILTERS}&since=now`)).body
    await service.import(aDelta(aMovie({ id: '1', streamingOptions: {} }), aMovie({ id: '6' })))
    const ids = async (filters: string, count: number) => {
      const { received } = await connect(service, `${filters}&since=${since}`)
      await until(() => expect(parseEvents(received.text).events).toHaveLength(count))
      return parseEvents(received.text).events.map(({ data }) => `${data.changeType} ${data.showId}`)
    }
    expect(await ids('country=us&change_type=removed&item_type=show', 1)).toEqual(['removed 1'])
    expect(await ids('country=us&change_type=new,removed&item_type=show&show_type=movie', 2)).toEqual([
      'removed 1',
      'new 6',
    ])
    expect(await ids('country=us&change_type=new&item_type=show,episode&catalogs=netflix', 1)).toEqual(['new 6'])
  })

  it.each([
    ['country=us&change_type=expiring&item_type=show', {}, 400, 'invalid_parameter', 'change_type'],
    [`${FILTERS}&since=nonsense`, {}, 400, 'invalid_parameter', 'since'],
    [FILTERS, { 'last-event-id': '1.abc' }, 410, 'token_expired', 'since'],
    [FILTERS, { 'x-api-key': 'wrong' }, 401, 'invalid_key', undefined],
  ] as const)('%s with %j is %d', async (path, headers, status, code, parameter) => {
    const answer = await service.get(`/changes/stream?${path}`, { headers })
    expect([answer.status, answer.error]).toEqual([status, { code, parameter }])
  })

  it('answers HEAD without opening a stream', async () => {
    const answer = await service.get(`/changes/stream?${FILTERS}`, { method: 'HEAD' })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })

  it('ends streams when the service closes', async () => {
    const closing = await aRunningService(aSnapshot(aMovie({ id: '1' })))
    const { received } = await connect(closing, FILTERS)
    await closing.app.close()
    await until(() => expect(received.isOver).toBe(true))
  })
})
