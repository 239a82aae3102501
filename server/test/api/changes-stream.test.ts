import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ChangeStreams, type StreamResponse } from '../../src/http/response/change-streams.ts'
import type { ChangesStreamQuery } from '../../src/query/queries.ts'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, DAY } from '../support/builders.ts'
import type { TestService } from '../support/test-service.ts'
import { aRunningService } from './running-service.ts'

const FILTERS = 'country=us&change_type=new,updated,removed&item_type=show,season,episode'
const QUERY: ChangesStreamQuery = {
  kind: 'changes-stream',
  country: 'us',
  changeTypes: ['new', 'updated', 'removed'],
  itemTypes: ['show', 'season', 'episode'],
  catalogs: [],
  since: 'now',
  language: 'en',
}

interface Event {
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies freely.
  readonly data: any
}

/** The complete events of a text, the ids of empty ones included. */
function parseEvents(text: string): { readonly events: Event[]; readonly lastId: string | undefined } {
  const blocks = text.split('\n\n').slice(0, -1)
  const field = (block: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  const ids = blocks.map((block) => field(block, 'id')).filter((id) => id !== undefined)
  const events = blocks.flatMap((block) => {
    const data = field(block, 'data')
    return data === undefined ? [] : [{ id: field(block, 'id') ?? '', data: JSON.parse(data) }]
  })
  return { events, lastId: ids.at(-1) }
}

/** A response in memory whose client takes everything, or nothing while `isStuck`. */
class FakeResponse implements StreamResponse {
  text = ''
  isEnded = false
  isStuck = false
  writableLength = 0
  private readonly listeners: Record<string, () => void> = {}

  write(chunk: string | Buffer): boolean {
    this.text += chunk.toString()
    if (this.isStuck) this.writableLength += chunk.length
    return !this.isStuck
  }

  end(): void {
    this.isEnded = true
    this.listeners.close?.()
  }

  on(event: string, listener: () => void): void {
    this.listeners[event] = listener
  }

  /** The client takes what is pending. */
  drain(): void {
    this.isStuck = false
    this.writableLength = 0
    this.listeners.drain?.()
  }
}

/** The streams of a process on the catalog of a service, opened without HTTP. */
function aProcess(service: TestService, isDraining = () => false) {
  const engine = new CatalogQueryEngine(service.ledger.catalog)
  const streams = new ChangeStreams({ engine, clock: () => service.now, maxPerKey: 5_000, isDraining })
  onTestFinished(() => streams.close())
  const open = (since: string, more: Partial<ChangesStreamQuery> = {}, isAllowed = () => true) => {
    const response = new FakeResponse()
    streams.admit({ keyId: 'key', query: { ...QUERY, ...more }, since, isAllowed })(response)
    return response
  }
  return { streams, open, engine }
}

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

const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 20 })

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

