import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { aMovie, anOption, aSeries, aService, aSnapshot } from '../support/builders.ts'
import type { TestAnswer } from '../support/test-service.ts'
import { aRunningService } from './running-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: lines are checked against the OpenAPI document, and read freely by tests.
type Line = any

const linesOf = ({ text }: TestAnswer): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const showsOf = (lines: Line[]) => lines.filter(({ itemType }) => itemType === 'show')
const withKind = (lines: Line[], kind: string) => lines.filter((line) => line.kind === kind)

describe('GET /catalog/export', async () => {
  const german = { de: [anOption({ link: 'https://netflix.test/de' })] }
  const movies = Array.from({ length: 300 }, (_, i) => aMovie({ id: String(1 + i) }))
  const series = aSeries({ id: '500', translations: { fr: { title: 'La série' } } })
  const abroad = aMovie({ id: '600', streamingOptions: german })
  const service = await aRunningService(aSnapshot(...movies, series, abroad))
  const strict = { prefer: 'handling=strict' }

  it('has all shows of the country, one a line, as each is alone', async () => {
    const { status, headers, ...answer } = await service.get('/catalog/export?country=US')
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
    const lines = linesOf(answer as TestAnswer)
    expect(lines[0]).toMatchObject({ kind: 'export', country: 'us', seriesGranularity: 'episode' })
    expect(lines.at(-1)).toEqual({ kind: 'end', complete: true, shows: 301 })
    const shows = showsOf(lines)
    expect(new Set(shows.map(({ id }) => id)).size).toBe(301)
    expect(shows.some(({ id }) => id === '600')).toBe(false)
    for (const id of ['1', '300', '500']) {
      const { text } = await service.get(`/shows/${id}?country=us`)
      expect(answer.text.split('\n')).toContain(text)
    }
  })

  it('by granularity and language', async () => {
    const lines = linesOf(await service.get('/catalog/export?country=us&series_granularity=show&output_language=fr'))
    const [shown] = showsOf(lines).filter(({ id }) => id === '500')
    expect([shown.title, shown.seasons]).toEqual(['La série', undefined])
  })

  it('compressed where that is accepted', async () => {
    const response = await service.app.inject({
      url: '/v4/catalog/export?country=us',
      headers: { 'x-api-key': service.directKey, 'accept-encoding': 'gzip' },
    })
    expect(response.headers['content-encoding']).toBe('gzip')
    const plain = await service.get('/catalog/export?country=us')
    expect(gunzipSync(response.rawPayload).toString()).toBe(plain.text)
  })

  it('goes on from any checkpoint, with the token of its first part', async () => {
    const whole = linesOf(await service.get('/catalog/export?country=us'))
    const checkpoints = withKind(whole, 'checkpoint')
    expect(checkpoints.length).toBeGreaterThan(1)
    for (const { cursor } of checkpoints) {
      const at = whole.findIndex((line) => line.cursor === cursor)
      const rest = linesOf(await service.get(`/catalog/export?country=us&cursor=${encodeURIComponent(cursor)}`))
      expect(showsOf(rest)).toEqual(showsOf(whole.slice(at)))
      expect(rest[0].since).toBe(whole[0].since)
    }
  })

  it('rejects a cursor that it did not make, and one of another catalog', async () => {
    for (const cursor of ['nonsense', 'aaaa.1:5']) {
      const unreadable = await service.get(`/catalog/export?country=us&cursor=${cursor}`)
      expect([unreadable.status, unreadable.error]).toEqual([400, { code: 'invalid_cursor', parameter: 'cursor' }])
    }
    const foreign = await service.get('/catalog/export?country=us&cursor=1.000000000000:5')
    expect([foreign.status, foreign.error]).toEqual([410, { code: 'token_expired', parameter: 'cursor' }])
    expect(foreign.body.message).toMatch(/^The cursor .*Start again: .* without a cursor\.$/)
  })

  it('is for plans that include it', async () => {
    const { key } = await service.aKey('ultra')
    const refused = await service.get('/catalog/export?country=us', { headers: { 'x-api-key': key } })
    expect([refused.status, refused.error.code, refused.headers['x-quota-used']]).toEqual([403, 'not_in_plan', '1'])
    const mega = await service.aKey('mega')
    const granted = await service.get('/catalog/export?country=us', { headers: { 'x-api-key': mega.key } })
    expect([granted.status, granted.headers['x-quota-used']]).toEqual([200, '100'])
    const { since } = linesOf(granted)[0]
    const later = await service.get(`/catalog/export?country=us&since=${since}`, { headers: { 'x-api-key': mega.key } })
    expect(later.headers['x-quota-used']).toBe('101')
    await service.accounts.plans.set({ name: 'closed', exports: false }, service.act)
    const closed = await service.aKey('closed')
    expect((await service.get('/catalog/export?country=us', { headers: { 'x-api-key': closed.key } })).status).toBe(403)
  })

  it('needs a country, and rejects others and unknown parameters', async () => {
    expect((await service.get('/catalog/export')).error).toEqual({ code: 'missing_parameter', parameter: 'country' })
    expect((await service.get('/catalog/export?country=zz')).error.parameter).toBe('country')
    const unknown = await service.get('/catalog/export?country=us&genre=drama', { headers: strict })
    expect(unknown.error).toEqual({ code: 'unknown_parameter', parameter: 'genre' })
  })

  it('answers HEAD with the headers alone', async () => {
    const { status, text, headers } = await service.get('/catalog/export?country=us', { method: 'HEAD' })
    expect([status, text, headers['content-type']]).toEqual([200, '', 'application/x-ndjson; charset=utf-8'])
  })

  describe('with since', () => {
    const since = async () => linesOf(await service.get('/catalog/export?country=us'))[0].since as string
    const altered = async (token: string) => linesOf(await service.get(`/catalog/export?country=us&since=${token}`))
    const delta = (...records: object[]) =>
      service.import([{ kind: 'feed', source: 'test', mode: 'delta' }, ...records])

    it('has nothing where nothing happened', async () => {
      const token = await since()
      const lines = await altered(token)
      expect(lines.map(({ kind }) => kind)).toEqual(['export', 'end'])
      expect(lines[0]).toMatchObject({ from: token, since: token })
    })

    it('has what was altered: offers, texts, new shows; and names what left', async () => {
      const token = await since()
      await delta(aMovie({ id: '1', title: 'Another title' }))
      await delta(aMovie({ id: '2', streamingOptions: german }), aMovie({ id: '700' }))
      await delta({ kind: 'remove', id: '3' })
      const lines = await altered(token)
      expect(showsOf(lines).map(({ id }) => id)).toEqual(['1', '700'])
      expect(withKind(lines, 'remove').map(({ id }) => id)).toEqual(['2', '3'])
      const after = await altered(lines[0].since)
      expect(after).toHaveLength(2)
    })

    it('has no show that was altered in another country only', async () => {
      const token = await since()
      const both = { us: [anOption({ link: 'https://netflix.test/title/4' })], ...german }
      await delta(aMovie({ id: '4', streamingOptions: both }))
      expect(showsOf(await altered(token))).toEqual([])
    })

    it('has all shows after a change of reference data', async () => {
      const token = await since()
      await delta(aService('netflix', { name: 'Netflix of another name' }))
      const shows = showsOf(await altered(token))
      expect(shows.length).toBeGreaterThan(290)
      expect(shows[0].streamingOptions.us[0].service.name).toBe('Netflix of another name')
    })

    it('rejects what is no token, and a token that is not known', async () => {
      // There is no export since this moment.
      for (const token of ['nonsense', 'now']) {
        const bad = await service.get(`/catalog/export?country=us&since=${token}`)
        expect([bad.status, bad.error]).toEqual([400, { code: 'invalid_parameter', parameter: 'since' }])
        expect(bad.body.message).toMatch(/send the one of an earlier export, or none to get the whole of the country$/)
      }
      const foreign = await service.get('/catalog/export?country=us&since=2.abcdefabcdef')
      expect([foreign.status, foreign.error]).toEqual([410, { code: 'token_expired', parameter: 'since' }])
      expect(foreign.body.message).toMatch(/Start again: get the whole .* from \/catalog\/export, without "since"\.$/)
    })
  })
})
