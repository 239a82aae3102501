import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script without types.
import { apiCode } from '../../../python/scripts/generate-api-code.mjs'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const spec = JSON.parse(read('spec/openapi.json'))

describe('the Python client', () => {
  it('has the types and methods of the API (`node python/scripts/generate-api-code.mjs` regenerates them)', () => {
    const { types, methods } = apiCode(spec) as { types: string; methods: string }
    expect(read('python/marquee_client/types.py')).toBe(types)
    expect(read('python/marquee_client/_methods.py')).toBe(methods)
  })

  it('needs a method for a new operation', () => {
    const paths = { ...spec.paths, '/new': { get: { operationId: 'getNew', parameters: [] } } }
    expect(() => apiCode({ ...spec, paths })).toThrow('getNew is new')
  })

  it('has the version of the other packages', () => {
    expect(read('python/pyproject.toml')).toContain(
      `\nversion = "${JSON.parse(read('client/package.json')).version}"\n`,
    )
  })
})
