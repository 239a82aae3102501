import { describe, expect, it } from 'vitest'
import { INCLUDES, includedMember } from '../../src/query/queries.ts'
import { aDelta, aMovie, anAddon, anOption, aSeries, aService, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { Chance } from '../support/query-model.ts'
import { aRunningService } from './running-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies are checked against the OpenAPI document, and read freely by tests.
type Body = any

const PRICE = (amount: string) => ({ price: { amount, currency: 'USD' } })
const rent = (service: string, amount: string, fields = {}) =>
  anOption({ service, type: 'rent', link: `https://${service}.test/rent/${amount}`, ...PRICE(amount), ...fields })

const RICH_MOVIE = aMovie({
  id: '1',
  aliases: ['The First', 'Number One'],
  originalLanguage: 'fr',
  popularity: { us: { alltime: 5, '1week': 2.5 }, gb: { alltime: 7 } },
  streamingOptions: {
    us: [
      anOption({ service: 'netflix', link: 'https://netflix.test/1' }),
      rent('prime', '3.99'),
      rent('prime', '2.99', { quality: 'sd' }),
      rent('mubi', '2.99', { quality: 'uhd' }),
      anOption({ service: 'prime', type: 'addon', addon: 'starz', link: 'https://prime.test/starz' }),
    ],
    gb: [anOption({ service: 'mubi', type: 'free', link: 'https://mubi.test/1' }), rent('prime', '1.99')],
  },
})

/** The members that hold maps by country, whose keys are no part of a path. */
const MAPS = ['streamingOptions', 'popularity', 'bestOffer']

/** The plain model: what is left of a value when only some paths are chosen. */
function choose(value: Body, paths: readonly string[], prefix = '', isMap = false): Body {
  if (Array.isArray(value)) return value.map((item) => choose(item, paths, prefix, isMap))
  if (typeof value !== 'object') return value
  const entries = Object.entries(value).flatMap(([key, inside]) => {
    if (isMap) return [[key, choose(inside, paths, prefix)]]
    const path = prefix + key
    if (paths.includes(path)) return [[key, inside]]
    if (!paths.some((one) => one.startsWith(`${path}.`))) return []
    return [[key, choose(inside, paths, `${path}.`, MAPS.includes(key))]]
  })
  return Object.fromEntries(entries)
}

/** All paths of a value. */
function pathsOf(value: Body, prefix = '', isMap = false): string[] {
  if (typeof value !== 'object') return []
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, prefix, isMap))
  return Object.entries(value).flatMap(([key, inside]) =>
    isMap ? pathsOf(inside, prefix) : [prefix + key, ...pathsOf(inside, `${prefix}${key}.`, MAPS.includes(key))],
  )
}

