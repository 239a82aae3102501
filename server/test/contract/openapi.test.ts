import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createConfig, lint } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../src/http/api/openapi.ts'
import { listErrors } from '../../src/http/exchange/error-codes.ts'

const path = fileURLToPath(new URL('../../../spec/openapi.json', import.meta.url))

describe('spec/openapi.json', () => {
  it('equals the document of the service (`npm run openapi` regenerates it)', () => {
    const checkedIn = JSON.parse(readFileSync(path, 'utf8')) as unknown
    const described = JSON.parse(JSON.stringify(openApiDocument({ marketplace: 'Market', countries: 'array' })))
    expect(checkedIn).toEqual(described)
  })

  it('spec/errors.json equals the table of errors', () => {
    const checkedIn = JSON.parse(readFileSync(path.replace('openapi.json', 'errors.json'), 'utf8')) as unknown
    expect(checkedIn).toEqual(listErrors())
  })

  it('passes an OpenAPI linter without errors', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lint({ ref: path, config })
    expect(problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([])
  })
})
