import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createConfig, lint } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../src/http/api/openapi.ts'
import { listErrors } from '../../src/http/exchange/errors.ts'
import { ResponseChecker } from '../support/response-checker.ts'

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

  it('describes the recorded answers in spec/examples.json (`node web/scripts/record-examples.mjs` records them)', () => {
    const checker = new ResponseChecker({ marketplace: 'Market', countries: 'array' })
    const examples = JSON.parse(readFileSync(path.replace('openapi.json', 'examples.json'), 'utf8')) as Record<
      string,
      { request: string; json?: unknown }
    >
    for (const { request, json } of Object.values(examples)) {
      if (json !== undefined) checker.check(request.replace('/v4', ''), 200, 'application/json', JSON.stringify(json))
    }
  })

  it('passes an OpenAPI linter without errors', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lint({ ref: path, config })
    expect(problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([])
  })
})