describe('the streams of a process', async () => {
  it('send heartbeats with the token of the moment, and end when the key does', async () => {
    const service = await aRunningService(aSnapshot(aMovie({ id: '1' })))
    const { streams, open } = aProcess(service)
    let isAllowed = true
    const response = open('now', {}, () => isAllowed)
    await service.import(aDelta(aMovie({ id: '9', streamingOptions: { gb: [anOption()] } })))
    service.now += 14
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(response.text).not.toContain('heartbeat')
    service.now += 1
    await until(() => expect(response.text).toContain(': heartbeat\n'))
    const { lastId } = parseEvents(response.text)
    expect(lastId).toBe((await service.get(`/changes?${FILTERS}&since=now`)).body.since)
    isAllowed = false
    service.now += 15
    await until(() => expect(response.isEnded).toBe(true))
    expect(streams.size).toBe(0)
  })

  it('pause for a client that takes nothing, and send it the rest later', async () => {
    const service = await aRunningService(aSnapshot(aMovie({ id: '1' })))
    const { open } = aProcess(service)
    const [quick, slow] = [open('now'), open('now')]
    slow.isStuck = true
    const overview = 'x'.repeat(4_000)
    await service.import(aDelta(...Array.from({ length: 400 }, (_, i) => aMovie({ id: String(1_000 + i), overview }))))
    await until(() => expect(parseEvents(quick.text).events).toHaveLength(400))
    expect(slow.text.length).toBeLessThan(400 * 1024)
    slow.drain()
    await until(() => expect(parseEvents(slow.text).events).toHaveLength(400))
    expect(parseEvents(slow.text).events).toEqual(parseEvents(quick.text).events)
  })

  it('end with an event when what follows is no longer kept, and when the process drains', async () => {
    const service = await aRunningService(aSnapshot(aMovie({ id: '1' })))
    let isDraining = false
    const { open, engine } = aProcess(service, () => isDraining)
    const stuck = open('now')
    stuck.isStuck = true
    const overview = 'x'.repeat(4_000)
    await service.import(aDelta(...Array.from({ length: 200 }, (_, i) => aMovie({ id: String(1_000 + i), overview }))))
    await until(() => expect(stuck.writableLength).toBeGreaterThan(256 * 1024))
    await service.import(aDelta(aMovie({ id: '7' })))
    await service.advance(80 * DAY)
    await service.import(aDelta(aMovie({ id: '8' })))
    expect(() => engine.resolveStreamToken(parseEvents(stuck.text).lastId ?? '')).toThrow(/Start again/)
    stuck.drain()
    await until(() => expect(stuck.isEnded).toBe(true))
    expect(stuck.text).toMatch(/event: expired\ndata: \{"code":"token_expired"/)
    const live = open('now')
    isDraining = true
    await until(() => expect(live.isEnded).toBe(true))
  })

  it('miss nothing and repeat nothing when they are cut at 1,000 random points and resumed', async () => {
    const service = await aRunningService(aSnapshot(aMovie({ id: '1' }), aSeries({ id: '2' })))
    const { open, streams } = aProcess(service)
    // A small generator of numbers with a fixed seed.
    let state = 20
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return state % below
    }
    const whole = open('now')
    const start = parseEvents(whole.text).lastId ?? ''
    let [reader, resumed, lastId] = [open(start), 0, start]
    const seen: Event[] = []
    /** Takes the whole events before a random byte, drops the connection and goes on behind the last of them. */
    const cut = () => {
      const bytes = random(reader.text.length + 1)
      const taken = parseEvents(reader.text.slice(0, bytes))
      seen.push(...taken.events)
      lastId = taken.lastId ?? lastId
      reader.end()
      reader = open(lastId)
      resumed++
    }
    for (let commit = 0; commit < 40; commit++) {
      service.now += 60
      const shows = Array.from({ length: 1 + random(12) }, () => {
        const id = String(10 + random(30))
        const streamingOptions = { us: random(3) === 0 ? [] : [anOption({ link: `https://a.test/${random(9)}` })] }
        return random(4) === 0 ? aSeries({ id: `9${id}`, streamingOptions }) : aMovie({ id, streamingOptions })
      })
      await service.import(aDelta(...new Map(shows.map((show) => [show.id, show])).values()))
      for (let i = 0; i < 25; i++) {
        cut()
        if (random(3) === 0) await once(AbortSignal.timeout(0), 'abort')
      }
    }
    expect(streams.size).toBe(2)
    const changes = (await service.allChanges(`/changes?${FILTERS}&since=${start}`)).changes
    await until(() => expect(parseEvents(whole.text).events).toHaveLength(changes.length))
    await until(() => expect(seen.length + parseEvents(reader.text).events.length).toBe(changes.length))
    seen.push(...parseEvents(reader.text).events)
    expect(resumed).toBe(1_000)
    const print = ({ data: { show: _show, ...change } }: Event) => JSON.stringify(change)
    expect(seen.map(print)).toEqual(changes.map((change) => JSON.stringify(change)))
    expect(seen.map(({ id }) => id)).toEqual(parseEvents(whole.text).events.map(({ id }) => id))
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
  })
})
