import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script without types.
import { apiTypes } from '../scripts/generate-api-types.mjs'
import { requestUrl } from '../src/requester.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const spec = JSON.parse(read('../../spec/openapi.json'))
const operations = Object.values(spec.paths) as { get: { parameters: { name: string; in: string }[] } }[]
const parameters = operations.flatMap(({ get }) => get.parameters.filter((parameter) => parameter.in === 'query'))

describe('the types', () => {
  it('are what the description of the API says (else run `npm run types -w client`)', () => {
    expect(read('../src/api-types.ts')).toBe(apiTypes(spec))
  })

  it('of a new operation have to be named', () => {
    const paths = { ...spec.paths, '/new': { get: { operationId: 'getNew', parameters: [] } } }
    expect(() => apiTypes({ ...spec, paths })).toThrow('getNew is new')
  })

  it.each([...new Set(parameters.map(({ name }) => name))])(
    'the parameter %s has a name in camelCase that leads back',
    (name) => {
      const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      expect(read('../src/api-types.ts')).toMatch(new RegExp(`^  ${camel}\\??: `, 'm'))
      expect(requestUrl('', '/x', { [camel]: 'y' })).toBe(`/x?${name}=y`)
    },
  )
})
