import { describe, expect, it } from 'vitest'
import { aMovie, anAddon, anOption, aService, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

type Json = Record<string, unknown>

describe('StreamingOption', async () => {
  const price = (amount: string, currency = 'USD') => ({ amount, currency })
  const prime = (fields: Json) => anOption({ service: 'prime', ...fields })
  const shows: Record<string, Json[]> = {
    types: [
      prime({ type: 'subscription' }),
      prime({ type: 'free' }),
      prime({ type: 'rent', price: price('2.99') }),
      prime({ type: 'buy', price: price('100', 'JPY') }),
      prime({ type: 'addon', addon: 'starz' }),
    ],
    qualities: ['sd', 'hd', 'qhd', 'uhd', undefined].map((quality) => anOption({ quality })),
    links: [
      anOption({ link: 'https://a.test/?q="x"&y=ä\\', videoLink: 'https://a.test/watch' }),
      anOption({ link: 'https://b.test/' }),
    ],
    twins: ['2.99', '3.99', '2.99'].map((amount, i) =>
      prime({ type: 'rent', price: price(amount), link: `https://prime.test/${i}` }),
    ),
    order: [
      anOption({ service: 'tubi', type: 'free' }),
      anOption(),
      prime({ type: 'buy' }),
      anOption({ service: 'mubi' }),
    ],
    languages: [
      anOption({
        audios: [
          { language: 'spa', region: '419' },
          { language: 'eng' },
          { language: 'spa' },
          { language: 'deu' },
          { language: 'spa', region: 'ESP' },
          { language: 'eng' },
        ],
        subtitles: [
          { closedCaptions: true, locale: { language: 'eng' } },
          { closedCaptions: false, locale: { language: 'eng', region: 'USA' } },
          { closedCaptions: false, locale: { language: 'eng' } },
          { closedCaptions: false, locale: { language: 'ara' } },
          { closedCaptions: true, locale: { language: 'eng' } },
        ],
      }),
      anOption({ audios: [], subtitles: [] }),
    ],
    expiry: [
      anOption({ expiresOn: NOW + 31 * DAY }),
      anOption({ expiresOn: NOW + 32 * DAY }),
      anOption({ expiresOn: 253_368_063_900 }),
      anOption({ expiresSoon: true }),
      anOption(),
    ],
    since: [anOption({ availableSince: 0 }), anOption({ availableSince: 1_700_000_000 })],
  }
  const service = await aRunningService([
    ...aSnapshot(),
    aService('netflix', {
      countries: { gb: { name: 'Netflix UK', homePage: 'https://netflix.test/gb', themeColorCode: '#abcdef' } },
    }),
    ...Object.values(shows).map((us, i) => aMovie({ id: String(1 + i), streamingOptions: { us, gb: [anOption()] } })),
  ])
  const options = async (name: string) => {
    const id = 1 + Object.keys(shows).indexOf(name)
    return (await service.get(`/shows/${id}?country=us`)).body.streamingOptions.us
  }
  const column = async (name: string, field: string) => (await options(name)).map((option: Json) => option[field])

  it('service: the streaming service, localized to the country, as /countries shows it', async () => {
    const { body } = await service.get('/shows/1')
    for (const country of ['us', 'gb']) {
      const { body: inCountry } = await service.get(`/countries/${country}`)
      for (const option of body.streamingOptions[country]) {
        const { streamingOptionTypes, addons, ...info } = inCountry.services.find(
          ({ id }: Json) => id === option.service.id,
        )
        expect(option.service).toEqual(info)
      }
    }
    expect(body.streamingOptions.gb[0].service).toMatchObject({
      name: 'Netflix UK',
      homePage: 'https://netflix.test/gb',
      themeColorCode: '#abcdef',
    })
  })

  it('service: follows the reference data when that changes', async () => {
    const renamed = await aRunningService(aSnapshot(aMovie({ id: '1' })))
    await renamed.import([
      { kind: 'feed', source: 'names', mode: 'delta' },
      aService('netflix', { name: 'Netflix Two' }),
    ])
    expect((await renamed.get('/shows/1')).body.streamingOptions.us[0].service.name).toBe('Netflix Two')
    expect((await renamed.get('/countries/us')).body.services[0].name).toBe('Netflix Two')
  })

  it('type: subscription, free, rent, buy, addon', async () => {
    expect(await column('types', 'type')).toEqual(['subscription', 'free', 'rent', 'buy', 'addon'])
  })

  it('addon: present when the type is addon, and only then', async () => {
    const addons = await column('types', 'addon')
    expect(addons.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined])
    expect(addons[4]).toEqual(anAddon('starz'))
  })

  it('price: populated only for rent or buy; amount, currency, and both for people', async () => {
    expect(await column('types', 'price')).toEqual([
      undefined,
      undefined,
      { amount: '2.99', currency: 'USD', formatted: '2.99 USD' },
      { amount: '100', currency: 'JPY', formatted: '100 JPY' },
      undefined,
    ])
  })

  it('price: may be omitted', async () => {
    expect('price' in (await options('order'))[2]).toBe(false)
  })

  it('expiresSoon: true within 31 days, or without a date where expiry is imminent', async () => {
    expect(await column('expiry', 'expiresSoon')).toEqual([true, false, false, true, false])
  })

  it('expiresOn: present whenever the date is known, however far, and larger than 32 bits', async () => {
    expect(await column('expiry', 'expiresOn')).toEqual([
      NOW + 31 * DAY,
      NOW + 32 * DAY,
      253_368_063_900,
      undefined,
      undefined,
    ])
  })

  it('link and videoLink: as they are; the video link left out where there is none', async () => {
    const [first, second] = await options('links')
    expect([first.link, first.videoLink]).toEqual(['https://a.test/?q="x"&y=ä\\', 'https://a.test/watch'])
    expect('videoLink' in second).toBe(false)
  })

  it('quality: sd, hd, qhd, uhd, or left out', async () => {
    expect(await column('qualities', 'quality')).toEqual(['sd', 'hd', 'qhd', 'uhd', undefined])
    expect('quality' in (await options('qualities'))[4]).toBe(false)
  })

  it('audios: no repeats, by language, then region, none first', async () => {
    const [first, second] = await column('languages', 'audios')
    expect(first).toEqual([
      { language: 'deu' },
      { language: 'eng' },
      { language: 'spa' },
      { language: 'spa', region: '419' },
      { language: 'spa', region: 'ESP' },
    ])
    expect(second).toEqual([])
  })

  it('subtitles: no repeats, by language, then region, none first, then closed captions', async () => {
    const [first, second] = await column('languages', 'subtitles')
    expect(first).toEqual([
      { closedCaptions: false, locale: { language: 'ara' } },
      { closedCaptions: false, locale: { language: 'eng' } },
      { closedCaptions: true, locale: { language: 'eng' } },
      { closedCaptions: false, locale: { language: 'eng', region: 'USA' } },
    ])
    expect(second).toEqual([])
  })

  it('availableSince: the time at which it was first detected', async () => {
    expect(await column('since', 'availableSince')).toEqual([0, 1_700_000_000])
  })

  it('options keep the order in which the source gave them', async () => {
    expect((await column('order', 'service')).map(({ id }: Json) => id)).toEqual(['tubi', 'netflix', 'prime', 'mubi'])
  })

  it('two options may share service, type and quality: nothing merges them', async () => {
    expect((await column('twins', 'price')).map(({ amount }: Json) => amount)).toEqual(['2.99', '3.99', '2.99'])
    expect(await column('twins', 'link')).toEqual([0, 1, 2].map((i) => `https://prime.test/${i}`))
  })

  it('not even two that are the same in everything', async () => {
    const same = await aRunningService(
      aSnapshot(aMovie({ id: '1', streamingOptions: { us: [anOption(), anOption()] } })),
    )
    const { us } = (await same.get('/shows/1')).body.streamingOptions
    expect(us).toHaveLength(2)
    expect(us[0]).toEqual(us[1])
  })
})
