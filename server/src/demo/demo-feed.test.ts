import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { STANDARD_GENRES } from '../model/genre.ts'
import { OUTPUT_LANGUAGES } from '../model/language.ts'
import { isAmount, isCurrency } from '../model/offer.ts'
import { isAddonId, isServiceId, isThemeColor } from '../model/service.ts'
import { isImdbId, isShowId, isTmdbId } from '../model/show.ts'
import { drawArtwork } from './artwork/draw-artwork.ts'
import { demoFeed } from './demo-feed.ts'
import {
  type CountryRecord,
  DEMO_COUNTRY_COUNT,
  type DemoOptions,
  type FeedOption,
  type FeedRecord,
  type ServiceRecord,
  type ShowRecord,
  type TopRecord,
} from './feed-records.ts'
import { DEMO_COUNTRIES } from './market/markets.ts'
import { RealShowGenerator } from './shows/real-show.ts'

const DAY = 86_400
const BASE = 'https://demo.example'
const options: DemoOptions = { shows: 300, seed: 7, countries: 20, at: 1_760_000_000, baseUrl: BASE }
const feed = [...demoFeed(options)]

function ofKind<K extends FeedRecord['kind']>(kind: K, records = feed): Extract<FeedRecord, { kind: K }>[] {
  return records.filter((record): record is Extract<FeedRecord, { kind: K }> => record.kind === kind)
}

function optionsOf(show: ShowRecord): { country: string; option: FeedOption }[] {
  const items = [show, ...(show.seasons ?? []), ...(show.seasons ?? []).flatMap((season) => season.episodes)]
  return items.flatMap((item) =>
    Object.entries(item.streamingOptions).flatMap(([country, list]) => list.map((option) => ({ country, option }))),
  )
}

function digest(demo: DemoOptions): string {
  const hash = createHash('sha256')
  for (const record of demoFeed(demo)) hash.update(`${JSON.stringify(record)}\n`)
  return hash.digest('hex')
}

/** Generated shows only, enough of them for stable shares. */
function* generatedShows(count: number): Generator<ShowRecord> {
  for (const record of demoFeed({ ...options, shows: RealShowGenerator.count + count })) {
    if (record.kind === 'show' && Number(record.id) >= 100_000) yield record
  }
}