describe('fields and include', async () => {
  const addon = anAddon('starz')
  const types = { addon: true, buy: true, rent: true, free: true, subscription: true }
  const service = await aRunningService(
    aSnapshot(
      aService('prime', { streamingOptionTypes: types, addons: [addon] }),
      RICH_MOVIE,
      aSeries({ id: '2' }),
      aMovie({ id: '3', streamingOptions: {} }),
    ),
  )
  const get = async (path: string): Promise<Body> => (await service.get(path)).body
  const ALL = 'include=numbers,provenance,tmdbProviderIds,aliases,originalLanguage,popularity,bestOffer'

  it('choose just the named members, as a plain model does, byte for byte', async () => {
    const chance = new Chance(7)
    const requests: [path: string, list: (body: Body) => Body[]][] = [
      ['/shows/1?', (body) => [body]],
      ['/shows/2?series_granularity=season&', (body) => [body]],
      ['/shows?ids=2,1,3&country=us&', (body) => body],
      ['/shows/search/title?title=movie&country=us,gb&', (body) => body],
      ['/shows/search/filters?country=any&series_granularity=episode&', (body) => body.shows],
      ['/shows/top?country=us&service=netflix&', (body) => body],
    ]
    for (const [path, list] of requests) {
      const whole = await get(`${path}${ALL}&services=netflix`)
      const known = [...new Set(list(whole).flatMap((show) => pathsOf(show)))]
      for (let i = 0; i < 25 && known.length > 0; i++) {
        const paths = chance.some(known, 1 + chance.below(6))
        const { text, body } = await service.get(`${path}fields=${paths}&services=netflix`)
        // A member that is asked for as a whole has those opt-in members only that are named somewhere.
        const named = INCLUDES.filter((name) => paths.some((one) => one.split('.').includes(includedMember(name))))
        const asked = await get(`${path}include=${named}&services=netflix`)
        const shown = list(asked).map((show) => choose(show, paths))
        expect(list(body), `${path} ${paths}`).toEqual(shown)
        expect(text, `${path} ${paths}`).toContain(JSON.stringify(shown[0] ?? []))
      }
    }
  })

  it('keep the order of the members, however they are asked for', async () => {
    const { text } = await service.get('/shows/1?country=gb&fields=streamingOptions.type,title,%20showType,')
    expect(text).toBe(
      '{"showType":"movie","title":"Movie 1","streamingOptions":{"gb":[{"type":"free"},{"type":"rent"}]}}',
    )
    expect((await service.get('/shows/1?country=gb&fields=title,showType,streamingOptions.type,title')).text).toBe(text)
  })

  it('take a whole member rather than a part of it', async () => {
    const both = await get('/shows/1?fields=imageSet.verticalPoster.w240,imageSet')
    expect(both).toEqual({ imageSet: (await get('/shows/1')).imageSet })
  })

  it('leave pages as they are beside their shows', async () => {
    const body = await get('/shows/search/filters?country=us&limit=1&fields=id')
    expect(body).toEqual({ shows: [{ id: '1' }], hasMore: true, nextCursor: expect.any(String) })
    expect(await get('/shows?ids=1,2&fields=seasons.title&country=us')).toEqual([
      {},
      { seasons: [{ title: 'Season 1' }, { title: 'Season 2' }] },
    ])
  })

  it('are nothing but more members behind the others', async () => {
    const plain = await get('/shows/2?country=us')
    const { text } = await service.get(`/shows/2?country=us&${ALL}`)
    const whole = JSON.parse(text)
    expect(Object.keys(whole)).toEqual([
      ...Object.keys(plain),
      'aliases',
      'originalLanguage',
      'popularity',
      'bestOffer',
    ])
    expect(Object.keys(whole.seasons[0])).toEqual([...Object.keys(plain.seasons[0]), 'number'])
    const without = JSON.parse(
      JSON.stringify(whole, (key, value) =>
        ['aliases', 'originalLanguage', 'popularity', 'bestOffer', 'number', 'provenance', 'tmdbProviderIds'].includes(
          key,
        )
          ? undefined
          : value,
      ),
    )
    expect(without).toEqual(plain)
  })

  it('number seasons and episodes as changes do', async () => {
    const { seasons } = await get('/shows/2?include=numbers')
    expect(seasons.map(({ number, episodes }: Body) => [number, episodes.map((one: Body) => one.number)])).toEqual([
      [1, [1, 2]],
      [2, [1, 2]],
    ])
  })

  it('add what is included everywhere, also where a field names it in one place only', async () => {
    const numbers = (body: Body) => body.seasons.map(({ number, episodes }: Body) => [number, episodes?.[0]?.number])
    const path = '/shows/2?fields=seasons.title,seasons.episodes.number'
    expect(numbers(await get(path))).toEqual([
      [undefined, 1],
      [undefined, 1],
    ])
    expect(numbers(await get(`${path}&include=numbers`))).toEqual([
      [1, 1],
      [2, 1],
    ])
    const named = 'fields=streamingOptions.type,bestOffer.provenance.source&country=gb'
    expect((await get(`/shows/1?${named}`)).streamingOptions.gb[0]).toEqual({ type: 'free' })
    const { streamingOptions, bestOffer } = await get(`/shows/1?${named}&include=provenance`)
    expect(Object.keys(streamingOptions.gb[0])).toEqual(['type', 'provenance'])
    expect(bestOffer.gb).toEqual({ provenance: [{ source: 'test' }] })
  })

  it('say alternative titles, original language and popularity', async () => {
    const body = await get('/shows/1?country=us&include=aliases,originalLanguage,popularity&fields=id')
    expect(body).toEqual({
      id: '1',
      aliases: ['The First', 'Number One'],
      originalLanguage: 'fr',
      popularity: { us: { alltime: 5, '1week': 2.5 } },
    })
    expect((await get('/shows/1?fields=popularity')).popularity).toHaveProperty('gb')
  })

  it('say the ids of services at TMDB', async () => {
    const { streamingOptions } = await get('/shows/1?country=us&include=tmdbProviderIds')
    expect(streamingOptions.us[0].service.tmdbProviderIds).toEqual([8, 175, 1796])
    const country = await get('/countries/us?include=tmdbProviderIds')
    const prime = country.services.find(({ id }: Body) => id === 'prime')
    expect(Object.keys(prime).at(-1)).toBe('tmdbProviderIds')
    expect(prime.tmdbProviderIds).toEqual(streamingOptions.us[1].service.tmdbProviderIds)
    expect((await get('/countries?include=tmdbProviderIds'))[0].services[0]).toHaveProperty('tmdbProviderIds')
    const { status, error } = await service.get('/countries/us?include=prices')
    expect([status, error.parameter]).toEqual([400, 'include'])
  })

  it.each([
    ['', { us: '2.99 USD uhd', gb: 'free' }],
    ['&services=netflix', { us: 'subscription', gb: 'free' }],
    ['&services=prime.addon.starz', { us: 'addon', gb: 'free' }],
    ['&services=prime', { us: '2.99 USD uhd', gb: 'free' }],
  ])('name the best offer%s', async (services, expected) => {
    const { bestOffer } = await get(`/shows/1?fields=bestOffer${services}`)
    const named = Object.entries<Body>(bestOffer).map(([country, { type, price, quality }]) => [
      country,
      price === undefined ? type : `${price.formatted} ${quality}`,
    ])
    expect(Object.fromEntries(named)).toEqual(expected)
    expect((await get('/shows/3?fields=bestOffer')).bestOffer).toEqual({})
  })

  it('choose members of changes and of their shows', async () => {
    const path = '/changes?country=us&change_type=new&item_type=show'
    const whole = await get(path)
    const body = await get(`${path}&fields=showId,service.id,show.title&include=originalLanguage`)
    expect(body.changes).toEqual(whole.changes.map((one: Body) => choose(one, ['showId', 'service.id'])))
    for (const [id, show] of Object.entries<Body>(body.shows)) {
      expect(show).toEqual({ title: whole.shows[id].title, originalLanguage: expect.any(String) })
    }
    const { shows, changes } = await get(`${path}&fields=showId`)
    expect([shows, changes.length]).toEqual([{}, whole.changes.length])
    const { changes: withIds } = await get(`${path}&include=tmdbProviderIds`)
    const netflix = withIds.find(({ service }: Body) => service.id === 'netflix')
    expect(netflix.service.tmdbProviderIds).toEqual([8, 175, 1796])
    expect((await get(`${path}&fields=show&since=now`)).shows).toEqual({})
    const several = await get('/changes?country=us,gb&change_type=new&item_type=show&fields=country')
    expect(several.changes).toContainEqual({ country: 'gb' })
  })

  it.each([
    ['fields=titel', 'did you mean title?'],
    ['fields=streamingOptions.lnk', 'did you mean streamingOptions.link?'],
    ['fields=title.x', 'which answers do not have'],
    ['fields=.', 'which answers do not have'],
    ['fields=lightThemeImage', 'imageSet.lightThemeImage?'],
    ['include=number', 'did you mean numbers?'],
    ['include=seasons', 'a list of numbers'],
    ['include=bestOffer&services=net.flix', '<service>.addon.<addon>'],
    [`fields=${Array.from({ length: 101 }, () => 'title')}`, 'at most 100'],
  ])('%s is rejected, with what is near', async (query, message) => {
    for (const path of ['/shows/1?', '/shows?ids=1&', '/shows/search/filters?country=us&']) {
      const { status, error, body } = await service.get(path + query)
      expect([status, error.code, query.includes(error.parameter ?? '?')]).toEqual([400, 'invalid_parameter', true])
      expect(body.message).toContain(message)
    }
  })

  it('report services that have no effect', async () => {
    const strict = { headers: { prefer: 'handling=strict' } }
    const unknown = await service.get('/shows/1?include=bestOffer&services=netfliks')
    expect(unknown.headers['x-ignored-parameters']).toBe('services=netfliks (netflix?)')
    expect((await service.get('/shows/1?include=bestOffer&services=netfliks', strict)).status).toBe(400)
    expect((await service.get('/shows/1?services=netflix')).headers['x-ignored-parameters']).toBe('services=netflix')
  })
})

