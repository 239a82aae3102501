import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import { WebhookDeliverer } from '../../src/webhooks/deliverer.ts'
import { createSender, type SendMessage } from '../../src/webhooks/send-message.ts'
import { Browser } from '../support/browser.ts'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import type { TestService } from '../support/test-service.ts'
import { WebhookReceiver } from '../support/webhook-receiver.ts'
import { aRunningService } from './running-service.ts'

const ANN = { email: 'ann@example.com', password: 'correct horse battery' }
const HOUR = 3_600

/** Defines a test that takes long. Both stores deliver by the same code, so it is run with the local one only. */
const itLocally = process.env.MARQUEE_TEST_LEDGER === 'postgres' ? () => {} : it

/** A service with a signed-in developer, a receiver, and a process that delivers. */
async function aSetting(now = NOW) {
  const settings = { privateWebhooks: 'allow' } as object
  const service = await aRunningService(aSnapshot(aMovie({ id: '1' }), aSeries({ id: '2' })), settings)
  service.now = now
  const browser = new Browser(service)
  await browser.send('POST', '/sign-up', ANN)
  const receiver = await new WebhookReceiver().listen()
  onTestFinished(() => receiver.close())
  return { service, browser, receiver, deliverer: aDeliverer(service) }
}

const sendNow = createSender({ allowPrivate: true })

function aDeliverer(
  service: TestService,
  onPaused = () => {},
  send = sendNow,
  onResult = (_result: string) => {},
): WebhookDeliverer {
  return new WebhookDeliverer({
    catalog: service.ledger.catalog,
    engine: new CatalogQueryEngine(service.ledger.catalog),
    store: service.accounts.webhooks,
    clock: () => service.now,
    send,
    random: () => 0.5,
    onPaused,
    onResult,
    onError: (error) => expect.fail(String((error as Error).stack)),
  })
}

const subscribe = async (browser: Browser, url: string, filter: object = {}) => {
  const { status, body } = await browser.send('POST', '/webhooks', {
    name: 'mine',
    url,
    filter: { country: 'us', ...filter },
  })
  expect([status, body.message]).toEqual([201, undefined])
  return body as { webhook: { id: string }; secret: string }
}

const movies = (from: number, count: number) =>
  aDelta(...Array.from({ length: count }, (_, i) => aMovie({ id: String(from + i) })))

