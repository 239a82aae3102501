import { describe, expect, it } from 'vitest'
import { aDelta, aMovie, anAddon, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

type Json = Record<string, unknown>
const TYPES = ['new', 'updated', 'removed', 'expiring', 'upcoming']
const ITEMS = ['show', 'season', 'episode']

describe('Change', async () => {
  // Every type of change for a movie with an addon and for a series, its seasons and its episodes.
  const option = (fields: Json) => anOption({ service: 'prime', type: 'addon', addon: 'starz', ...fields })
  const series = (id: string, fields: Json | undefined) => {
    const streamingOptions = fields === undefined ? {} : { us: [anOption(fields)] }
    const episode = { itemType: 'episode', title: 'E', airYear: 2020, streamingOptions }
    const season = { itemType: 'season', title: 'S', firstAirYear: 2020, lastAirYear: 2020, streamingOptions }
    return aSeries({ id, streamingOptions, seasons: [{ ...season, episodes: [episode] }] })
  }
  const movie = (id: string, fields: Json | undefined) =>
    aMovie({ id, streamingOptions: fields === undefined ? {} : { us: [option(fields)] } })
  const FIELDS: Record<string, Json> = {
    updated: {},
    removed: {},
    expiring: { expiresOn: NOW + DAY },
    upcoming: { startsOn: NOW + DAY },
  }
  const service = await aRunningService()
  service.now = NOW - 60 * DAY
  const old = Object.values(FIELDS).flatMap((fields, i) => [movie(`${i + 2}`, fields), series(`1${i + 2}`, fields)])
  await service.import(
    aSnapshot(...old, movie('6', { startsOn: 'unknown', link: undefined }), movie('7', { expiresSoon: true })),
  )
  service.now = NOW
  const later = [movie('1', {}), series('11', {}), movie('2', { quality: 'sd' }), series('12', { quality: 'sd' })]
  await service.import(aDelta(...later, movie('3', undefined), series('13', undefined)))

  const changes = async (type: string, item: string): Promise<Json[]> => {
    const path = `/changes?country=us&change_type=${type}&item_type=${item}&include_unknown_dates=true`
    return (await service.get(path)).body.changes
  }
  const pairs = TYPES.flatMap((type) => ITEMS.map((item) => [type, item] as const))
  const all = Object.fromEntries(
    await Promise.all(pairs.map(async ([type, item]) => [`${type} ${item}`, await changes(type, item)] as const)),
  )
  const of = (type: string, item: string) => all[`${type} ${item}`] as Json[]

  it.each(pairs)('there are %s changes of each item type: %s', (type, item) => {
    expect(of(type, item).length).toBeGreaterThan(0)
  })

  it.each(pairs)('changeType and itemType: %s, %s, as requested', (type, item) => {
    for (const change of of(type, item)) expect([change.changeType, change.itemType]).toEqual([type, item])
  })

  it.each(TYPES)('showId: the id of a show of the response, of %s changes', async (type) => {
    const { body } = await service.get(`/changes?country=us&change_type=${type}&item_type=show`)
    for (const { showId } of body.changes) expect(body.shows[showId].id).toBe(showId)
  })

  it.each(TYPES)('showType: movie or series, that of the show, of %s changes', async (type) => {
    const { body } = await service.get(`/changes?country=us&change_type=${type}&item_type=show`)
    expect(new Set(body.changes.map(({ showType }: Json) => showType))).toEqual(new Set(['movie', 'series']))
    for (const { showId, showType } of body.changes) expect(showType).toBe(body.shows[showId].showType)
  })

  it.each(TYPES)('season: omitted unless the item is a season or an episode, of %s changes', (type) => {
    for (const change of of(type, 'show')) expect(change).not.toHaveProperty('season')
    for (const item of ['season', 'episode']) for (const change of of(type, item)) expect(change.season).toBe(1)
  })

  it.each(TYPES)('episode: omitted unless the item is an episode, of %s changes', (type) => {
    for (const item of ['show', 'season'])
      for (const change of of(type, item)) expect(change).not.toHaveProperty('episode')
    for (const change of of(type, 'episode')) expect(change.episode).toBe(1)
  })

  it.each(TYPES)('service, streamingOptionType and addon: of %s changes', (type) => {
    const ofMovie = of(type, 'show').find(({ showType }) => showType === 'movie')
    expect(ofMovie).toMatchObject({
      service: { id: 'prime', name: 'Prime' },
      streamingOptionType: 'addon',
      addon: anAddon('starz'),
    })
    const ofSeries = of(type, 'show').find(({ showType }) => showType === 'series')
    expect(ofSeries).toMatchObject({ service: { id: 'netflix' }, streamingOptionType: 'subscription' })
    expect(ofSeries).not.toHaveProperty('addon')
  })

  it.each(['new', 'updated', 'removed'])('timestamp: always present for past changes: %s', (type) => {
    for (const item of ITEMS) for (const change of of(type, item)) expect(change.timestamp).toBe(NOW)
  })

  it.each([
    ['expiring', '7'],
    ['upcoming', '6'],
  ])('timestamp: for %s changes present only when the exact date is known', (type, unknown) => {
    const dates = of(type, 'show').map(({ showId, timestamp }) => [showId, timestamp])
    expect(dates[0]).toEqual([unknown, undefined])
    expect(dates.slice(1).map(([, timestamp]) => timestamp)).toEqual([NOW + DAY, NOW + DAY])
  })

  it.each(['new', 'updated', 'removed', 'expiring'])('link: always populated for %s', (type) => {
    for (const item of ITEMS) for (const change of of(type, item)) expect(change.link).toMatch(/^https:/)
  })

  it('link: for upcoming left out where it is unknown', () => {
    expect(of('upcoming', 'show').map(({ link }) => link)).toEqual([
      undefined,
      'https://netflix.test/title/1',
      'https://netflix.test/title/1',
    ])
  })
})
