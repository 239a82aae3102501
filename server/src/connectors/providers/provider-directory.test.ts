import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isServiceId, PROVIDER_ROWS } from '../../model/service.ts'
import { findTmdbProvider } from '../tmdb/offers.ts'
import { KNOWN_SERVICES, ProviderDirectory, parseProviderMapping, tableServiceName } from './provider-directory.ts'

const find = (provider_id: number, provider_name: string, directory = new ProviderDirectory(), country = 'us') =>
  findTmdbProvider({ provider_id, provider_name }, country, directory)

test.each([
  [8, 'Netflix', 'netflix'],
  [1796, 'Netflix Standard with Ads', 'netflix'],
  [119, 'Amazon Prime Video', 'prime'],
  [10, 'Amazon Video', 'prime'],
  [337, 'Disney Plus', 'disney'],
  [1899, 'HBO Max', 'hbo'],
  [350, 'Apple TV+', 'apple'],
  [2, 'Apple TV Store', 'apple'],
  [11, 'MUBI', 'mubi'],
  [15, 'Hulu', 'hulu'],
])('provider %i, %s, is %s', (id, name, service) => {
  expect(find(id, name)).toEqual({ service, name: KNOWN_SERVICES.get(service)?.name })
})

test('channels are addons of their service, with one id for all spellings', () => {
  expect(find(582, 'Paramount+ Amazon Channel')).toEqual({
    service: 'prime',
    addon: 'paramountplus',
    name: 'Paramount+',
  })
  expect(find(1853, 'Paramount Plus Apple TV Channel ')).toEqual({
    service: 'apple',
    addon: 'paramountplus',
    name: 'Paramount+',
  })
  expect(find(633, 'Paramount+ Roku Premium Channel')).toMatchObject({ service: 'roku', addon: 'paramountplus' })
  for (const name of ['AMC+ Amazon Channel', 'AMC Plus Amazon Channel', 'AMC+ with Ads  Amazon channel ']) {
    expect(find(7000, name)).toMatchObject({ service: 'prime', addon: 'amcplus' })
  }
  expect(find(1825, 'Max Amazon Channel')).toMatchObject(find(200, 'HBO Amazon Channel') ?? {})
  expect(find(533, 'Amazon Arthaus Channel')).toMatchObject({ service: 'prime', addon: 'arthaus' })
})

test('a service whose name ends in "Channel" is no channel of a reseller', () => {
  for (const [id, name, service] of [
    [207, 'The Roku Channel', 'roku'],
    [258, 'Criterion Channel', 'criterion'],
    [276, 'Smithsonian Channel', 'smithsonian-channel'],
    [2077, 'Plex Channel', 'plex'],
  ] as const) {
    expect(find(id, name)).toMatchObject({ service })
    expect(find(id, name)).not.toHaveProperty('addon')
  }
})

test('equal names are different services in different countries', () => {
  expect(find(484, 'NOW', undefined, 'br')).toMatchObject({ service: 'claro-tv' })
  expect(find(39, 'NOW', undefined, 'gb')).toMatchObject({ service: 'now' })
  // By name, for an id that is in no table.
  expect(find(7001, 'NOW', undefined, 'br')).toMatchObject({ service: 'claro-tv' })
  expect(find(7001, 'NOW', undefined, 'ie')).toMatchObject({ service: 'now' })
  expect(find(7001, 'NOW', undefined, 'hk')).toEqual({ service: 'now-7001', name: 'NOW' })
})

test('a new plan of a known service is that service', () => {
  for (const name of [
    'Netflix Premium with Ads',
    'Netflix (with ads)',
    'NETFLIX with adverts',
    'Netflix mit Werbung',
  ]) {
    expect(find(7002, name)).toEqual({ service: 'netflix', name: 'Netflix' })
  }
})

test('an unknown provider becomes a service with an id from its name', () => {
  expect(find(5000, 'Café du Cinéma')).toEqual({ service: 'cafe-du-cinema', name: 'Café du Cinéma' })
  expect(find(5000, '  Café  du Cinéma ')).toEqual({ service: 'cafe-du-cinema', name: 'Café du Cinéma' })
  expect(find(5001, '티빙')).toMatchObject({ name: '티빙' })
  expect(find(5002, '!!!')).toEqual({ service: 'provider-5002', name: '!!!' })
})

test('an unknown provider keeps its id when it is renamed, and is noted once', () => {
  const assigned = new Map<number, string>()
  const directory = new ProviderDirectory(new Map(), assigned)
  expect(find(5000, 'Lantern', directory)).toMatchObject({ service: 'lantern' })
  expect(find(5000, 'Lantern', directory, 'gb')).toMatchObject({ service: 'lantern' })
  expect(find(5003, 'Lantern', directory, 'de')).toMatchObject({ service: 'lantern-5003' })
  expect(directory.takeNotes().map(({ note, record }) => [note, record])).toEqual([
    ['unknown_provider', '5000'],
    ['unknown_provider', '5003'],
  ])
  expect(directory.takeNotes()).toEqual([])
  const later = new ProviderDirectory(new Map(), new Map(assigned))
  expect(find(5000, 'Lantern+', later)).toEqual({ service: 'lantern', name: 'Lantern+' })
  expect(later.takeNotes()).toEqual([])
})

test('a provider id with another name is not mapped by the table', () => {
  expect(find(8, 'Somebody Else')).toEqual({ service: 'somebody-else', name: 'Somebody Else' })
})

