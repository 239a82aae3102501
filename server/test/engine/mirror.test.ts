import { getEventListeners } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Change,
  ConnectionError,
  type ExportHead,
  Marquee,
  type Mirror,
  type MirrorSync,
  type Show,
} from 'marquee-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Batch } from '../../src/catalog/write/batch.ts'
import { diff } from '../../src/ingest/rules/diff.ts'
import { isLive, type Offer } from '../../src/model/offer.ts'
import { mapItems, type Show as StoredShow } from '../../src/model/show.ts'
import { aDelta, aMovie, anOption, aSeries, aService, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { runFactor } from '../support/property-runs.ts'
import { aTestService, TestService } from '../support/test-service.ts'

/** A client that asks a service without a port. A response can be cut off: by the number of its request and of bytes. */
function clientOf(service: TestService, cuts: Map<number, number> = new Map()): Marquee {
  let requests = 0
  const fetch = async (url: string, { headers }: { headers: Record<string, string> }) => {
    const { pathname, search } = new URL(url)
    const answer = await service.app.inject({ url: pathname + search, headers })
    const cutAt = cuts.get(++requests)
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const bytes = answer.rawPayload
        controller.enqueue(new Uint8Array(cutAt === undefined ? bytes : bytes.subarray(0, cutAt)))
        if (cutAt === undefined) controller.close()
        else setImmediate(() => controller.error(new Error('reset')))
      },
    })
    return new Response(body, { status: answer.statusCode, headers: answer.headers as Record<string, string> })
  }
  return new Marquee({
    apiKey: service.directKey,
    baseUrl: 'http://service.test/v4',
    fetch: fetch as unknown as typeof globalThis.fetch,
    sleep: async () => {},
  })
}

const byId = (shows: Iterable<Show>) => new Map([...shows].map((show) => [show.id, show]))

/** The shows of the country by another way: page by page. */
async function catalogOf(client: Marquee, country: string): Promise<Map<string, Show>> {
  return byId(await client.shows.filter({ country, seriesGranularity: 'episode' }).all())
}

/** Numbers at random, the same in every run (a linear congruential generator). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A small import at random: shows that come, change in offers or texts, leave, expire, or are announced. */
function anyImport(random: (below: number) => number, now: number): object[] {
  const id = String(1 + random(24))
  if (random(12) === 0) return [{ kind: 'remove', id }]
  if (random(60) === 0) return [aService('mubi', { name: `Mubi ${random(1_000)}`, hasUpcoming: true })]
  const option = () =>
    anOption({
      service: ['netflix', 'prime', 'mubi'][random(3)],
      link: `https://netflix.test/${id}/${random(4)}`,
      availableSince: now - 10 * DAY,
      ...(random(3) === 0 && { expiresOn: now + 60 + random(40 * DAY) }),
      ...(random(6) === 0 && { startsOn: now + 30 + random(DAY / 4), expiresOn: undefined }),
    })
  const options = () => Array.from({ length: random(3) }, option)
  const streamingOptions = Object.fromEntries(
    [['us', options()] as const, ['gb', options()] as const].filter(([, list]) => list.length > 0),
  )
  const fields = { id, streamingOptions, title: `Title ${random(3)}`, rating: random(100) }
  return [Number(id) % 6 === 0 ? aSeries(fields) : aMovie(fields)]
}

/** A commit at random, as an import makes it, of one show: quicker than an import by the time for reading its feed. */
function anyBatch(random: (below: number) => number, { ledger: { catalog }, now }: TestService): Batch {
  const old = catalog.show(random(catalog.nextDoc())) as StoredShow
  const offer = (country: string): Offer => ({
    source: 'test',
    service: ['netflix', 'prime'][random(2)] as string,
    type: (['subscription', 'rent'] as const)[random(2)] as 'subscription' | 'rent',
    link: `https://netflix.test/${country}/${random(3)}`,
    audios: [],
    subtitles: [],
    availableSince: now,
    ...(random(3) === 0 && { expiresOn: now + 600 + random(40 * DAY) }),
    ...(random(8) === 0 && { startsOn: now + 300 }),
  })
  const offers = Object.fromEntries(
    ['us', 'gb'].flatMap((country) => {
      const list =
        random(2) === 0 ? (old.offers[country] ?? []) : Array.from({ length: random(3) }, () => offer(country))
      return list.length === 0 ? [] : [[country, list]]
    }),
  )
  const { deleted: _, ...present } = old
  const isDeleted = random(10) === 0 && old.mergedInto === undefined
  const show: StoredShow = isDeleted
    ? { ...mapItems(present, () => ({})), deleted: true }
    : { ...present, offers, title: `Title ${random(3)}` }
  return { at: now, shows: [show], changes: diff(old, show, now) }
}

