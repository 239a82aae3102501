import { describe, expect, it } from 'vitest'
import { aDelta, aMovie, anImageSet, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

type Json = Record<string, unknown>

const INFO = ['id', 'name', 'homePage', 'themeColorCode', 'imageSet']
const LOGOS = ['lightThemeImage', 'darkThemeImage', 'whiteImage']
const VERTICAL = ['w240', 'w360', 'w480', 'w600', 'w720']
const HORIZONTAL = ['w360', 'w480', 'w720', 'w1080', 'w1440']

/** A deep copy with reversed keys: nothing may depend on the key order of a feed. */
function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inside]) => [key, reversed(inside)]),
  ) as T
}

describe('keys always come in the order of the contract', async () => {
  const { verticalPoster, horizontalPoster } = anImageSet()
  const everything = anOption({
    service: 'prime',
    type: 'rent',
    videoLink: 'https://prime.test/watch',
    price: { amount: '2.99', currency: 'EUR' },
    expiresOn: NOW + DAY,
    audios: [{ language: 'spa', region: '419' }, { language: 'eng' }],
  })
  const viaAddon = anOption({ service: 'prime', type: 'addon', addon: 'starz', expiresOn: NOW + DAY })
  const nothing = { service: 'netflix', type: 'subscription', link: 'https://netflix.test/1' }
  const options = { us: [everything, viaAddon, nothing] }
  const bareImages = { imageSet: { verticalPoster, horizontalPoster } }
  const season = { itemType: 'season', title: 'S', firstAirYear: 2020, lastAirYear: 2021, streamingOptions: options }
  const episode = { itemType: 'episode', title: 'E', overview: 'O', airYear: 2020, streamingOptions: options }
  const { overview: _, ...bareEpisode } = { ...episode, streamingOptions: {} }

  const service = await aRunningService(
    aSnapshot(
      aMovie({ id: '1', streamingOptions: options }),
      aSeries({ id: '2', streamingOptions: options, seasons: [{ ...season, episodes: [episode, bareEpisode] }] }),
      { kind: 'show', showType: 'movie', id: '3', title: 'Bare', ...bareImages, streamingOptions: { us: [nothing] } },
      { kind: 'show', showType: 'series', id: '4', title: 'Bare', ...bareImages, seasons: [{ title: 'S' }] },
      aMovie({ id: '5', streamingOptions: { us: [anOption({ startsOn: 'unknown', link: undefined })] } }),
      ...Array.from({ length: 30 }, (__, i) => aMovie({ id: String(100 + i) })),
    ).map((record) => (record.kind === 'feed' ? record : { kind: record.kind, ...reversed(record) })),
  )
  const get = async (path: string) => (await service.get(path)).body
  const keys = (value: object) => Object.keys(value)
  const movie = await get('/shows/1')
  const series = await get('/shows/2')
  const bareMovie = await get('/shows/3')
  const bareSeries = await get('/shows/4')
  const [rent, addon, plain] = movie.streamingOptions.us

  it('Show (movie), with everything', () => {
    expect(keys(movie)).toEqual(
      'itemType showType id imdbId tmdbId title overview releaseYear originalTitle genres directors cast rating runtime imageSet streamingOptions'.split(
        ' ',
      ),
    )
  })

  it('Show (movie), with nothing that can be left out', () => {
    expect(keys(bareMovie)).toEqual(
      'itemType showType id imdbId tmdbId title overview originalTitle genres cast rating imageSet streamingOptions'.split(
        ' ',
      ),
    )
  })

  it('Show (series), with everything', () => {
    expect(keys(series)).toEqual(
      'itemType showType id imdbId tmdbId title overview firstAirYear lastAirYear originalTitle genres creators cast rating seasonCount episodeCount imageSet streamingOptions seasons'.split(
        ' ',
      ),
    )
  })

  it('Show (series), with nothing that can be left out', async () => {
    expect(keys(await get('/shows/4?series_granularity=show'))).toEqual(
      'itemType showType id imdbId tmdbId title overview originalTitle genres cast rating imageSet streamingOptions'.split(
        ' ',
      ),
    )
  })

  it('Season', async () => {
    const withEpisodes = ['itemType', 'title', 'firstAirYear', 'lastAirYear', 'streamingOptions', 'episodes']
    expect(keys(series.seasons[0])).toEqual(withEpisodes)
    expect(keys((await get('/shows/2?series_granularity=season')).seasons[0])).toEqual(withEpisodes.slice(0, -1))
    expect(keys(bareSeries.seasons[0]).slice(0, 5)).toEqual(withEpisodes.slice(0, -1))
  })

  it('Episode', () => {
    const [full, bare] = series.seasons[0].episodes
    expect(keys(full)).toEqual(['itemType', 'title', 'overview', 'airYear', 'streamingOptions'])
    expect(keys(bare)).toEqual(['itemType', 'title', 'airYear', 'streamingOptions'])
  })

  it('StreamingOption', () => {
    expect(keys(rent)).toEqual(
      'service type link videoLink quality audios subtitles price expiresSoon expiresOn availableSince'.split(' '),
    )
    expect(keys(addon)).toEqual(
      'service type addon link quality audios subtitles expiresSoon expiresOn availableSince'.split(' '),
    )
    expect(keys(plain)).toEqual('service type link audios subtitles expiresSoon availableSince'.split(' '))
    const inside = series.seasons[0].episodes[0].streamingOptions.us
    expect(inside.map(keys)).toEqual([rent, addon, plain].map(keys))
  })

  it('ServiceInfo and Addon', () => {
    for (const brand of [rent.service, addon.addon]) {
      expect(keys(brand)).toEqual(INFO)
      expect(keys(brand.imageSet)).toEqual(LOGOS)
    }
  })

  it('Service, in a country', async () => {
    const { services } = await get('/countries/us')
    for (const one of services) {
      expect(keys(one)).toEqual([...INFO, 'streamingOptionTypes', 'addons'])
      expect(keys(one.imageSet)).toEqual(LOGOS)
      expect(keys(one.streamingOptionTypes)).toEqual(['addon', 'buy', 'rent', 'free', 'subscription'])
    }
    const prime = services.find(({ id }: Json) => id === 'prime')
    for (const one of prime.addons) expect(keys(one)).toEqual(INFO)
    expect(prime.addons).toHaveLength(2)
  })

  it('Country', async () => {
    for (const country of await get('/countries')) expect(keys(country)).toEqual(['countryCode', 'name', 'services'])
    expect(keys(await get('/countries/us'))).toEqual(['countryCode', 'name', 'services'])
  })

  it('Genre', async () => {
    for (const genre of [...(await get('/genres')), ...movie.genres]) expect(keys(genre)).toEqual(['id', 'name'])
  })

  it('Price', () => {
    expect(keys(rent.price)).toEqual(['amount', 'currency', 'formatted'])
  })

  it('Locale and Subtitle', () => {
    expect(rent.audios.map(keys)).toEqual([['language'], ['language', 'region']])
    expect(keys(rent.subtitles[0])).toEqual(['closedCaptions', 'locale'])
    expect(keys(rent.subtitles[0].locale)).toEqual(['language'])
  })

  it('imageSet of a show', () => {
    expect(keys(movie.imageSet)).toEqual([
      'verticalPoster',
      'horizontalPoster',
      'verticalBackdrop',
      'horizontalBackdrop',
    ])
    expect(keys(bareMovie.imageSet)).toEqual(['verticalPoster', 'horizontalPoster'])
    for (const kind of ['verticalPoster', 'verticalBackdrop']) expect(keys(movie.imageSet[kind])).toEqual(VERTICAL)
    for (const kind of ['horizontalPoster', 'horizontalBackdrop'])
      expect(keys(movie.imageSet[kind])).toEqual(HORIZONTAL)
  })

  it('Change, with everything and with nothing that can be left out', async () => {
    const changes = async (type: string, item: string) =>
      (await get(`/changes?country=us&change_type=${type}&item_type=${item}&include_unknown_dates=true`))
        .changes as Json[]
    const head = ['changeType', 'itemType', 'showId', 'showType']
    const middle = ['service', 'streamingOptionType']
    const [withAddon] = (await changes('new', 'episode')).filter((change) => 'addon' in change)
    expect(keys(withAddon as Json)).toEqual([...head, 'season', 'episode', ...middle, 'addon', 'timestamp', 'link'])
    const [ofSeason] = (await changes('expiring', 'season')).filter((change) => !('addon' in change))
    expect(keys(ofSeason as Json)).toEqual([...head, 'season', ...middle, 'timestamp', 'link'])
    const [unknown] = await changes('upcoming', 'show')
    expect(keys(unknown as Json)).toEqual([...head, ...middle])
    await service.import(aDelta({ kind: 'remove', id: '129' }))
    const [removed] = await changes('removed', 'show')
    expect(keys(removed as Json)).toEqual([...head, ...middle, 'timestamp', 'link'])
    expect(keys((removed as { service: Json }).service)).toEqual(INFO)
  })

  it('search result', async () => {
    expect(keys(await get('/shows/search/filters?country=us'))).toEqual(['shows', 'hasMore', 'nextCursor'])
    expect(keys(await get('/shows/search/filters?country=gb'))).toEqual(['shows', 'hasMore'])
  })

  it('changes result', async () => {
    const path = '/changes?country=us&item_type=show&change_type='
    expect(keys(await get(`${path}new`))).toEqual(['changes', 'shows', 'hasMore', 'nextCursor'])
    expect(keys(await get(`${path}updated`))).toEqual(['changes', 'shows', 'hasMore'])
  })

  it('error', async () => {
    expect(keys(await get('/shows/search/filters'))).toEqual(['message'])
    expect(keys((await service.raw('/v4/nowhere')).body)).toEqual(['message'])
    const misplaced = await service.raw('/genres', { 'x-api-key': service.directKey })
    expect(keys(misplaced.body)).toEqual(['message'])
  })

  it('problem details', async () => {
    const accept = 'application/problem+json'
    const { body } = await service.get('/shows/search/filters', { headers: { accept } })
    expect(keys(body)).toEqual(['type', 'title', 'status', 'detail', 'code', 'parameter', 'requestId'])
    const unknown = await service.raw('/v4/nowhere', { accept })
    expect(keys(unknown.body)).toEqual(['type', 'title', 'status', 'detail', 'code', 'requestId'])
    const { key } = await service.aKey('free')
    for (let i = 0; i < 10; i++) await service.raw('/v4/genres', { 'x-api-key': key })
    const limited = await service.raw('/v4/genres', { 'x-api-key': key, accept })
    expect(keys(limited.body)).toEqual(['type', 'title', 'status', 'detail', 'code', 'retryAfter', 'requestId'])
    const misplaced = await service.raw('/genres', { 'x-api-key': service.directKey, accept })
    expect(keys(misplaced.body).slice(-3)).toEqual(['requestId', 'base', 'header'])
  })

  it('a show has the same keys in every response', async () => {
    const expected = keys(await get('/shows/1?country=us'))
    const places = [
      (await get('/shows/search/title?country=us&title=movie+1')) as Json[],
      (await get('/shows/search/filters?country=us&catalogs=prime')).shows as Json[],
      Object.values((await get('/changes?country=us&change_type=new&item_type=show')).shows) as Json[],
    ]
    for (const shows of places) expect(keys(shows.find(({ id }) => id === '1') as Json)).toEqual(expected)
  })
})
