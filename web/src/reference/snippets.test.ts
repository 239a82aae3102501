import { describe, expect, test } from 'vitest'
import type { Operation } from './openapi.ts'
import { codeSnippet, curlCommand, initialValue, requestUrl } from './snippets.ts'

const text = { type: 'string' }
const operation: Operation = {
  operationId: 'getShow',
  tags: [],
  summary: '',
  description: '',
  responses: {},
  parameters: [
    { name: 'id', in: 'path', required: true, schema: text, example: 'tt0068646' },
    { name: 'country', in: 'query', required: false, schema: text, example: 'us' },
    { name: 'catalogs', in: 'query', required: false, schema: { type: 'array' }, example: ['netflix', 'prime.rent'] },
  ],
}

describe('the example in Python', () => {
  const values = { key: 'mq-key-1', showId: '1001', country: 'us' }

  test('installs the client from the service', () => {
    const { shell, program } = codeSnippet('Python', { ...values, base: 'https://tv.example/v4' })
    expect(shell).toContain('pip install --index-url https://tv.example/clients/ marquee-client')
    expect(program?.text).toContain('client.get_show("1001", country="us")')
  })

  test('names a host without TLS to pip, unless it is this machine', () => {
    const installs = (base: string) =>
      codeSnippet('Python', { ...values, base })
        .shell.split('\n')
        .at(-1)
    expect(installs('http://tv.lan:8080/v4')).toContain('/clients/ --trusted-host tv.lan marquee-client')
    expect(installs('http://127.0.0.1:8080/v4')).toContain('/clients/ marquee-client')
  })
})

describe('a request that is tried', () => {
  test('has its path filled in, and leaves out what was not typed', () => {
    expect(requestUrl('/shows/{id}', operation, { id: 'movie/597', country: ' us ', catalogs: '' })).toBe(
      '/shows/movie%2F597?country=us',
    )
    expect(requestUrl('/shows/{id}', operation, { id: '$&', catalogs: 'netflix,prime.rent' })).toBe(
      '/shows/%24%26?catalogs=netflix,prime.rent',
    )
  })

  test('starts with examples of what is required alone', () => {
    expect(operation.parameters?.map(initialValue)).toEqual(['tt0068646', '', ''])
  })

  test('can be pasted into a shell whatever was typed', () => {
    expect(curlCommand("http://h/v4/shows?title=it's", 'mq-key-1')).toBe(
      "curl -H 'X-API-Key: mq-key-1' \\\n  'http://h/v4/shows?title=it%27s'",
    )
  })
})