const ALL_TYPES = { changeType: ['new', 'updated', 'removed'], itemType: ['show', 'season', 'episode'] } as const

describe('a mirror', () => {
  it('is the catalog after each of some hundred imports, and sees each change once', async () => {
    const service = await aServiceInMemory(aSnapshot(...[1, 2, 3].map((id) => aMovie({ id: String(id) }))))
    const { catalog } = service.ledger
    const client = clientOf(service)
    const random = randomNumbers(19)
    const mirrors = ['us', 'gb'].map((country) => {
      return { country, mirror: client.catalog.mirror({ country }, { now: () => service.now }) }
    })
    const seen: Change[] = []
    let { since } = await client.changes.since({ country: 'us', ...ALL_TYPES, since: 'now' })
    const logged = () => client.changes.list({ country: 'us', ...ALL_TYPES }).all()
    const before = (await logged()).length
    let wholeExports = 0
    for (let i = 0; i < 320 * runFactor; i++) {
      service.now++
      // One in sixteen is a whole import of a feed.
      if (i % 16 === 0) await service.import(aDelta(...(anyImport(random, service.now) as Record<string, unknown>[])))
      else await service.ledger.commit(() => [anyBatch(random, service)])
      if (random(16) === 0) await service.advance(60 + random(600))
      const { country, mirror } = mirrors[i % 2] as (typeof mirrors)[number]
      if ((await mirror.sync()).isWhole) wholeExports++
      expect(mirror.size).toBe(catalog.docsWithTerm(`c/${country}`, catalog.version()).size)
      if (i % 5 === 0) expect(catalogDifferences(mirror, catalog, country)).toEqual([])
      if (i % 40 === 0) expect(byId(mirror.shows())).toEqual(await catalogOf(client, country))
      if (i % 20 > 0) continue
      const more = await client.changes.since({ country: 'us', ...ALL_TYPES, since })
      seen.push(...more.changes)
      since = more.since
    }
    for (const { country, mirror } of mirrors) {
      await mirror.sync()
      expect(byId(mirror.shows())).toEqual(await catalogOf(client, country))
    }
    seen.push(...(await client.changes.since({ country: 'us', ...ALL_TYPES, since })).changes)
    expect(wholeExports).toBe(2)
    expect(seen.map(changeName).sort()).toEqual((await logged()).slice(before).map(changeName).sort())
    expect(seen.length).toBeGreaterThan(160)
  })

  describe('when an export is cut off', async () => {
    const movies = (count: number) => Array.from({ length: count }, (_, i) => aMovie({ id: String(1 + i) }))
    const service = await aTestService(aSnapshot(...movies(120)))
    const whole = async () => catalogOf(clientOf(service), 'us')

    it.each([10, 40_000, 150_000, 300_000])('after %i bytes, goes on where it was', async (bytes) => {
      const mirror = clientOf(service, new Map([[1, bytes]])).catalog.mirror({ country: 'us' })
      expect(await mirror.sync()).toEqual({ updated: 120, removed: 0, isWhole: true })
      expect(byId(mirror.shows())).toEqual(await whole())
    })

    it('gives up after too many failures, and keeps the copy that it had', async () => {
      const cuts = new Map([2, 3, 4, 5].map((request) => [request, 10]))
      const mirror = clientOf(service, cuts).catalog.mirror({ country: 'us' })
      await mirror.sync()
      const { since } = mirror
      await service.import(aDelta(aMovie({ id: '5', title: 'Another' })))
      await expect(mirror.sync()).rejects.toThrow(ConnectionError)
      expect([mirror.since, mirror.size, mirror.get('5')?.title]).toEqual([since, 120, 'Movie 5'])
      expect(await mirror.sync({ retries: 5 })).toEqual({ updated: 1, removed: 0, isWhole: false })
    })

    it('and the catalog changes before it goes on, is complete after the next synchronization', async () => {
      const client = clientOf(service)
      const [head, ...first] = await take(client.catalog.export({ country: 'us' }), 60)
      const cursor = `${(head as ExportHead).since}:${60}`
      await service.import(aDelta(aMovie({ id: '2', title: 'Altered' }), aMovie({ id: '300' })))
      const rest = await take(client.catalog.export({ country: 'us', cursor }), 1_000)
      const shows = [...first, ...rest.slice(1)] as Show[]
      const stored = { since: (rest[0] as ExportHead).since, shows }
      const mirror = client.catalog.mirror({ country: 'us' }, { stored })
      await mirror.sync()
      expect(byId(mirror.shows())).toEqual(await whole())
    })
  })

  it('starts again when its token is older than what is kept', async () => {
    const service = await aTestService(aSnapshot(aMovie({ id: '1' }), aMovie({ id: '2' })))
    const mirror = clientOf(service).catalog.mirror({ country: 'us' })
    await mirror.sync()
    await service.import(aDelta(aMovie({ id: '1', title: 'Another' })))
    await service.advance(70 * DAY)
    await service.import(aDelta({ kind: 'remove', id: '2' }))
    expect(await mirror.sync()).toEqual({ updated: 1, removed: 0, isWhole: true })
    expect([mirror.size, mirror.get('1')?.title]).toEqual([1, 'Another'])
  })

  it('goes on from a stored copy, and follows until it is stopped', async () => {
    const service = await aTestService(aSnapshot(aMovie({ id: '1' }), aMovie({ id: '2' })))
    const client = clientOf(service)
    const first = client.catalog.mirror({ country: 'us' })
    expect(first.copy()).toBeUndefined()
    await first.sync()
    const stored = JSON.parse(JSON.stringify(first.copy()))
    await service.import(aDelta(aMovie({ id: '3' })))
    const second = client.catalog.mirror({ country: 'us' }, { stored })
    const stop = new AbortController()
    const done: MirrorSync[] = []
    for await (const sync of second.follow({ every: 0.001, signal: stop.signal }))
      if (done.push(sync) === 3) stop.abort()
    expect(done.map(({ updated }) => updated)).toEqual([1, 0, 0])
    expect([...second.shows()].map(({ id }) => id)).toEqual(['1', '2', '3'])
  })

  it('stops at once when it is stopped between two synchronizations or in a pause, and leaves nothing at the signal', async () => {
    const service = await aTestService(aSnapshot(aMovie({ id: '1' })))
    const mirror = clientOf(service).catalog.mirror({ country: 'us' })
    const stop = new AbortController()
    const started = Date.now()
    for await (const _ of mirror.follow({ every: 60, signal: stop.signal })) stop.abort()
    const pause = new AbortController()
    for await (const _ of mirror.follow({ every: 60, signal: pause.signal })) setTimeout(() => pause.abort(), 20)
    expect(Date.now() - started).toBeLessThan(20_000)
    const { signal } = new AbortController()
    let rounds = 0
    for await (const _ of mirror.follow({ every: 0.001, signal })) if (++rounds === 5) break
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('says what expires soon by the present time', async () => {
    const expiresOn = NOW + 40 * DAY
    const service = await aTestService(
      aSnapshot(aMovie({ id: '1', streamingOptions: { us: [anOption({ expiresOn })] } })),
    )
    const mirror = clientOf(service).catalog.mirror({ country: 'us' }, { now: () => service.now })
    await mirror.sync()
    const expiresSoon = () => mirror.get('1')?.streamingOptions.us?.[0]?.expiresSoon
    expect(expiresSoon()).toBe(false)
    service.now += 10 * DAY
    expect(expiresSoon()).toBe(true)
    expect(mirror.get('1')).toEqual((await catalogOf(clientOf(service), 'us')).get('1'))
  })
})

/** A service whose files are in memory where the system has such a place: a thousand commits wait for no disk. */
async function aServiceInMemory(records: Iterable<object>): Promise<TestService> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'marquee-mirror-'))
  const service = await TestService.open(folder)
  onTestFinished(async () => {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await service.fill(records)
  return service
}

async function take<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = []
  for await (const item of items) if (taken.push(item) > count) break
  return taken
}

function changeName({ showId, changeType, itemType, season, episode, service, ...rest }: Change): string {
  const { streamingOptionType, timestamp } = rest
  return [timestamp, showId, season, episode, service.id, streamingOptionType, changeType, itemType].join()
}

/** What a copy has too much, too little or otherwise than the catalog, by ids, titles and links. */
function catalogDifferences(mirror: Mirror, catalog: TestService['ledger']['catalog'], country: string): string[] {
  const describe = (id: string, title: string, links: readonly string[]) => `${id} ${title} ${links.join()}`
  const copy = [...mirror.shows()].map(({ id, title, streamingOptions }) =>
    describe(
      id,
      title,
      (streamingOptions[country] ?? []).map(({ link }) => link),
    ),
  )
  const expected = [...catalog.docsWithTerm(`c/${country}`, catalog.version())].map((doc) => {
    const { id, title, offers } = catalog.show(doc) as StoredShow
    return describe(
      id,
      title,
      (offers[country] ?? []).filter(isLive).map(({ link }) => link),
    )
  })
  return [...copy.filter((one) => !expected.includes(one)), ...expected.filter((one) => !copy.includes(one))]
}
