import {
  ChangesApi,
  Client,
  Configuration,
  CountriesApi,
  GenresApi,
  type ResponseError,
  ShowsApi,
} from 'streaming-availability'
import { beforeAll, describe, expect, it } from 'vitest'
import { type OriginalService, startOriginalService } from './original-service.ts'

/*
 * The client that is published on npm for the public service, unchanged but for the address.
 */
let service: OriginalService

beforeAll(async () => {
  service = await startOriginalService()
})

const bases = { direct: '/v4', marketplace: '' } as const

describe.each(['direct', 'marketplace'] as const)('the published npm client with a %s key', (source) => {
  let client: Client
  let requests = 0

  beforeAll(() => {
    client = new Client(
      new Configuration({
        apiKey: service.keys[source],
        fetchApi: (url: unknown, init?: RequestInit) => {
          requests++
          return fetch(String(url).replace(/^https:\/\/[^/]+/, service.address), init)
        },
      }),
    )
  })

  it('gets a show by its own, its IMDb and its TMDB id', async () => {
    const byImdb = await client.showsApi.getShow({ id: 'tt0068646', country: 'us' })
    expect(byImdb.title).toBe('The Godfather')
    expect(byImdb.releaseYear).toBe(1972)
    expect(await client.showsApi.getShow({ id: 'movie/238', country: 'us' })).toEqual(byImdb)
    expect(await client.showsApi.getShow({ id: byImdb.id, country: 'us' })).toEqual(byImdb)
  })

  it('gets a series with its seasons and episodes in every granularity', async () => {
    const get = (seriesGranularity: 'show' | 'season' | 'episode') =>
      client.showsApi.getShow({ id: 'tv/1396', seriesGranularity, outputLanguage: 'tr' })
    expect((await get('show')).seasons).toBeUndefined()
    expect((await get('season')).seasons?.[0]?.episodes).toBeUndefined()
    const series = await get('episode')
    expect(series.seasons).toHaveLength(5)
    expect(series.seasons?.flatMap(({ episodes }) => episodes)).toHaveLength(62)
    const options = Object.values(series.streamingOptions).flat()
    expect(options.length).toBeGreaterThan(0)
    for (const option of options) {
      expect(option.link).toMatch(/^http/)
      expect(option.service.imageSet.whiteImage).toMatch(/^http/)
    }
  })

  it('filters with every parameter', async () => {
    const { shows } = await client.showsApi.searchShowsByFilters({
      country: 'us',
      catalogs: ['netflix', 'prime.subscription', 'prime.rent', 'prime.buy', 'apple'],
      outputLanguage: 'es',
      showType: 'movie',
      genres: ['drama', 'crime'],
      genresRelation: 'or',
      showOriginalLanguage: 'en',
      yearMin: 1950,
      yearMax: 2026,
      ratingMin: 10,
      ratingMax: 99,
      seriesGranularity: 'episode',
      orderBy: 'popularity_1week',
      orderDirection: 'desc',
    })
    expect(shows.length).toBeGreaterThan(0)
    for (const show of shows) {
      expect(show.showType).toBe('movie')
      expect(show.genres.some(({ id }) => id === 'drama' || id === 'crime')).toBe(true)
      expect(Object.keys(show.streamingOptions)).toEqual(['us'])
    }
    const found = await client.showsApi.searchShowsByFilters({ country: 'us', keyword: 'godfather' })
    expect(found.shows.map(({ title }) => title)).toContain('The Godfather')
  })

  it('walks all pages of a filter search by itself', async () => {
    const before = requests
    const ids: string[] = []
    const walk = client.showsApi.searchShowsByFiltersWithAutoPagination({ country: 'us', orderBy: 'rating' }, 0)
    for await (const show of walk) ids.push(show.id)
    expect(ids.length).toBeGreaterThan(40)
    expect(new Set(ids).size).toBe(ids.length)
    expect(requests - before).toBe(Math.ceil(ids.length / 20))
  })

  it('searches by title', async () => {
    const shows = await client.showsApi.searchShowsByTitle({ title: 'breaking bad', country: 'gb' })
    expect(shows[0]?.imdbId).toBe('tt0903747')
  })

  it('gets a top list', async () => {
    const shows = await client.showsApi.getTopShows({ country: 'us', service: 'netflix', showType: 'series' })
    expect(shows.length).toBeGreaterThan(0)
    for (const show of shows) expect(show.showType).toBe('series')
  })

  const changeTypes = ['new', 'updated', 'removed', 'expiring', 'upcoming'] as const
  const itemTypes = ['show', 'season', 'episode'] as const
  it.each(changeTypes.flatMap((changeType) => itemTypes.map((itemType) => [changeType, itemType] as const)))(
    'walks all pages of %s changes of %ss by itself',
    async (changeType, itemType) => {
      let count = 0
      let last = 0
      // Among the few shows of this demo, only series of other countries have episodes that changed.
      const country = changeType === 'updated' && itemType === 'episode' ? 'de' : 'us'
      const request = { country, changeType, itemType, includeUnknownDates: true }
      for await (const change of client.changesApi.getChangesWithAutoPagination(request, 0)) {
        count++
        expect(change).toMatchObject({ changeType, itemType, showId: change.show.id })
        expect(change.timestamp ?? 0).toBeGreaterThanOrEqual(last)
        last = change.timestamp ?? 0
      }
      expect(count).toBeGreaterThan(changeType === 'upcoming' && itemType !== 'show' ? -1 : 0)
    },
  )

  it('is lenient with what its callers pass, as the public service is', async () => {
    const { shows } = await client.showsApi.searchShowsByFilters({
      country: 'US',
      catalogs: ['netflix', ' prime', '', 'not-here-anymore', 'apple.addon.tvs.sbd.1000579'],
      genres: ['drama ', ''],
      showOriginalLanguage: 'EN',
    })
    expect(shows.length).toBeGreaterThan(0)
  })

  it('reads errors: a message and nothing else', async () => {
    const failed = await client.showsApi.getShow({ id: 'tt0000000000' }).catch((error: unknown) => error)
    expect(failed).toMatchObject({ name: 'ResponseError' })
    const { response } = failed as ResponseError
    expect([response.status, await response.json()]).toEqual([404, { message: 'There is no show with this id.' }])
  })

  it('gets all countries, one country and the genres', async () => {
    const countries = await client.countriesApi.getCountries({ outputLanguage: 'fr' })
    expect(Object.keys(countries).length).toBeGreaterThanOrEqual(40)
    expect(countries.us?.name).toBe('États-Unis')
    const country = await client.countriesApi.getCountry({ countryCode: 'us', outputLanguage: 'fr' })
    expect(country).toEqual(countries.us)
    expect(country.services.find(({ id }) => id === 'prime')?.addons.length).toBeGreaterThan(0)
    const genres = await client.genresApi.getGenres({ outputLanguage: 'tr' })
    expect(genres.find(({ id }) => id === 'western')?.name).toBeTruthy()
  })

  it('stops after one page when it is told to, and goes on from a cursor', async () => {
    const request = { country: 'us', orderBy: 'popularity_1week' as const }
    const first = await client.showsApi.searchShowsByFilters(request)
    expect([first.shows.length, first.hasMore]).toEqual([20, true])
    const next = await client.showsApi.searchShowsByFilters({ ...request, cursor: first.nextCursor as string })
    expect(next.shows.map(({ id }) => id)).not.toContain(first.shows[0]?.id)
  })

  it('reads the headers of raw responses', async () => {
    const { raw } = await client.genresApi.getGenresRaw({})
    expect(raw.headers.get('x-quota-used')).toMatch(/^\d+$/)
    expect(raw.headers.get('etag')).toBeTruthy()
    const quota = raw.headers.get('x-ratelimit-api-request-remaining')
    expect(quota === null).toBe(source === 'direct')
  })

  const failures: [string, number, string, () => Promise<unknown>][] = [
    ['an id that does not exist', 404, 'not_found', () => client.showsApi.getShow({ id: 'tt9999999' })],
    [
      'a country that does not exist',
      400,
      'invalid_parameter',
      () => client.showsApi.searchShowsByTitle({ title: 'x', country: 'xx' }),
    ],
    [
      'a cursor of another search',
      400,
      'invalid_cursor',
      () => client.showsApi.searchShowsByFilters({ country: 'us', cursor: 'nonsense' }),
    ],
  ]
  it.each(failures)('throws its ResponseError for %s, with the message', async (_, status, code, call) => {
    const error = await call().catch((reason: unknown) => reason)
    // Its classes are compiled so that `instanceof` does not hold.
    expect((error as Error).name).toBe('ResponseError')
    const { response } = error as ResponseError
    expect([response.status, response.headers.get('x-error-code')]).toEqual([status, code])
    expect(await response.json()).toEqual({ message: expect.stringMatching(/^[A-Z].{10,}/s) })
  })

  it('has API classes that take the address', async () => {
    const configuration = new Configuration({
      basePath: service.address + bases[source],
      apiKey: service.keys[source],
    })
    expect((await new ShowsApi(configuration).getShow({ id: 'movie/155' })).title).toBe('The Dark Knight')
    expect(Object.keys(await new CountriesApi(configuration).getCountries())).toContain('za')
    expect(await new GenresApi(configuration).getGenres()).not.toEqual([])
    const request = { country: 'us', changeType: 'new', itemType: 'show' } as const
    expect((await new ChangesApi(configuration).getChanges(request)).changes.length).toBeGreaterThan(0)
  })
})

describe('the errors of the published npm client', () => {
  it('name what is wrong with a key, on either base', async () => {
    const ask = (base: string, apiKey: string) => {
      const api = new GenresApi(new Configuration({ basePath: service.address + base, apiKey }))
      return api.getGenres().catch(async (error: ResponseError) => {
        const { message } = (await error.response.json()) as { message: string }
        return [error.response.status, message]
      })
    }
    expect(await ask('/v4', 'motn-key-nonsense')).toEqual([401, expect.stringMatching(/key/i)])
    expect(await ask('', service.keys.direct)).toEqual([401, expect.stringMatching(/\/v4.+X-API-Key/)])
    expect(await ask('/v4', service.keys.marketplace)).toEqual([
      401,
      expect.stringMatching(/X-RapidAPI-Key|X-Rapid-API-Key/),
    ])
  })

  it('are a FetchError where nothing listens', async () => {
    const api = new GenresApi(new Configuration({ basePath: 'http://127.0.0.1:9', apiKey: 'x' }))
    await expect(api.getGenres()).rejects.toMatchObject({ name: 'FetchError' })
  })
})
