import { describe, expect, it } from 'vitest'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, idsOf } from '../support/builders.ts'
import { Chance, generateShows } from '../support/query-model.ts'
import { aRunningService } from './running-service.ts'

const on = (service: string, country = 'us') => ({
  [country]: [anOption({ service, link: `https://${service}.test/x` })],
})

/** A movie of its own: it shares nothing with others but what is given. */
let people = 0
const aLonelyMovie = (fields: Record<string, unknown>) => {
  const n = people++
  return aMovie({
    title: `Solitary${n}`,
    originalTitle: `Solitary${n}`,
    overview: `Alone${n}.`,
    releaseYear: 1950,
    directors: [`Directing Person${n}`],
    cast: [`Acting Person${n}`],
    genres: ['horror'],
    rating: 50,
    ...fields,
  })
}

describe('GET /shows/{id}/similar', async () => {
  const source = {
    title: 'The Lighthouse Keepers',
    originalTitle: 'The Lighthouse Keepers',
    overview: 'Two smugglers quarrel over a foghorn.',
    directors: ['Mira Holt'],
    cast: ['Jon Wick', 'Eva Stone'],
    genres: ['crime', 'drama'],
    releaseYear: 1999,
  }
  const service = await aRunningService(
    aSnapshot(
      aLonelyMovie({ id: '1', tmdbId: 'movie/77', ...source }),
      aLonelyMovie({ id: '2', title: 'Lighthouse Keepers II', genres: ['crime', 'drama'], directors: ['Mira Holt'] }),
      aLonelyMovie({ id: '3', directors: ['Mira Holt'] }),
      aLonelyMovie({ id: '4', cast: ['Eva Stone'] }),
      aLonelyMovie({ id: '5', overview: 'A foghorn is stolen by smugglers.' }),
      aLonelyMovie({ id: '6', genres: ['crime', 'drama'], releaseYear: 1998 }),
      aLonelyMovie({ id: '7', genres: ['crime', 'drama'], releaseYear: 1960 }),
      aLonelyMovie({ id: '8', streamingOptions: {}, ...source }),
      aLonelyMovie({ id: '9', streamingOptions: on('mubi', 'gb'), ...source }),
      aSeries({ id: '10', genres: ['crime', 'drama'], streamingOptions: on('mubi') }),
      ...Array.from({ length: 60 }, (_, i) => aLonelyMovie({ id: String(100 + i) })),
    ),
  )
  const get = (query: string, id = '1') => service.get(`/shows/${id}/similar?${query}`)
  const found = async (query: string, id?: string) => idsOf((await get(query, id)).body)

  it('has sequels, works of the same people, with the same words and genres, in that order', async () => {
    const ids = await found('country=us&show_type=movie')
    expect(ids.slice(0, 1)).toEqual(['2'])
    expect(new Set(ids.slice(0, 6))).toEqual(new Set(['2', '3', '4', '5', '6', '7']))
    expect(ids.indexOf('6')).toBeLessThan(ids.indexOf('7'))
    expect(ids.indexOf('3')).toBeLessThan(ids.indexOf('4'))
  })

  it('has only shows that can be watched in the countries and catalogs, and never the show itself', async () => {
    for (const id of ['1', '2', '100']) expect(await found('country=any', id)).not.toContain(id)
    expect((await found('country=us,gb'))[0]).toBe('9')
    expect(await found('country=us')).not.toContain('9')
    expect(await found('country=us')).not.toContain('8')
    expect(await found('country=gb')).toEqual(['9'])
    expect(await found('country=us&catalogs=mubi')).toEqual(['10'])
    expect(await found('country=us&show_type=series')).toEqual(['10'])
  })

  it('takes any id, a limit, a language, a granularity and fields', async () => {
    const ids = await found('country=us')
    for (const id of ['movie/77', 'movie%2F77', 'tt0000001']) expect(await found('country=us', id)).toEqual(ids)
    expect(await found('country=us&limit=3')).toEqual(ids.slice(0, 3))
    expect(ids.length).toBeLessThanOrEqual(20)
    const series = (await get('country=us&show_type=series&series_granularity=season')).body[0]
    expect(series.seasons).toHaveLength(2)
    expect((await get('country=us&limit=1&fields=id&output_language=fr')).body).toEqual([{ id: '2' }])
    // A show that cannot be watched in the country has similar ones there, too.
    expect((await found('country=us', '8')).slice(0, 2)).toEqual(['1', '2'])
  })

  it('rejects what cannot be', async () => {
    expect((await get('country=us', '999')).status).toBe(404)
    expect((await get('country=us', 'x')).error).toMatchObject({ code: 'not_found', parameter: 'id' })
    expect((await get('')).error).toMatchObject({ code: 'missing_parameter', parameter: 'country' })
    for (const limit of ['0', '21', 'x']) expect((await get(`country=us&limit=${limit}`)).error.parameter).toBe('limit')
  })

  it('leaves out a show that was removed', async () => {
    await service.import(aDelta({ kind: 'remove', id: '2' }))
    expect(await found('country=us')).not.toContain('2')
    expect((await get('country=us', '2')).status).toBe(404)
  })
})

