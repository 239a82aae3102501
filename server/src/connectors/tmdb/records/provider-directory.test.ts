import { expect, test } from 'vitest'
import { KNOWN_SERVICES, PROVIDERS_BY_ID, ProviderDirectory, parseProviderMapping } from './provider-directory.ts'

const find = (provider_id: number, provider_name: string, directory = new ProviderDirectory()) =>
  directory.find({ provider_id, provider_name })

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

test('channels are addons of their service', () => {
  expect(find(582, 'Paramount+ Amazon Channel')).toEqual({
    service: 'prime',
    addon: 'paramountplus',
    name: 'Paramount+',
  })
  expect(find(1853, 'Paramount Plus Apple TV Channel ')).toEqual({
    service: 'apple',
    addon: 'paramount-plus',
    name: 'Paramount Plus',
  })
})

test('an unknown provider becomes a service with an id from its name', () => {
  expect(find(5000, 'Café du Cinéma')).toEqual({ service: 'cafe-du-cinema', name: 'Café du Cinéma' })
  expect(find(5001, '티빙')).toMatchObject({ name: '티빙' })
  expect(find(5002, '!!!')).toEqual({ service: 'provider-5002', name: '!!!' })
})

test('a provider id with another name is not mapped by the table', () => {
  expect(find(8, 'Somebody Else')).toEqual({ service: 'somebody-else', name: 'Somebody Else' })
})

test("the operator's mapping comes first, and null leaves a provider out", () => {
  const directory = new ProviderDirectory(parseProviderMapping({ 8: { service: 'nf', name: 'N' }, 15: null }))
  expect(find(8, 'Netflix', directory)).toEqual({ service: 'nf', name: 'N' })
  expect(find(15, 'Hulu', directory)).toBeUndefined()
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

test('every service of the table is a known service', () => {
  for (const { service } of PROVIDERS_BY_ID.values()) expect(KNOWN_SERVICES.has(service)).toBe(true)
})
