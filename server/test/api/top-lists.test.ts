import { describe, expect, it } from 'vitest'
import { aDelta, aMovie, anOption, aSeries, aService, aSnapshot, idsOf } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

const aTopList = (service: string, showType: string, shows: string[], country = 'us') => ({
  kind: 'top',
  country,
  service,
  showType,
  shows,
})

describe('GET /shows/top', async () => {
  const service = await aRunningService([
    ...aSnapshot(
      aMovie({ id: '1', streamingOptions: { us: [anOption()], gb: [anOption()] } }),
      aMovie({ id: '2' }),
      aMovie({ id: '3', streamingOptions: {} }),
      aSeries({ id: '11', imdbId: 'tt0000011' }),
      aSeries({ id: '12' }),
    ),
    aTopList('netflix', 'movie', ['3', '1', '2']),
    aTopList('netflix', 'series', ['12', 'tt0000011']),
    aTopList('netflix', 'movie', ['1'], 'gb'),
    aTopList('prime', 'movie', ['2']),
    aTopList('mubi', 'movie', ['1']),
    aTopList('tubi', 'movie', ['1']),
  ])
  const top = async (parameters: string) => {
    const { status, body, text } = await service.get(`/shows/top?${parameters}`)
    expect(status, text).toBe(200)
    return body
  }
  const ids = async (parameters: string) => idsOf(await top(parameters))
  const refusal = async (parameters: string) => {
    const { status, error } = await service.get(`/shows/top?${parameters}`)
    return [status, error.code, error.parameter]
  }

  it("returns an array of shows: the service's own list, in its order", async () => {
    expect(await ids('country=us&service=netflix&show_type=movie')).toEqual(['3', '1', '2'])
    expect(await ids('country=us&service=prime')).toEqual(['2'])
  })

  it('country: required, in any case, one of the catalog', async () => {
    expect(await refusal('service=netflix')).toEqual([400, 'missing_parameter', 'country'])
    expect(await refusal('service=netflix&country=zz')).toEqual([400, 'invalid_parameter', 'country'])
    expect(await ids('country=GB&service=netflix')).toEqual(['1'])
    expect(await ids('country=tr&service=netflix')).toEqual([])
  })

  it('service: required', async () => {
    expect(await refusal('country=us')).toEqual([400, 'missing_parameter', 'service'])
  })

  it('of both types, shows of equal rank stand side by side, also where some of a list are gone', async () => {
    const other = await aRunningService([
      ...aSnapshot(...['1', '2', '3'].map((id) => aMovie({ id })), ...['11', '12'].map((id) => aSeries({ id }))),
      aTopList('netflix', 'movie', ['3', '1', '2']),
      aTopList('netflix', 'series', ['12', '11']),
    ])
    await other.import(aDelta({ kind: 'remove', id: '3' }))
    expect(idsOf((await other.get('/shows/top?country=us&service=netflix')).body)).toEqual(['1', '12', '2', '11'])
  })

  it('show_type: movie or series, both if omitted', async () => {
    expect(await ids('country=us&service=netflix&show_type=series')).toEqual(['12', '11'])
    expect((await ids('country=us&service=netflix')).sort()).toEqual(['1', '11', '12', '2', '3'])
    expect(await refusal('country=us&service=netflix&show_type=film')).toEqual([400, 'invalid_parameter', 'show_type'])
  })

  it('both types: each in its own rank order', async () => {
    const both = await ids('country=us&service=netflix')
    expect(both.filter((id) => Number(id) < 10)).toEqual(['3', '1', '2'])
    expect(both.filter((id) => Number(id) > 10)).toEqual(['12', '11'])
  })

  it('output_language: en by default', async () => {
    const [first] = await top('country=us&service=netflix&show_type=series&output_language=ja')
    expect(first.genres).toEqual([{ id: 'comedy', name: 'コメディ' }])
    expect(await refusal('country=us&service=netflix&output_language=x')).toEqual([
      400,
      'invalid_parameter',
      'output_language',
    ])
  })

  it('granularity is always show', async () => {
    for (const show of await top('country=us&service=netflix')) expect(show).not.toHaveProperty('seasons')
    const { headers, body } = await service.get('/shows/top?country=us&service=netflix&series_granularity=episode')
    expect(body.every((show: object) => !('seasons' in show))).toBe(true)
    expect(headers['x-ignored-parameters']).toBe('series_granularity')
  })

  it('availability covers the target country only; a show of the list need not be streamable', async () => {
    const [first, second] = await top('country=us&service=netflix&show_type=movie')
    expect([first.id, first.streamingOptions]).toEqual(['3', {}])
    expect(Object.keys(second.streamingOptions)).toEqual(['us'])
  })

  it.each(['tubi', 'mubi', 'nobody', 'NETFLIX', 'x.y'])(
    '%s, which is not supported: an empty list, 200',
    async (id) => {
      expect(await top(`country=us&service=${id}`)).toEqual([])
    },
  )

  it('five services are supported unless the reference data overrides it', async () => {
    const names = ['netflix', 'prime', 'disney', 'apple', 'hbo', 'mubi', 'hulu', 'paramount']
    const flagless = await aRunningService([
      { kind: 'feed', source: 'test', mode: 'snapshot' },
      ...names.map((id) => aService(id)),
      { kind: 'country', countryCode: 'us', services: names },
      aMovie({ id: '1' }),
      ...names.map((id) => aTopList(id, 'movie', ['1'])),
    ])
    const supported = []
    for (const id of names) {
      const { body } = await flagless.get(`/shows/top?country=us&service=${id}`)
      if (body.length > 0) supported.push(id)
    }
    expect(supported).toEqual(['netflix', 'prime', 'disney', 'apple', 'hbo'])
  })

  it('the flag is reference data: a feed can give it to a service and take it away', async () => {
    const list = aTopList('extra', 'movie', ['1'])
    const flagged = await aRunningService([
      ...aSnapshot(aService('extra', { hasTopList: true }), aMovie({ id: '1' })),
      list,
    ])
    const extra = async () => idsOf((await flagged.get('/shows/top?country=us&service=extra')).body)
    expect(await extra()).toEqual(['1'])
    await flagged.import(aDelta(aService('extra', { hasTopList: false })))
    expect(await extra()).toEqual([])
  })

  it('a new list replaces the old one', async () => {
    const list = await aRunningService([
      ...aSnapshot(aMovie({ id: '1' }), aMovie({ id: '2' })),
      aTopList('netflix', 'movie', ['1', '2']),
    ])
    const current = async () => idsOf((await list.get('/shows/top?country=us&service=netflix')).body)
    expect(await current()).toEqual(['1', '2'])
    await list.import(aDelta(aTopList('netflix', 'movie', ['2'])))
    expect(await current()).toEqual(['2'])
  })

  it('a show that was taken out of the catalog is no longer in the list', async () => {
    const list = await aRunningService([
      ...aSnapshot(aMovie({ id: '1' }), aMovie({ id: '2' })),
      aTopList('netflix', 'movie', ['1', '2']),
    ])
    await list.import(aDelta({ kind: 'remove', id: '1' }))
    expect(idsOf((await list.get('/shows/top?country=us&service=netflix')).body)).toEqual(['2'])
  })
})