describe('similar shows of a generated catalog', async () => {
  const shows = generateShows(new Chance(11), 120)
  const service = await aRunningService(aSnapshot(...shows))
  const other = await aRunningService(aSnapshot(...[...shows].reverse()))

  it('are the same for the same shows, and all in the country', async () => {
    for (const { id } of shows.slice(0, 40)) {
      const ids = idsOf((await service.get(`/shows/${id}/similar?country=gb`)).body)
      expect(new Set(ids).size).toBe(ids.length)
      for (const found of ids) {
        expect(shows.find((show) => show.id === found).streamingOptions.gb?.length).toBeGreaterThan(0)
      }
      expect(idsOf((await other.get(`/shows/${id}/similar?country=gb`)).body), id).toEqual(ids)
    }
  })

  it('are the same whatever the order of the countries, and all in one of them', async () => {
    const found = new Set<string>()
    for (const { id } of shows.slice(0, 12)) {
      for (const [list = '', ...orders] of COUNTRY_ORDERS) {
        const { text, body } = await service.get(`/shows/${id}/similar?country=${list}`)
        const ids = idsOf(body)
        expect(new Set(ids).size).toBe(ids.length)
        for (const similar of ids) {
          const countries = Object.keys(shows.find((show) => show.id === similar).streamingOptions)
          expect(
            countries.some((country) => list.includes(country)),
            `${similar} in ${list}`,
          ).toBe(true)
          found.add(countries.join())
        }
        for (const order of orders) {
          expect((await service.get(`/shows/${id}/similar?country=${order}`)).text, `${id} in ${order}`).toBe(text)
        }
      }
      const all = await service.get(`/shows/${id}/similar?country=any&fields=id`)
      expect((await service.get(`/shows/${id}/similar?country=us,tr,gb&fields=id`)).text).toBe(all.text)
    }
    for (const country of ['gb', 'tr', 'us']) expect(found, `some are in ${country} alone`).toContain(country)
  })

  it('are for one country those of that country alone', async () => {
    const expected = await Promise.all(
      ['gb', 'tr', 'us'].map(async (country) => {
        // The same shows, in one country.
        const alone = shows.map((show) => ({
          ...show,
          streamingOptions: only(show.streamingOptions, country),
          popularity: only(show.popularity, country),
        }))
        return [country, await aRunningService(aSnapshot(...alone))] as const
      }),
    )
    for (const { id } of shows.slice(0, 12)) {
      for (const [country, alone] of expected) {
        const path = `/shows/${id}/similar?country=${country}`
        expect((await service.get(path)).text, path).toBe((await alone.get(path)).text)
      }
    }
  })

  it('are those of one country where the others have the same', async () => {
    const doubled = shows.map((show) => ({
      ...show,
      streamingOptions: { ...only(show.streamingOptions, 'us'), ...as('tr', show.streamingOptions.us) },
      popularity: { ...only(show.popularity, 'us'), ...as('tr', show.popularity.us) },
    }))
    const twice = await aRunningService(aSnapshot(...doubled))
    for (const { id } of shows.slice(0, 12)) {
      const ids = idsOf((await service.get(`/shows/${id}/similar?country=us`)).body)
      expect(idsOf((await twice.get(`/shows/${id}/similar?country=tr,us`)).body), id).toEqual(ids)
    }
  })
})

/** Lists of countries, each with others of the same countries. */
const COUNTRY_ORDERS = [
  ['gb,us', 'us,gb', 'us,gb,us'],
  ['gb,tr,us', 'gb,us,tr', 'tr,gb,us', 'tr,us,gb', 'us,gb,tr', 'us,tr,gb'],
]

/** A member of an object under a name, if there is one. */
const as = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value })
const only = (members: Record<string, unknown>, name: string) => as(name, members[name])

describe('similar shows in several countries', async () => {
  const genres = ['crime', 'drama']
  const both = { ...on('mubi'), ...on('mubi', 'gb') }
  const service = await aRunningService(
    aSnapshot(
      aLonelyMovie({ id: '1', genres, streamingOptions: on('netflix', 'gb') }),
      aLonelyMovie({ id: '2', genres, streamingOptions: on('mubi') }),
      aLonelyMovie({ id: '3', genres, streamingOptions: on('netflix') }),
      aLonelyMovie({ id: '11', streamingOptions: on('prime') }),
      aLonelyMovie({ id: '12', streamingOptions: both, popularity: { gb: { alltime: 10 }, us: { alltime: 5 } } }),
      aLonelyMovie({ id: '13', streamingOptions: both, popularity: { gb: { alltime: 1 }, us: { alltime: 1000 } } }),
    ),
  )
  const found = async (id: string, country: string) =>
    idsOf((await service.get(`/shows/${id}/similar?country=${country}&limit=2`)).body)

  it('have the services of the show in any of them', async () => {
    // In the country without the show, none of its services counts, and ids decide.
    expect(await found('1', 'us')).toEqual(['2', '3'])
    expect(await found('1', 'us,gb')).toEqual(['3', '2'])
    expect(await found('1', 'gb,us')).toEqual(['3', '2'])
  })

  it('are as popular as in the country where they are most popular', async () => {
    expect(await found('11', 'gb')).toEqual(['12', '13'])
    expect(await found('11', 'gb,us')).toEqual(['13', '12'])
    expect(await found('11', 'us,gb')).toEqual(['13', '12'])
  })
})
