import { describe, expect, test } from 'vitest'
import examples from '../../../spec/examples.json'
import openApi from '../../../spec/openapi.json'
import type { Operation } from './openapi.ts'
import { type CALL_LANGUAGES, CLIENT_CALLS, callSnippet } from './operation-snippets.ts'
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

describe('the code for an endpoint', () => {
  const operations = Object.values(openApi.paths).map(({ get }) => get)

  test('knows every operation, and there is a recorded answer of each', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(Object.keys(CLIENT_CALLS)).toEqual(ids)
    expect(Object.keys(examples)).toEqual(ids)
  })

  const snippet = (language: (typeof CALL_LANGUAGES)[number], operationId: string, values: Record<string, string>) =>
    callSnippet(language, {
      operation: operations.find((one) => one.operationId === operationId) as unknown as Operation,
      values,
      url: 'https://tv.example/v4/x',
      base: 'https://tv.example/v4',
      key: 'mq-key-1',
    })

  test('has the values of the form in the types of each language', () => {
    const values = { country: 'us', catalogs: 'netflix, prime.rent', year_min: '1990', leaving_before: '1767225600' }
    expect(snippet('TypeScript', 'searchShowsByFilters', values)).toContain(`marquee.shows.filter({
  country: 'us',
  catalogs: ['netflix', 'prime.rent'],
  yearMin: 1990,
  leavingBefore: 1767225600,
})`)
    expect(snippet('Python', 'searchShowsByFilters', values)).toContain(
      'client.search_by_filters(country="us", catalogs=["netflix", "prime.rent"], year_min=1990, leaving_before=1767225600)',
    )
    const go = snippet('Go', 'searchShowsByFilters', values)
    expect(go).toContain(
      'marquee.FilterShowsParams{Country: "us", Catalogs: []string{"netflix", "prime.rent"}, YearMin: marquee.Int(1990), LeavingBefore: time.Unix(1767225600, 0)}',
    )
    expect(go).toContain('"time"')
    const changes = { country: 'us', change_type: 'new,removed', item_type: 'show', from: '1767225600' }
    expect(snippet('Python', 'getChanges', changes)).toContain('from_=1767225600')
    expect(snippet('Go', 'getChanges', changes)).toContain(
      'ChangeTypes: []marquee.ChangeType{"new", "removed"}, ItemType: "show"',
    )
  })

  test('reads lines where the answer is no single JSON value', () => {
    for (const operationId of ['streamChanges', 'exportCatalog']) {
      const code = snippet('JavaScript', operationId, { country: 'us' })
      expect(code).toContain('for await (const text of response.body')
      expect(code).not.toContain('console.log(await response.json())')
    }
    expect(snippet('curl', 'streamChanges', { country: 'us' })).toContain('curl -N -H')
  })

  test('takes what is typed as text, whatever it is', () => {
    const title = `it's "x" \\ \n$(rm)`
    expect(snippet('TypeScript', 'searchShowsByTitle', { title, country: 'us' })).toContain(
      String.raw`title: 'it\'s "x" \\ \n$(rm)'`,
    )
    for (const language of ['Python', 'Go'] as const) {
      expect(snippet(language, 'searchShowsByTitle', { title, country: 'us' })).toContain(JSON.stringify(title))
    }
  })

  test('installs the clients of TypeScript and Go from the service', () => {
    const values = { key: 'mq-key-1', showId: '1001', country: 'us', base: 'https://tv.example/v4' }
    expect(codeSnippet('TypeScript', values).shell).toContain(
      'npm install https://tv.example/clients/marquee-client.tgz',
    )
    expect(codeSnippet('Go', values).shell).toContain('GOPROXY=https://tv.example/clients/go ')
  })
})
