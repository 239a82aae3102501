import { beforeAll, describe, expect, it } from 'vitest'
import { type DemoService, startDemoService } from '../../server/test/support/demo-service.ts'
import { episodeLink, Marquee, offersIn, ServiceError } from '../src/index.ts'

let service: DemoService
const keys: Record<string, string> = {}

beforeAll(async () => {
  service = await startDemoService()
  for (const source of ['direct', 'marketplace']) keys[source] = await service.createKey('--source', source)
})

/** A client of the running service. */
function clientOf(source: 'direct' | 'marketplace' = 'direct', options = {}): Marquee {
  return new Marquee({ apiKey: keys[source], baseUrl: `${service.address}/v4`, ...options })
}

/** How many requests the service counted while something was done. */
async function counted(client: Marquee, work: () => Promise<unknown>): Promise<number> {
  await client.genres.list()
  const before = client.quota?.used as number
  await work()
  await client.genres.list()
  return (client.quota?.used as number) - before - 1
}

describe.each(['direct', 'marketplace'] as const)('every endpoint with a %s key', (source) => {
  it('knows where the key comes from', async () => {
    expect(clientOf(source).keySource).toBe(source)
  })

  it('gets a show by each of its ids', async () => {
    const { shows } = clientOf(source)
    const show = await shows.get('tt0068646', { country: 'us' })
    expect(show).toMatchObject({ title: 'The Godfather', releaseYear: 1972 })
    expect(await shows.get('movie/238', { country: 'us' })).toEqual(show)
    expect(await shows.get(show.id, { country: 'us' })).toEqual(show)
    expect(Object.keys((await shows.get(show.id)).streamingOptions).length).toBeGreaterThan(1)
  })

  it('gets a series in each granularity and in another language', async () => {
    const { shows } = clientOf(source)
    const get = (seriesGranularity: 'show' | 'season' | 'episode') =>
      shows.get('tv/1396', { country: 'us', seriesGranularity, outputLanguage: 'de' })
    expect(await get('show')).not.toHaveProperty('seasons')
    expect(await get('season')).toHaveProperty('seasons.4.title')
    expect(await get('episode')).toHaveProperty('seasons.0.episodes.6.title')
  })

  it('searches by title', async () => {
    const found = await clientOf(source).shows.search({ title: 'breaking bad', country: 'gb', showType: 'series' })
    expect(found[0]?.imdbId).toBe('tt0903747')
  })

  it('filters with every parameter', async () => {
    const walk = clientOf(source).shows.filter({
      country: 'US',
      catalogs: ['netflix', 'prime.rent', 'prime.buy', 'apple'],
      outputLanguage: 'es',
      showType: 'movie',
      genres: ['drama', 'crime'],
      genresRelation: 'or',
      showOriginalLanguage: 'en',
      yearMin: 1950,
      yearMax: 2030,
      ratingMin: 0,
      ratingMax: 100,
      seriesGranularity: 'episode',
      orderBy: 'popularity_1week',
      orderDirection: 'desc',
    })
    const found = await walk.all()
    expect(found.length).toBeGreaterThan(0)
    for (const show of found) {
      expect(show.showType).toBe('movie')
      expect(offersIn(show, 'us').length).toBeGreaterThan(0)
    }
    const byKeyword = await clientOf(source).shows.filter({ country: 'us', keyword: 'godfather' }).all()
    expect(byKeyword.map(({ title }) => title)).toContain('The Godfather')
  })

  it('gets a top list', async () => {
    const top = await clientOf(source).shows.top({ country: 'us', service: 'netflix', showType: 'series' })
    expect(top.length).toBeGreaterThan(0)
  })

  it('lists changes of every type, each with its show', async () => {
    const { changes } = clientOf(source)
    for (const changeType of ['new', 'updated', 'removed', 'expiring', 'upcoming'] as const) {
      for (const itemType of ['show', 'season', 'episode'] as const) {
        const parameters = { country: 'us', changeType, itemType, includeUnknownDates: true }
        for await (const change of changes.list(parameters, { maxPages: 2 })) {
          expect(change).toMatchObject({ changeType, itemType, showId: change.show.id })
        }
      }
    }
    const from = new Date(Date.now() - 86_400_000)
    const fresh = changes.list({ country: 'us', changeType: 'new', itemType: 'show', from, to: new Date() })
    expect((await fresh.page()).items.length).toBeGreaterThan(0)
  })

  it('lists countries and genres', async () => {
    const client = clientOf(source)
    const countries = await client.countries.list({ outputLanguage: 'fr' })
    expect(countries).toHaveLength(2)
    expect(await client.countries.get('US', { outputLanguage: 'fr' })).toEqual(
      countries.find(({ countryCode }) => countryCode === 'us'),
    )
    expect((await client.genres.list({ outputLanguage: 'tr' })).length).toBeGreaterThan(10)
  })
})