test("the operator's mapping comes first, by country if it says so, and null leaves a provider out", () => {
  const mapping = { 8: { service: 'nf', name: 'N' }, 15: null, '8:DE': { service: 'nf-de' }, '9:fr': null }
  const directory = new ProviderDirectory(parseProviderMapping(mapping))
  expect(find(8, 'Netflix', directory)).toEqual({ service: 'nf', name: 'N' })
  expect(find(8, 'Netflix', directory, 'de')).toEqual({ service: 'nf-de', name: 'Netflix' })
  expect(find(15, 'Hulu', directory)).toBeUndefined()
  expect(find(9, 'Amazon Prime Video', directory, 'fr')).toBeUndefined()
  expect(find(9, 'Amazon Prime Video', directory)).toMatchObject({ service: 'prime' })
})

test('all problems of a mapping are reported in one error', () => {
  const reading = () =>
    parseProviderMapping({ netflix: null, 8: 'netflix', 9: { service: 'a b' }, 10: { service: 'a', x: 1 } })
  for (const line of [
    '"netflix" is no provider id; a whole number such as "8" is needed',
    '"8" is mapped to "netflix"; {"service": …} or null is needed',
    '"9" has the service "a b"; an id such as "netflix" is needed',
    '"10" has "x"; only service, addon and name are known',
  ]) {
    expect(reading).toThrow(line)
  }
})

describe('the list of providers', () => {
  const list = readFileSync(new URL('../../../test/tmdb/providers.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t') as [string, string])
  const directory = new ProviderDirectory()
  const mapped = list.map(([id, name]) => ({ id: Number(id), name, ...find(Number(id), name, directory) }))

  test('is mapped whole, without an unknown provider', () => {
    expect(list.length).toBeGreaterThan(600)
    expect(directory.takeNotes()).toEqual([])
    expect(mapped.filter(({ service }) => service === undefined)).toEqual([])
  })

  test('has valid ids and trimmed names', () => {
    for (const { service = '', addon, name } of mapped) {
      expect([service, addon ?? service].every(isServiceId)).toBe(true)
      expect(name).toBe(name?.trim())
    }
  })

  test('has every channel of a reseller as an addon, and nothing else', () => {
    const isChannel = (name: string) => /(amazon|apple tv|roku premium) channel\s*$/i.test(name)
    const byId = new Map(list.map(([id, name]) => [Number(id), name]))
    const special = [305, 533, 1929, 2034]
    for (const { id, addon } of mapped) {
      expect({ id, isAddon: addon !== undefined }).toEqual({
        id,
        isAddon: isChannel(byId.get(id) ?? '') || special.includes(id),
      })
    }
  })

  test('has several providers of one service only where they are plans or former names of it', () => {
    const groups = new Map<string, number[]>()
    for (const { id, service = '', addon } of mapped) {
      if (addon === undefined) groups.set(service, [...(groups.get(service) ?? []), id])
    }
    const several = [...groups].filter(([, ids]) => ids.length > 1).map(([service]) => service)
    expect(several.sort()).toEqual(
      (
        'apple ava canalplus crave discovery fandango filmfriend filmin hbo hotstar joyn magentatv maxdome ' +
        'mediaset-infinity netflix now npo orf paramount peacock plex prime sky tod wedotv youtube'
      ).split(' '),
    )
  })

  test('keeps services apart that differ by little', () => {
    const service = (id: number) => mapped.find((one) => one.id === id)?.service
    for (const [a, b] of [
      [39, 484],
      [383, 431],
      [148, 135],
      [80, 526],
      [30, 546],
      [43, 630],
      [63, 66],
      [210, 1773],
      [381, 58],
      [219, 1902],
      [344, 35],
    ] as const) {
      expect(service(a)).not.toBe(service(b))
    }
  })
})

test.each([
  ['Prime Video', 'us', 'prime'],
  ['Amazon', 'us', 'prime'],
  ['AppleTV+', 'us', 'apple'],
  ['AppleTV', 'us', 'apple'],
  ['iTunes', 'us', 'apple'],
  ['Max', 'us', 'hbo'],
  ['Disney+', 'de', 'disney'],
  ['Google Play', 'us', 'googleplay'],
  ['Tubi TV', 'us', 'tubi'],
  ['Tubi', 'us', 'tubi'],
  ['Fandango at Home', 'us', 'fandango'],
  ['Paramount+', 'us', 'paramount'],
  ['The Criterion Channel', 'us', 'criterion'],
  ['Crunchyroll Premium', 'us', 'crunchyroll'],
  ['BBC iPlayer', 'gb', 'iplayer'],
  ['ITV', 'gb', 'itvx'],
  ['CBS All Access', 'us', 'paramount'],
])('%s in %s, as other APIs call it, is %s', (name, country, service) => {
  const directory = new ProviderDirectory()
  expect(directory.find(77_777, name, country)).toEqual({ service, name: tableServiceName(service) })
  expect(directory.takeNotes()).toEqual([])
})

test('channels are addons of the reseller, as other APIs write them', () => {
  const directory = new ProviderDirectory()
  expect(directory.find(1, 'Acorn TV (Via Amazon Prime)', 'us')).toMatchObject({ service: 'prime', addon: 'acorntv' })
  expect(directory.find(2, 'STARZ (Via Hulu)', 'us')).toMatchObject({ service: 'hulu', addon: 'starz' })
})

test('every row of the table has an id of its own, and well-known services are in it', () => {
  const ids = PROVIDER_ROWS.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const services = new Set(PROVIDER_ROWS.map(({ service }) => service))
  expect([...KNOWN_SERVICES.keys()].filter((service) => !services.has(service))).toEqual([])
})