describe('webhooks', () => {
  it('get signed batches of changes with their shows, which the published library verifies', async () => {
    // The library compares with the clock of the machine.
    const { service, browser, receiver } = await aSetting(Math.floor(Date.now() / 1000))
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const deliverer = aDeliverer(service, undefined, (...request) => released.then(() => sendNow(...request)))
    const { webhook, secret } = await subscribe(browser, receiver.url)
    await service.import(movies(100, 130))
    await deliverer.poll()
    service.now += 60
    expect(deliverer.lagSeconds()).toBe(60)
    release()
    await deliverer.drain()
    expect(deliverer.lagSeconds()).toBe(0)
    expect(deliverer.caches().map((cache) => cache.stats())).toMatchObject([{ name: 'webhook_chunks', entries: 1 }])
    expect(receiver.messages.map(({ body }) => body.data.changes.length)).toEqual([100, 30])
    const [first] = receiver.messages
    expect(new Webhook(secret).verify(first?.text ?? '', first?.headers ?? {})).toMatchObject({ type: 'changes' })
    expect(first?.body.data).toMatchObject({ webhook: webhook.id, country: 'us' })
    expect(first?.body.data.changes[0]).toMatchObject({ changeType: 'new', showId: '100' })
    expect(Object.keys(first?.body.data.shows)).toHaveLength(100)
    expect(first?.body.data.shows['100']).toMatchObject({ title: 'Movie 100' })

    const rotated = (await browser.send('POST', `/webhooks/${webhook.id}/rotate`)).body.secret
    await service.import(movies(300, 1))
    await deliverer.drain()
    const last = receiver.messages.at(-1)
    for (const each of [secret, rotated]) new Webhook(each).verify(last?.text ?? '', last?.headers ?? {})
    const { deliveries } = (await browser.send('GET', `/webhooks/${webhook.id}/deliveries`)).body
    expect(deliveries).toHaveLength(3)
    expect(deliveries[0]).toMatchObject({ status: 200, answer: 'thank you', changes: 1, attempt: 1 })
    const test = await browser.send('POST', `/webhooks/${webhook.id}/test`)
    expect([test.body.status, receiver.messages.at(-1)?.body.type]).toEqual([200, 'test'])
  })

  it('get what passes their filter and nothing else', async () => {
    const { service, browser, receiver, deliverer } = await aSetting()
    const filters = [
      { changeTypes: ['removed'], itemTypes: ['show', 'episode'] },
      { catalogs: ['netflix.buy'] },
      { catalogs: ['prime'], changeTypes: ['new'] },
      { shows: ['7', '9'] },
      { showType: 'series', itemTypes: ['season', 'episode'] },
      { genres: ['comedy', 'horror'] },
      { genres: ['comedy'], shows: ['9'] },
      { shows: ['tt0000001', 'movie/1'], changeTypes: ['new', 'removed'] },
    ]
    const ids: string[] = []
    for (const filter of filters) ids.push((await subscribe(browser, receiver.url, filter)).webhook.id)
    const buy = anOption({ type: 'buy', price: { amount: '9.99', currency: 'USD' } })
    await service.import(
      aDelta(
        aMovie({ id: '1', streamingOptions: {} }),
        aMovie({ id: '7' }),
        aSeries({ id: '8' }),
        aMovie({ id: '9', streamingOptions: { us: [buy] } }),
      ),
    )
    await deliverer.drain()
    const got = ids.map((id) =>
      receiver.messages
        .filter(({ body }) => body.data.webhook === id)
        .flatMap(({ body }) =>
          body.data.changes.map((c: Record<string, string>) => `${c.changeType} ${c.itemType} ${c.showId}`),
        ),
    )
    const seasons = ['new season 8', 'new season 8', ...Array(4).fill('new episode 8')]
    expect(got.map((list) => list.sort())).toEqual([
      ['removed show 1'],
      ['new show 9'],
      [],
      ['new show 7', 'new show 9'],
      seasons.sort(),
      ['new show 8'],
      [],
      ['removed show 1'],
    ])
    const unknown = { name: 'mine', url: receiver.url, filter: { country: 'us', shows: ['tt0000404'] } }
    expect((await browser.send('POST', '/webhooks', unknown)).body.detail).toMatch(
      /"tt0000404", which is the id of no show/,
    )
  })

  it('get what a saved feed shows, and those of a genre as it is at the time', async () => {
    const { service, browser, receiver, deliverer } = await aSetting()
    const saved = { name: 'Comedies', country: 'us', genres: ['comedy'], catalogs: ['netflix'], changeTypes: ['new'] }
    const { id: feed } = (await browser.send('POST', '/feeds', saved)).body
    const send = (body: object) => browser.send('POST', '/webhooks', { name: 'mine', url: receiver.url, ...body })
    const { status, body } = await send({ feed })
    expect([status, body.webhook.filter]).toMatchObject([
      201,
      { country: 'us', changeTypes: ['new'], catalogs: ['netflix'], genres: ['comedy'], itemTypes: ['show', 'season'] },
    ])
    for (const wrong of [{}, { feed: 'none' }, { feed, filter: { country: 'us' } }]) {
      expect((await send(wrong)).body.detail).toMatch(/saved feed/)
    }
    await service.import(aDelta(aMovie({ id: '7' }), aMovie({ id: '8', genres: ['comedy'] }), aSeries({ id: '9' })))
    await deliverer.drain()
    const changes = receiver.messages.flatMap(({ body: { data } }) => data.changes as Record<string, string>[])
    expect(changes.map(({ itemType, showId }) => `${itemType} ${showId}`).sort()).toEqual([
      'season 9',
      'season 9',
      'show 8',
      'show 9',
    ])
  })

  itLocally(
    'get everything in order, with the same ids, from a receiver that fails in every way and comes back after an hour',
    async () => {
      const { service, browser, receiver } = await aSetting()
      const deliverer = aDeliverer(service, undefined, createSender({ allowPrivate: true, timeoutMs: 500 }))
      const { webhook } = await subscribe(browser, receiver.url, { changeTypes: ['new', 'updated', 'removed'] })
      const { since } = (await service.get('/changes?country=us&change_type=new&item_type=show&since=now')).body
      const faults = ['fail', 'reset', 'hang', 'slow', 'accept-and-reset', 'redirect', 'fail'] as const
      receiver.behave = (n) =>
        n < faults.length ? (faults[n] as 'fail') : service.now < NOW + HOUR ? 'fail' : 'accept'
      for (let commit = 0; commit < 12; commit++) {
        await service.import(movies(100 + 10 * commit, 5))
        await deliverer.drain()
        service.now += 400
        await deliverer.drain()
      }
      for (let i = 0; i < 30; i++) {
        service.now += HOUR / 2
        await deliverer.drain()
      }
      const { changes } = await service.allChanges(
        `/changes?country=us&change_type=new,updated,removed&item_type=show&since=${since}`,
      )
      expect(changes).toHaveLength(60)
      expect(receiver.changes().map((place) => place.split('/')[2])).toEqual(changes.map(({ showId }) => showId))
      // What was accepted twice, since its answer was lost, had one id.
      const accepted = receiver.messages.filter(({ isAccepted }) => isAccepted)
      const texts = new Map(accepted.map(({ id, body }) => [id, JSON.stringify(body.data.changes)]))
      for (const { id, body } of accepted) expect(JSON.stringify(body.data.changes)).toBe(texts.get(id))
      expect(accepted.length).toBeGreaterThan(texts.size)
      const { deliveries } = (await browser.send('GET', `/webhooks/${webhook.id}/deliveries`)).body
      const errors = deliveries.map(({ error, status }: { error?: string; status?: number }) => error ?? String(status))
      expect(errors.some((text: string) => text.includes('no answer within'))).toBe(true)
      expect(deliveries.find(({ status }: { status?: number }) => status === 500).answer).toHaveLength(1_024)
    },
  )

  itLocally('are given up after a day, can be replayed, and are paused after five days', async () => {
    const { service, browser, receiver } = await aSetting()
    let pauses = 0
    const results: Record<string, number> = {}
    const onResult = (result: string) => {
      results[result] = (results[result] ?? 0) + 1
    }
    const deliverer = aDeliverer(service, () => pauses++, undefined, onResult)
    const { webhook } = await subscribe(browser, receiver.url)
    receiver.behave = () => 'fail'
    await service.import(movies(100, 3))
    const read = async () => (await browser.send('GET', '/webhooks')).body.webhooks[0]
    const { webhooks } = service.accounts
    await deliverer.drain()
    const attempts = receiver.messages.length
    await deliverer.drain()
    expect([attempts, receiver.messages.length]).toEqual([1, 1])
    expect(webhooks.countByState()).toEqual({ active: 0, failing: 1, given_up: 0, paused: 0 })
    for (let hours = 0; hours < 26; hours++) {
      service.now += HOUR
      await deliverer.drain()
    }
    expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(1)
    expect(await read()).toMatchObject({ deadLetters: 1, failingSince: expect.any(Number) })
    const { deadLetters } = (await browser.send('GET', `/webhooks/${webhook.id}/deliveries`)).body
    expect(deadLetters).toMatchObject([{ id: receiver.messages[0]?.id, changes: 3, error: 'The answer was 500' }])

    for (let hours = 0; hours < 5 * 24; hours += 4) {
      if (hours % 24 === 0) await service.import(movies(200 + hours, 1))
      service.now += 4 * HOUR
      await deliverer.drain()
    }
    expect((await read()).paused).toMatchObject({ reason: 'failing' })
    expect(pauses).toBe(1)
    expect(webhooks.countByState()).toEqual({ active: 0, failing: 0, given_up: 1, paused: 0 })
    expect(results).toMatchObject({ failed: expect.any(Number), given_up: expect.any(Number) })
    receiver.behave = () => 'accept'
    await service.import(movies(300, 1))
    await deliverer.drain()
    expect(receiver.changes()).toEqual([])

    await browser.send('PATCH', `/webhooks/${webhook.id}`, { paused: false })
    expect((await browser.send('POST', `/webhooks/${webhook.id}/replay`, {})).body.replayed).toBeGreaterThan(0)
    await deliverer.drain()
    const shows = receiver.changes().map((place) => place.split('/')[2])
    expect(shows.sort()).toEqual(['100', '101', '102', '200', '224', '248', '272', '296', '300'])
    expect(await read()).toMatchObject({ deadLetters: 0 })
    expect((await read()).failingSince).toBeUndefined()
    expect(results.delivered).toBe(receiver.messages.filter(({ isAccepted }) => isAccepted).length)
  })

  it('are told of what leaves a lead time before it does, once', async () => {
    const { service, browser, receiver, deliverer } = await aSetting()
    await service.import(
      aDelta(
        ...[3, 10, 20].map((days) =>
          aMovie({ id: String(50 + days), streamingOptions: { us: [anOption({ expiresOn: NOW + days * DAY })] } }),
        ),
      ),
    )
    await subscribe(browser, receiver.url, { changeTypes: ['expiring'], leadDays: 7 })
    for (let day = 0; day < 12; day++) {
      await deliverer.drain()
      service.now += DAY
    }
    await deliverer.drain()
    expect(
      receiver.messages.map(({ body }) => [body.type, body.data.changes.map((c: { showId: string }) => c.showId)]),
    ).toEqual([
      ['changes.expiring', ['53']],
      ['changes.expiring', ['60']],
    ])
  })

  itLocally('lose nothing when the process that delivers is killed at random points', async () => {
    const { service, browser, receiver } = await aSetting()
    await subscribe(browser, receiver.url, { itemTypes: ['show', 'season', 'episode'] })
    const { since } = (await service.get('/changes?country=us&change_type=new&item_type=show&since=now')).body
    for (let kill = 0; kill < 6; kill++) {
      await service.import(movies(1_000 + 200 * kill, 10 + 24 * kill))
      // Ends for good before or after one of its requests, with a position that is not stored.
      let sends = 0
      const dead = new Promise<never>(() => {})
      await new Promise<void>((killed) => {
        const send: SendMessage = async (...request) => {
          if (++sends <= kill % 3) return sendNow(...request)
          if (kill % 2 === 0) await sendNow(...request)
          killed()
          return dead
        }
        void aDeliverer(service, undefined, send).drain().then(killed)
      })
    }
    await aDeliverer(service).drain()
    const { changes } = await service.allChanges(
      `/changes?country=us&change_type=new,removed&item_type=show,season,episode&since=${since}`,
    )
    expect(receiver.changes().map((place) => place.split('/')[2])).toEqual(changes.map(({ showId }) => showId))
    expect(receiver.messages.length).toBeGreaterThan(new Set(receiver.messages.map(({ id }) => id)).size)
  })

  itLocally('are refused with what is wrong', async () => {
    const { browser, receiver } = await aSetting()
    const answer = async (body: object) => (await browser.send('POST', '/webhooks', body)).body
    const filter = { country: 'us' }
    expect((await answer({ name: 'a', url: 'nonsense', filter })).detail).toContain('must be a URL')
    expect((await answer({ name: 'a', url: 'https://a:b@c.example', filter })).detail).toContain('password')
    expect((await answer({ name: 'a', url: receiver.url, filter: { country: 'xx' } })).parameter).toBe('country')
    expect(
      (await answer({ name: 'a', url: receiver.url, filter: { country: 'us', catalogs: ['nope'] } })).parameter,
    ).toBe('catalogs')
    expect(
      (await answer({ name: 'a', url: receiver.url, filter: { country: 'us', changeTypes: ['upcoming'] } })).code,
    ).toBe('invalid_body')
    expect((await browser.send('PATCH', '/webhooks/none', { paused: true })).status).toBe(404)
    const strict = await createSender({ allowPrivate: false })(receiver.url, {}, '')
    expect(strict.error).toContain('https://')
    const literal = await createSender({ allowPrivate: false })('https://10.0.0.1/hook', {}, '')
    expect(literal.error).toContain('MARQUEE_PRIVATE_WEBHOOKS')
  })
})