describe('pages', () => {
  it.each([0, 1, 2, 5, 1000])('a limit of %s pages fetches exactly as many, or all', async (maxPages) => {
    const client = clientOf()
    const all = await client.shows.filter({ country: 'us' }).all()
    const pages = Math.ceil(all.length / 20)
    expect(pages).toBeGreaterThan(5)
    const found: string[] = []
    const requests = await counted(client, async () => {
      for await (const { id } of client.shows.filter({ country: 'us' }, { maxPages })) found.push(id)
    })
    expect(requests).toBe(Math.min(maxPages, pages))
    expect(found).toEqual(all.slice(0, maxPages * 20).map(({ id }) => id))
  })

  it('a limit of pages holds for changes too', async () => {
    const client = clientOf()
    const parameters = { country: 'us', changeType: 'new', itemType: 'episode' } as const
    expect(await counted(client, () => client.changes.list(parameters, { maxPages: 3 }).all())).toBe(3)
    expect(await client.changes.list(parameters, { maxPages: 3 }).all()).toHaveLength(75)
  })

  it('a walk can be taken up again at a cursor', async () => {
    const { shows } = clientOf()
    const all = await shows.filter({ country: 'us', orderBy: 'rating' }).all()
    const first = await shows.filter({ country: 'us', orderBy: 'rating' }).page()
    const rest = await shows.filter({ country: 'us', orderBy: 'rating', cursor: first.nextCursor }).all()
    expect([...first.items, ...rest]).toEqual(all)
  })
})

describe('what the service says', () => {
  it('a parameter that does not exist is an error that names it', async () => {
    const misspelt = { country: 'us', genre: ['crime'] }
    await expect(clientOf().shows.filter(misspelt).page()).rejects.toMatchObject({
      code: 'unknown_parameter',
      parameter: 'genre',
      message: expect.stringContaining('genres'),
    })
  })

  it('errors carry what helps to find the cause', async () => {
    const error = await clientOf()
      .shows.get('tt9999999')
      .catch((reason) => reason)
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ status: 404, code: 'not_found', requestId: expect.stringMatching(/./) })
  })

  it('a key on the wrong base is told where it belongs', async () => {
    const client = new Marquee({ apiKey: keys.direct, baseUrl: service.address })
    await expect(client.genres.list()).rejects.toMatchObject({ code: 'wrong_key_source', base: '/v4' })
  })

  it('an unchanged answer costs nothing of the quota', async () => {
    const client = clientOf('direct', { cache: new Map() })
    const show = await client.shows.get('tt0068646')
    const { used } = client.quota as { used: number }
    expect(await client.shows.get('tt0068646')).toEqual(show)
    expect(client.quota?.used).toBe(used)
  })
})

describe('episodes', () => {
  it('are numbered as changes number them', async () => {
    const client = clientOf()
    const parameters = { country: 'us', changeType: 'new', itemType: 'episode' } as const
    let compared = 0
    for await (const change of client.changes.list(parameters, { maxItems: 20 })) {
      const show = await client.shows.get(change.showId, { country: 'us' })
      const { season, episode, service, streamingOptionType: type } = change
      const choice = { country: 'us', season: season as number, episode: episode as number, service: service.id, type }
      const links = [show].flatMap((one) => (one.showType === 'series' ? (one.seasons ?? []) : []))
      const offers = offersIn(
        links[choice.season - 1]?.episodes?.[choice.episode - 1] ?? { streamingOptions: {} },
        'us',
      )
      expect(offers.map(({ link }) => link)).toContain(change.link)
      expect(episodeLink(show, choice)).toBeTruthy()
      compared++
    }
    expect(compared).toBe(20)
  })
})
