import { join } from 'node:path'
import { Client, Configuration, type ResponseError } from 'streaming-availability'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { marquee, startMarquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/*
 * A client that was published for the v4 interface, unchanged but for the address it fetches from. It knows direct
 * keys by its own prefix and the marketplace by its own name, and expects all countries as a map.
 */
const settings = { MARQUEE_COMPATIBILITY: 'original' }
const bases = {
  direct: ['https://api.movieofthenight.com/v4', '/v4'],
  marketplace: ['https://streaming-availability.p.rapidapi.com', ''],
} as const

let address: string
const keys: Record<string, string> = {}

beforeAll(async () => {
  const folder = temporaryFolder(afterAll)
  const env = { ...settings, MARQUEE_DATA: join(folder, 'data'), MARQUEE_WORKERS: '1' }
  const feed = join(folder, 'feed.ndjson')
  // A second look at the same shows, with other options, makes updated and removed changes.
  for (const seed of ['1', '2']) {
    await marquee(['demo', '--shows', '300', '--countries', '4', '--seed', seed, '--out', feed], env)
    expect(await marquee(['import', feed, '--force'], env)).toMatchObject({ code: 0 })
  }
  for (const source of ['direct', 'marketplace']) {
    const made = await marquee(['keys', 'create', '--source', source, '--plan', 'unlimited', '--json'], env)
    keys[source] = JSON.parse(made.stdout).key
  }
  address = (await startMarquee(env)).address
}, 180_000)

describe.each(['direct', 'marketplace'] as const)('the published client with a %s key', (source) => {
  let client: Client
  let requests = 0

  beforeAll(() => {
    const [from, to] = bases[source]
    client = new Client(
      new Configuration({
        apiKey: keys[source] as string,
        fetchApi: (input: unknown, init?: RequestInit) => {
          requests++
          return fetch(String(input).replace(from, address + to), init)
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
      const request = { country: 'us', changeType, itemType, includeUnknownDates: true }
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
    expect(Object.keys(countries)).toHaveLength(4)
    expect(countries.us?.name).toBe('États-Unis')
    const country = await client.countriesApi.getCountry({ countryCode: 'us', outputLanguage: 'fr' })
    expect(country).toEqual(countries.us)
    expect(country.services.find(({ id }) => id === 'prime')?.addons.length).toBeGreaterThan(0)
    const genres = await client.genresApi.getGenres({ outputLanguage: 'tr' })
    expect(genres.find(({ id }) => id === 'western')?.name).toBeTruthy()
  })
})
