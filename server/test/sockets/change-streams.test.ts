import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ChangeStreams, type StreamResponse } from '../../src/http/response/change-streams.ts'
import type { ChangesStreamQuery } from '../../src/query/queries.ts'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import { aRunningService } from '../api/running-service.ts'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, DAY } from '../support/builders.ts'
import { parseEvents, type StreamEvent } from '../support/stream-events.ts'
import type { TestService } from '../support/test-service.ts'

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
  const streams = new ChangeStreams({ engine, clock: () => service.now, maxPerKey: 5_000, isDraining, pollMs: 5 })
  onTestFinished(() => streams.close())
  const open = (since: string, more: Partial<ChangesStreamQuery> = {}, isAllowed = () => true) => {
    const response = new FakeResponse()
    streams.admit({ keyId: 'key', query: { ...QUERY, ...more }, since, isAllowed })(response)
    return response
  }
  return { streams, open, engine }
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 20 })

describe('the streams of a process', async () => {
  it('send heartbeats with the token of the moment, and end when the key does', async () => {
    const service = await aRunningService(aSnapshot(aMovie({ id: '1' })))
    const { streams, open } = aProcess(service)
    let isAllowed = true
    const response = open('now', {}, () => isAllowed)
    await service.import(aDelta(aMovie({ id: '9', streamingOptions: { gb: [anOption()] } })))
    const { since } = (await service.get(`/changes?${FILTERS}&since=now`)).body
    await until(() => {
      service.now += 15
      expect(response.text).toContain(': heartbeat\n')
      expect(parseEvents(response.text).lastId).toBe(since)
    })
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
    await service.import(aDelta(...Array.from({ length: 120 }, (_, i) => aMovie({ id: String(1_000 + i), overview }))))
    await until(() => expect(parseEvents(quick.text).events).toHaveLength(120))
    expect(slow.text.length).toBeLessThan(400 * 1024)
    slow.drain()
    await until(() => expect(parseEvents(slow.text).events).toHaveLength(120))
    expect(parseEvents(slow.text).events).toEqual(parseEvents(quick.text).events)
  })

  it('end with an event when what follows is no longer kept, and when the process drains', async () => {
    const service = await aRunningService(aSnapshot(aMovie({ id: '1' })))
    let isDraining = false
    const { open, engine } = aProcess(service, () => isDraining)
    const stuck = open('now')
    stuck.isStuck = true
    const overview = 'x'.repeat(4_000)
    await service.import(aDelta(...Array.from({ length: 100 }, (_, i) => aMovie({ id: String(1_000 + i), overview }))))
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
    const seen: StreamEvent[] = []
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
    for (let commit = 0; commit < 25; commit++) {
      service.now += 60
      const shows = Array.from({ length: 1 + random(12) }, () => {
        const id = String(10 + random(30))
        const streamingOptions = { us: random(3) === 0 ? [] : [anOption({ link: `https://a.test/${random(9)}` })] }
        return random(4) === 0 ? aSeries({ id: `9${id}`, streamingOptions }) : aMovie({ id, streamingOptions })
      })
      await service.import(aDelta(...new Map(shows.map((show) => [show.id, show])).values()))
      for (let i = 0; i < 40; i++) {
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
    const print = ({ data: { show: _show, ...change } }: StreamEvent) => JSON.stringify(change)
    expect(seen.map(print)).toEqual(changes.map((change) => JSON.stringify(change)))
    expect(seen.map(({ id }) => id)).toEqual(parseEvents(whole.text).events.map(({ id }) => id))
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
  })
})
