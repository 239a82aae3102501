import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ProviderDirectory } from '../../src/connectors/providers/provider-directory.ts'
import { buildReferenceRecords } from '../../src/connectors/tmdb/offers.ts'
import type { ImportReport } from '../../src/ingest/import-report.ts'
import { aMovie, anOption, aService, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { importSource } from '../support/import-source.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

/** Names that every object of JavaScript answers to, without holding anything under them. */
const NAMES = ['constructor', 'toString', '__proto__', 'hasOwnProperty']

async function aServiceWith(records: Iterable<object>): Promise<TestService> {
  const service = await TestService.open(temporaryFolder(afterAll))
  afterAll(() => service.close())
  await service.import(records)
  return service
}

const codesOf = ({ noticeList }: ImportReport) => noticeList.map(({ code }) => code)

/** A row of a spreadsheet's mapping for tests: all that an offer needs. */
const mapping = {
  columns: {
    title: 'title',
    kind: 'showType',
    year: 'year',
    country: 'country',
    service: 'service',
    type: 'type',
    link: 'link',
  },
}

describe.each(NAMES)('the name %s', async (name) => {
  const service = await aServiceWith(aSnapshot(aMovie({ id: '1' })))

  it('is listed by a country as a service without a record', async () => {
    await service.import([
      { kind: 'feed', source: 'other', mode: 'delta' },
      { kind: 'country', countryCode: 'us', services: ['netflix', name] },
    ])
    for (const path of ['/countries', '/countries/us']) {
      const { status, body } = await service.get(path)
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain(name)
    }
  })

  it('is not a service for a change or a top list', async () => {
    const change = { changeType: 'new', itemType: 'show', showType: 'movie', showId: '1', country: 'us' }
    const report = await service.import([
      { kind: 'feed', source: 'other', mode: 'delta', statesChanges: true },
      { kind: 'change', ...change, service: name, streamingOptionType: 'free', timestamp: NOW - DAY },
      { kind: 'change', ...change, service: 'netflix', streamingOptionType: 'free', timestamp: NOW - DAY },
      { kind: 'top', country: 'us', service: name, showType: 'movie', shows: ['1'] },
    ])
    expect(codesOf(report)).toEqual(['unknown_service', 'unknown_service'])
    const { status, body } = await service.get('/changes?country=us&change_type=new&item_type=show')
    expect(status).toBe(200)
    expect(body.changes.map((one: { service: { id: string } }) => one.service.id)).toContain('netflix')
  })

  it('can be the id of a service, a genre and a source that have records', async () => {
    await service.import([
      { kind: 'feed', source: name, mode: 'delta' },
      { kind: 'genre', id: name, name: 'Odd' },
      aService(name, { name: 'Odd TV', hasTopList: true }),
      aMovie({ id: '2', genres: [name], streamingOptions: { us: [anOption({ service: name })] } }),
      { kind: 'top', country: 'us', service: name, showType: 'movie', shows: ['2'] },
    ])
    const { body } = await service.get('/shows/2?country=us')
    expect(body.genres).toEqual([{ id: name, name: 'Odd' }])
    expect(body.streamingOptions.us[0].service).toMatchObject({ id: name, name: 'Odd TV' })
    const found = await service.get(`/shows/search/filters?country=us&catalogs=${name}`)
    expect(found.body.shows.map(({ id }: { id: string }) => id)).toEqual(['2'])
    const top = await service.get(`/shows/top?country=us&service=${name}`)
    expect(top.body.map(({ id }: { id: string }) => id)).toEqual(['2'])
  })

  it('is not a country of a spreadsheet', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'offers.csv')
    writeFileSync(join(folder, 'mapping.json'), JSON.stringify(mapping))
    writeFileSync(
      path,
      `title,kind,year,country,service,type,link\nOdd,movie,2001,${name},netflix,free,https://a.test/1\n` +
        `Odd,movie,2001,us,netflix,free,https://a.test/1\n`,
    )
    const report = await importSource(service, {
      format: 'csv',
      path,
      options: { mapping: join(folder, 'mapping.json') },
    })
    expect(codesOf(report)).toContain('unreadable_line')
    expect(report.noticeList).toContainEqual(expect.objectContaining({ column: 'country', count: 1 }))
    expect(report.offers).toBe(1)
  })

  it('is not a country, a licence or a quality of a TV feed', async () => {
    const path = join(temporaryFolder(), 'feed.json')
    const play = { license: 'free', playId: '1' }
    const playOptions = [
      { ...play, availabilityInfo: { country: [name] } },
      { ...play, license: name },
      { ...play, quality: name },
    ]
    const asset = {
      id: 'odd',
      type: 'movie',
      titles: [{ value: 'Odder' }],
      releaseYear: 2001,
      content: { playOptions },
    }
    writeFileSync(path, JSON.stringify({ assets: [asset], defaultAvailabilityCountries: ['us'] }))
    const options = { service: 'acme', linkTemplate: 'https://acme.test/{id}' }
    const report = await importSource(service, { format: 'tv-search-feed', path, options })
    const messages = report.noticeList.map(({ message }) => message)
    expect(messages.some((message) => message.includes(`"${name}"`) && message.includes('a country'))).toBe(true)
    expect(messages.some((message) => message.includes(`has type "${name}"`))).toBe(true)
    expect(messages.some((message) => message.includes(`"quality" is "${name.toLowerCase()}"`))).toBe(true)
    expect(report.offers).toBe(1)
  })
})

it('a provider of TMDB may be called Constructor', () => {
  const directory = new ProviderDirectory()
  const lists = { us: [{ results: [{ provider_id: 9_999, provider_name: 'Constructor' }] }] }
  const [record] = buildReferenceRecords(lists, directory, { services: {}, countries: {}, genres: {} })
  expect(record).toMatchObject({ services: [{ id: 'constructor', name: 'Constructor', homePage: '' }] })
})