describe('the demo feed', () => {
  it('is the same to the byte for the same options', () => {
    expect(digest({ ...options, shows: 200 })).toBe(digest({ ...options, shows: 200 }))
    expect(digest({ ...options, shows: 200, seed: 8 })).not.toBe(digest({ ...options, shows: 200 }))
  })

  it('generates the same show whatever the size of the feed', () => {
    const larger = ofKind('show', [...demoFeed({ ...options, shows: 400 })])
    expect(larger.slice(0, 300)).toEqual(ofKind('show'))
  })

  it('starts with a header that states that the availability is invented, then has the kinds in order', () => {
    expect(feed[0]).toMatchObject({ kind: 'feed', source: 'demo', mode: 'snapshot' })
    expect((feed[0] as { note: string }).note).toMatch(/invented/)
    const kinds = feed.map((record) => record.kind)
    expect(kinds.filter((kind, i) => kind !== kinds[i - 1])).toEqual([
      'feed',
      'genre',
      'service',
      'country',
      'show',
      'top',
    ])
    expect(ofKind('show')).toHaveLength(300)
    for (const record of feed) expect(Object.keys(record)[0]).toBe('kind')
  })

  it('holds no null and no undefined', () => {
    const find = (value: unknown): boolean =>
      value === null || value === undefined || (typeof value === 'object' && Object.values(value).some(find))
    expect(feed.filter(find)).toEqual([])
  })

  it('names every genre in every output language', () => {
    expect(ofKind('genre').map((genre) => genre.id)).toEqual(STANDARD_GENRES.map((genre) => genre.id))
    for (const genre of ofKind('genre')) {
      expect(Object.keys(genre.names)).toEqual([...OUTPUT_LANGUAGES])
      expect(Object.values(genre.names).every((name) => name !== '' && name !== genre.id)).toBe(true)
    }
  })

  it('has about as many episodes as it is asked for', () => {
    const shows = ofKind('show', [...demoFeed({ ...options, shows: 2_000, episodes: 20_000 })])
    const episodes = shows.slice(RealShowGenerator.count).reduce((sum, show) => sum + (show.episodeCount ?? 0), 0)
    expect(episodes).toBeGreaterThan(14_000)
    expect(episodes).toBeLessThan(22_000)
  })

  it('gives every show its own ids', () => {
    const shows = ofKind('show', [...demoFeed({ ...options, shows: 5_000 })])
    for (const key of ['id', 'imdbId', 'tmdbId'] as const) {
      const ids = shows.map((show) => show[key]).filter((id) => id !== '')
      expect(new Set(ids).size).toBe(ids.length)
    }
    expect(shows.every((show) => isShowId(show.id) && isTmdbId(show.tmdbId, show.showType))).toBe(true)
    expect(shows.every((show) => show.imdbId === '' || isImdbId(show.imdbId))).toBe(true)
    const ids = shows.map((show) => Number(show.id)).filter((id) => id >= 100_000)
    expect(ids).not.toEqual([...ids].sort((a, b) => a - b))
  })

  it('has the members of shows, seasons, episodes and options in the order of the API', () => {
    const movieKeys =
      'kind itemType showType id imdbId tmdbId title overview releaseYear originalTitle genres directors cast rating runtime imageSet streamingOptions originalLanguage translations popularity'
    const seriesKeys =
      'kind itemType showType id imdbId tmdbId title overview firstAirYear lastAirYear originalTitle genres creators cast rating seasonCount episodeCount imageSet streamingOptions seasons originalLanguage translations popularity'
    const optionKeys =
      'service type addon link videoLink quality audios subtitles price expiresSoon expiresOn availableSince startsOn'.split(
        ' ',
      )
    const problems: string[] = []
    for (const show of ofKind('show')) {
      expect(Object.keys(show).join(' ')).toBe(show.showType === 'movie' ? movieKeys : seriesKeys)
      for (const season of show.seasons ?? []) {
        expect(Object.keys(season)).toEqual([
          'itemType',
          'title',
          'firstAirYear',
          'lastAirYear',
          'streamingOptions',
          'episodes',
        ])
        expect(Object.keys(season.episodes[0] ?? {})).toEqual(['itemType', 'title', 'airYear', 'streamingOptions'])
      }
      for (const { option } of optionsOf(show)) {
        const keys = Object.keys(option)
        if (keys.join() !== optionKeys.filter((key) => keys.includes(key)).join()) problems.push(`${show.id} ${keys}`)
      }
    }
    expect(problems).toEqual([])
  })

  it('has only URLs that can be drawn', () => {
    const urls = new Set<string>()
    const collect = (value: unknown): void => {
      if (typeof value === 'string') {
        if (value.includes('//')) urls.add(value)
      } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
    }
    feed.forEach(collect)
    expect(urls.size).toBeGreaterThan(10_000)
    const bad = [...urls].filter(
      (url) => !url.startsWith(`${BASE}/`) || url.length >= 160 || drawArtwork(new URL(url).pathname) === undefined,
    )
    expect(bad).toEqual([])
  })

  it('describes services and countries completely', () => {
    const services = ofKind('service')
    expect(services.length).toBeGreaterThanOrEqual(24)
    expect(services.filter((service) => service.hasTopList).map((service) => service.id)).toEqual([
      'netflix',
      'prime',
      'disney',
      'apple',
      'hbo',
    ])
    expect(services.filter((service) => service.hasUpcoming)).toHaveLength(6)
    for (const service of services) {
      expect(isServiceId(service.id) && isThemeColor(service.themeColorCode)).toBe(true)
      expect(service.addons.every((addon) => isAddonId(addon.id) && isThemeColor(addon.themeColorCode))).toBe(true)
    }
    const ids = new Set(services.map((service) => service.id))
    expect(
      ofKind('country')
        .map((country) => country.countryCode)
        .slice(0, 5),
    ).toEqual(['us', 'gb', 'ca', 'au', 'de'])
    for (const country of ofKind('country')) expect(country.services.filter((id) => !ids.has(id))).toEqual([])
    expect(DEMO_COUNTRIES.length).toBeGreaterThanOrEqual(40)
    expect(DEMO_COUNTRIES).toHaveLength(DEMO_COUNTRY_COUNT)
    const all = [...demoFeed({ ...options, shows: 0, countries: DEMO_COUNTRIES.length })]
    expect(ofKind('country', all)).toHaveLength(DEMO_COUNTRIES.length)
    expect(new Set(DEMO_COUNTRIES.map((country) => country.code)).size).toBe(DEMO_COUNTRIES.length)
    expect(DEMO_COUNTRIES.every((country) => isCurrency(country.currency))).toBe(true)
  })

  it('offers what a service has through addons of other services, too', () => {
    const through = (id: string) =>
      ofKind('show').filter((show) => optionsOf(show).some(({ option }) => option.addon === id)).length
    for (const addon of ['max', 'hbomaxus', 'paramountplus', 'disneyaddon']) {
      expect(through(addon), addon).toBeGreaterThan(3)
    }
  })

  it('has offers of all episodes of a series in its first countries, of long series as well', () => {
    const series = ofKind('show').filter((show) => (show.seasons?.length ?? 0) > 0 && Number(show.id) < 100_000)
    expect(Math.max(...series.map((show) => show.episodeCount ?? 0))).toBeGreaterThan(700)
    for (const show of series) {
      const first = Object.keys(show.streamingOptions).slice(0, 6)
      for (const { episodes } of show.seasons ?? []) {
        for (const { streamingOptions } of episodes)
          expect(Object.keys(streamingOptions)).toEqual(expect.arrayContaining(first))
      }
    }
  })

  it('offers only what the service has in that country', () => {
    const services = new Map<string, ServiceRecord>(ofKind('service').map((service) => [service.id, service]))
    const countries = new Map<string, CountryRecord>(ofKind('country').map((country) => [country.countryCode, country]))
    const faults = (country: string, option: FeedOption): string[] => {
      const service = services.get(option.service) as ServiceRecord
      const here = { ...service, ...service.countries?.[country] }
      const isSold = option.type === 'rent' || option.type === 'buy'
      const { price, addon, expiresOn } = option
      const rules: Record<string, boolean> = {
        service: countries.get(country)?.services.includes(option.service) === true,
        type: here.streamingOptionTypes[option.type],
        addon: (addon === undefined) === (option.type !== 'addon'),
        'known addon': addon === undefined || here.addons.some(({ id }) => id === addon),
        price: price === undefined || (isSold && isAmount(price.amount)),
        formatted: price === undefined || price.formatted === `${price.amount} ${price.currency}`,
        link: option.link !== '' || option.startsOn === 'unknown',
        since: option.availableSince < options.at,
        soon: expiresOn === undefined || option.expiresSoon === expiresOn - options.at <= 31 * DAY,
      }
      return Object.keys(rules).filter((rule) => !rules[rule])
    }
    for (const show of ofKind('show')) {
      const found = optionsOf(show).flatMap(({ country, option }) => faults(country, option))
      expect(found, show.id).toEqual([])
    }
  })

  it('lists ten shows that the service has now in each top list of a large market', () => {
    const shows = new Map(ofKind('show').map((show) => [show.id, show]))
    const tops: TopRecord[] = ofKind('top')
    expect(
      tops.find((top) => top.country === 'us' && top.service === 'netflix' && top.showType === 'movie')?.shows,
    ).toHaveLength(10)
    for (const top of tops) {
      expect(new Set(top.shows).size).toBe(top.shows.length)
      for (const id of top.shows) {
        const show = shows.get(id)
        expect(show?.showType).toBe(top.showType)
        const live = show?.streamingOptions[top.country]?.filter((option) => option.startsOn === undefined)
        expect(live?.some((option) => option.service === top.service)).toBe(true)
      }
    }
  })

  it('has the distributions of a real catalog', () => {
    const sums = {
      shows: 0,
      movies: 0,
      offers: 0,
      overview: 0,
      cast: 0,
      audios: 0,
      subtitles: 0,
      soon: 0,
      imminent: 0,
      upcoming: 0,
      unrated: 0,
      translated: 0,
      foreign: 0,
    }
    for (const show of generatedShows(5_000)) {
      sums.shows++
      if (show.showType === 'movie') sums.movies++
      sums.overview += show.overview.length
      sums.cast += show.cast.length
      if (show.rating === 0) sums.unrated++
      if (['es', 'fr', 'tr'].every((language) => show.translations[language] !== undefined)) sums.translated++
      if (show.originalLanguage !== 'en') sums.foreign++
      for (const { option } of optionsOf(show)) {
        sums.offers++
        sums.audios += option.audios.length
        sums.subtitles += option.subtitles.length
        if (option.startsOn !== undefined) sums.upcoming++
        else if (option.expiresSoon && option.expiresOn === undefined) sums.imminent++
        else if (option.expiresSoon) sums.soon++
      }
    }
    const within = (value: number, least: number, most: number) => {
      expect(value).toBeGreaterThan(least)
      expect(value).toBeLessThan(most)
    }
    within(sums.movies / sums.shows, 0.75, 0.81)
    within(sums.offers / sums.shows, 9, 12)
    within(sums.overview / sums.shows, 150, 176)
    within(sums.cast / sums.shows, 5.5, 6.5)
    within(sums.audios / sums.offers, 3.8, 5.2)
    within(sums.subtitles / sums.offers, 8, 10)
    within(sums.soon / sums.offers, 0.06, 0.1)
    within(sums.imminent / sums.offers, 0.005, 0.016)
    within(sums.upcoming / sums.offers, 0.03, 0.05)
    within(sums.unrated / sums.shows, 0.02, 0.04)
    within(sums.translated / sums.shows, 0.36, 0.44)
    within(sums.foreign / sums.shows, 0.18, 0.26)
  })
})
