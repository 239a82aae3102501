import { describe, expect, it } from 'vitest'
import { anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

describe('Season and Episode', async () => {
  const rent = anOption({
    service: 'prime',
    type: 'rent',
    link: 'https://prime.test/s1e1',
    videoLink: 'https://prime.test/watch/s1e1',
    quality: 'uhd',
    audios: [{ language: 'spa', region: '419' }],
    subtitles: [{ closedCaptions: true, locale: { language: 'eng', region: 'USA' } }],
    price: { amount: '1.99', currency: 'USD' },
    expiresOn: NOW + 100 * DAY,
  })
  const service = await aRunningService(
    aSnapshot(
      aSeries({
        id: '1',
        streamingOptions: { us: [anOption({ service: 'prime', type: 'rent' })] },
        seasons: [
          {
            itemType: 'season',
            title: 'The Beginning',
            firstAirYear: 2010,
            lastAirYear: 2011,
            streamingOptions: { us: [anOption({ link: 'https://netflix.test/s1' })], gb: [anOption()] },
            episodes: [
              {
                itemType: 'episode',
                title: 'Pilot',
                overview: 'It starts.',
                airYear: 2010,
                streamingOptions: { us: [rent], gb: [anOption()] },
              },
              { itemType: 'episode', title: 'Second', airYear: 2011, streamingOptions: {} },
              { itemType: 'episode', title: 'Third', overview: '', airYear: 2011, streamingOptions: {} },
            ],
          },
          {
            itemType: 'season',
            title: 'Announced',
            firstAirYear: 2030,
            lastAirYear: 2030,
            streamingOptions: {},
            episodes: [],
          },
        ],
      }),
    ),
  )
  const { seasons } = (await service.get('/shows/1?country=us')).body
  const [first, announced] = seasons
  const [pilot, second, third] = first.episodes

  it('a season holds its own streamingOptions', () => {
    expect(first).toMatchObject({ itemType: 'season', title: 'The Beginning', firstAirYear: 2010, lastAirYear: 2011 })
    expect(first.streamingOptions.us[0]).toMatchObject({ service: { id: 'netflix' }, link: 'https://netflix.test/s1' })
  })

  it('a season has an episodes array only at granularity episode', async () => {
    expect(first.episodes).toHaveLength(3)
    expect(announced.episodes).toEqual([])
    const { body } = await service.get('/shows/1?country=us&series_granularity=season')
    for (const season of body.seasons) expect(season).not.toHaveProperty('episodes')
    expect(body.seasons[0].streamingOptions).toEqual(first.streamingOptions)
  })

  it('an episode holds its own streamingOptions', () => {
    expect(pilot).toMatchObject({ itemType: 'episode', title: 'Pilot', overview: 'It starts.', airYear: 2010 })
    expect(second.streamingOptions).toEqual({})
  })

  it('the overview of an episode is left out where it is not known, and stays where it is empty', () => {
    expect(second).not.toHaveProperty('overview')
    expect(third.overview).toBe('')
  })

  it('season and episode options have the same properties as those of shows', () => {
    const { service: info, availableSince, ...option } = pilot.streamingOptions.us[0]
    expect(info.id).toBe('prime')
    expect(option).toEqual({
      type: 'rent',
      link: 'https://prime.test/s1e1',
      videoLink: 'https://prime.test/watch/s1e1',
      quality: 'uhd',
      audios: [{ language: 'spa', region: '419' }],
      subtitles: [{ closedCaptions: true, locale: { language: 'eng', region: 'USA' } }],
      price: { amount: '1.99', currency: 'USD', formatted: '1.99 USD' },
      expiresSoon: false,
      expiresOn: NOW + 100 * DAY,
    })
  })

  it('a price may be on the episode alone: the option of the series has none', async () => {
    const { body } = await service.get('/shows/1?country=us')
    expect(body.streamingOptions.us[0]).toMatchObject({ type: 'rent' })
    expect(body.streamingOptions.us[0]).not.toHaveProperty('price')
  })

  it('only the requested country: in seasons and episodes as well', async () => {
    const { body: british } = await service.get('/shows/1?country=gb')
    expect(Object.keys(british.seasons[0].streamingOptions)).toEqual(['gb'])
    expect(Object.keys(british.seasons[0].episodes[0].streamingOptions)).toEqual(['gb'])
    const { body: all } = await service.get('/shows/1')
    expect(Object.keys(all.seasons[0].streamingOptions)).toEqual(['gb', 'us'])
    expect(Object.keys(all.seasons[0].episodes[0].streamingOptions)).toEqual(['gb', 'us'])
    expect(all.seasons[1].streamingOptions).toEqual({})
  })
})