describe('provenance', async () => {
  const option = anOption({ link: 'https://netflix.test/1' })
  const service = await aRunningService(
    aSnapshot(aMovie({ id: '1', streamingOptions: { us: [option] } }), aSeries({ id: '2' })),
  )
  service.now += DAY
  const other = [{ kind: 'feed', source: 'other', mode: 'delta' }]
  await service.import([...other, aMovie({ id: '1', streamingOptions: { us: [option, rent('prime', '1.99')] } })])
  const sources = async (path: string) => {
    const { streamingOptions } = (await service.get(path)).body
    return streamingOptions.us.map(({ provenance }: Body) => provenance)
  }

  it('has all sources of an option, and when a complete feed last stated it', async () => {
    const first = NOW - 10 * DAY
    const [{ source }] = (await sources('/shows/1?include=provenance'))[0]
    expect(await sources('/shows/1?include=provenance')).toEqual([
      [
        { source, firstConfirmed: first, lastConfirmed: NOW },
        { source: 'other', firstConfirmed: first },
      ],
      [{ source: 'other', firstConfirmed: first }],
    ])
    service.now += DAY
    await service.import(aDelta(aMovie({ id: '9' })))
    expect((await sources('/shows/1?include=provenance'))[0][0].lastConfirmed).toBe(NOW)
    await service.import(aSnapshot(aMovie({ id: '1', streamingOptions: { us: [option] } }), aSeries({ id: '2' })))
    expect((await sources('/shows/1?include=provenance'))[0][0].lastConfirmed).toBe(service.now)
  })

  it('is confirmed only by complete feeds that came after an option, and cover its country and service', async () => {
    const own = await aRunningService()
    const on = (services: string, path = 'new') =>
      services
        .split(',')
        .map((service) => anOption({ service, link: `https://${service}.test/${path}`, availableSince: undefined }))
    const scoped = (scope: object, streamingOptions: object) => {
      const [header, ...records] = aSnapshot(aMovie({ id: '1', streamingOptions }))
      return [{ ...header, scope }, ...records]
    }
    const lastConfirmed = async () => {
      const { streamingOptions } = (await own.get('/shows/1?include=provenance')).body
      const entries = Object.entries<Body>(streamingOptions).flatMap(([country, options]) =>
        options.map(({ service, provenance: [{ firstConfirmed, lastConfirmed }] }: Body) => {
          expect(lastConfirmed ?? firstConfirmed).toBeGreaterThanOrEqual(firstConfirmed)
          return [`${country} ${service.id}`, lastConfirmed && (lastConfirmed - NOW) / DAY]
        }),
      )
      return Object.fromEntries(entries)
    }
    const importNext = async (feed: Parameters<typeof own.import>[0]) => {
      own.now += DAY
      const report = await own.import(feed)
      expect([report.complete, report.refused]).toEqual([true, undefined])
      return lastConfirmed()
    }

    own.now -= DAY
    const [both, gb] = [on('netflix,mubi'), on('netflix')]
    expect(await importNext(aSnapshot(aMovie({ id: '1', streamingOptions: { us: both, gb } })))).toEqual({
      'gb netflix': 0,
      'us mubi': 0,
      'us netflix': 0,
    })
    // An option that a delta adds was in no complete feed yet.
    const us = on('netflix,mubi,prime')
    expect(await importNext(aDelta(aMovie({ id: '1', streamingOptions: { us, gb } })))).toEqual({
      'gb netflix': 0,
      'us mubi': 0,
      'us netflix': 0,
      'us prime': undefined,
    })
    const inGb = { 'gb netflix': 2, 'us mubi': 0, 'us netflix': 0, 'us prime': undefined }
    expect(await importNext(scoped({ countries: ['gb'] }, { gb }))).toEqual(inGb)
    const inUs = { ...inGb, 'us netflix': 3, 'us prime': 3 }
    expect(
      await importNext(scoped({ countries: ['us'], services: ['netflix', 'prime'] }, { us: on('netflix,prime') })),
    ).toEqual(inUs)
    const onNetflix = { ...inUs, 'gb netflix': 4, 'us netflix': 4 }
    expect(await importNext(scoped({ services: ['netflix'] }, { us: on('netflix'), gb }))).toEqual(onNetflix)
    const ofSource = { 'gb netflix': 5, 'us mubi': 5, 'us netflix': 5, 'us prime': 5 }
    expect(await importNext(aSnapshot(aMovie({ id: '1', streamingOptions: { us, gb } })))).toEqual(ofSource)
    expect(own.ledger.catalog.source('test')?.confirmations).toBeUndefined()
    // An import with a scope alters answers with provenance, and makes no version.
    const { etag } = (await own.get('/shows/1?include=provenance')).headers
    const version = own.ledger.catalog.version()
    expect(await importNext(scoped({ countries: ['gb'] }, { gb }))).toEqual({ ...ofSource, 'gb netflix': 6 })
    expect(own.ledger.catalog.version()).toBe(version)
    expect((await own.get('/shows/1?include=provenance')).headers.etag).not.toBe(etag)
  })

  it('has another entity tag, and no cached answer, once a source was confirmed again; other answers keep theirs', async () => {
    const own = await aRunningService(aSnapshot(aMovie({ id: '1', streamingOptions: { us: [option] } })))
    const ask = async (path: string, etag?: string) => {
      const { status, headers, text } = await own.get(
        path,
        etag === undefined ? {} : { headers: { 'if-none-match': etag } },
      )
      return { status, etag: headers.etag as string, text }
    }
    const plain = ['/shows/1?country=us', '/shows/search/filters?country=us', '/shows/1?fields=title&include=numbers']
    const shaped = [
      '/shows/1?include=provenance',
      '/shows/1?fields=id,streamingOptions.provenance',
      '/shows/search/filters?country=us&include=provenance',
      '/shows/search/title?country=us&title=movie&include=provenance',
      '/changes?country=us&change_type=new&item_type=show&fields=show.streamingOptions.provenance',
    ]
    const before = new Map<string, Awaited<ReturnType<typeof ask>>>()
    for (const path of [...plain, ...shaped]) {
      // What is asked for again is cached.
      for (let i = 0; i < 3; i++) before.set(path, await ask(path))
      expect(before.get(path)?.text.includes(`"lastConfirmed":${NOW}`)).toBe(shaped.includes(path))
    }
    own.now += DAY
    const version = own.ledger.catalog.version()
    await own.import(aSnapshot(aMovie({ id: '1', streamingOptions: { us: [option] } })))
    expect(own.ledger.catalog.version()).toBe(version)
    for (const path of plain) {
      expect(await ask(path)).toEqual(before.get(path))
      expect(await ask(path, before.get(path)?.etag)).toMatchObject({ status: 304, etag: before.get(path)?.etag })
    }
    for (const path of shaped) {
      const old = before.get(path)
      const after = await ask(path, old?.etag)
      expect(after.status).toBe(200)
      expect(after.text).toBe(old?.text.replaceAll(`"lastConfirmed":${NOW}`, `"lastConfirmed":${own.now}`))
      expect(after.etag).not.toBe(old?.etag)
      expect(await ask(path, after.etag)).toMatchObject({ status: 304, etag: after.etag })
    }
    // A delta confirms nothing.
    const confirmed = await ask(shaped[0] as string)
    own.now += DAY
    await own.import(aDelta(aMovie({ id: '1', streamingOptions: { us: [option] } })))
    expect(await ask(shaped[0] as string, confirmed.etag)).toMatchObject({ status: 304, etag: confirmed.etag })
  })

  it('is that of seasons and episodes, too, at any granularity', async () => {
    for (const granularity of ['season', 'episode']) {
      const path = `/shows/2?include=provenance&series_granularity=${granularity}`
      const { seasons } = (await service.get(path)).body
      for (const item of seasons.flatMap((season: Body) => [season, ...(season.episodes ?? [])])) {
        expect(item.streamingOptions.us[0].provenance).toHaveLength(1)
      }
    }
  })
})
