import { expect, test } from 'vitest'
import { formatDuration, parseDuration, parseSources, resolveHeaders } from './sources-file.ts'

const read = (value: unknown) => parseSources(JSON.stringify(value), '/etc/marquee/sources.json')

test('imports and syncs are parsed, with defaults for missing fields', () => {
  const sources = read([
    { name: 'acme', from: 'https://acme.example/feed.ndjson.gz', every: '6 hours', mode: 'snapshot' },
    {
      name: 'shop',
      source: 'shops',
      from: 'feeds/shop.csv',
      format: 'csv',
      options: { mapping: 'm.json' },
      every: '1 day',
    },
    { name: 'tmdb', sync: 'tmdb', every: '1 day', countries: ['us', 'gb'], limit: 500, providers: 'p.json' },
  ])
  expect(sources).toEqual([
    {
      kind: 'import',
      name: 'acme',
      source: 'acme',
      from: 'https://acme.example/feed.ndjson.gz',
      format: 'native',
      options: {},
      mode: 'snapshot',
      every: 21_600,
      staleAfter: 64_800,
      timeout: 21_600,
      maxBytes: 4 * 1024 ** 3,
    },
    expect.objectContaining({
      source: 'shops',
      from: '/etc/marquee/feeds/shop.csv',
      format: 'csv',
      options: { mapping: 'm.json' },
    }),
    expect.objectContaining({
      kind: 'sync',
      with: 'tmdb',
      flags: { countries: 'us,gb', limit: '500', providers: '/etc/marquee/p.json' },
    }),
  ])
})

test('entries of Watchmode and TVmaze have their flags, switches included', () => {
  const watchmode = { name: 'w', sync: 'watchmode', every: '1 day', countries: ['us'], known: true, keep: 100 }
  const tvmaze = { name: 't', sync: 'tvmaze', every: '1 day', create: false }
  expect(read([watchmode, tvmaze])).toMatchObject([
    { kind: 'sync', with: 'watchmode', flags: { countries: 'us', known: true, keep: '100' } },
    { kind: 'sync', with: 'tvmaze', flags: { create: false } },
  ])
  expect(() => read([{ ...watchmode, known: 'yes' }])).toThrow('w: "known" is "yes"; true or false is needed')
})

test.each(['', 'x'.repeat(101), 'a\tb', 7])('%j is no valid source name', (source) => {
  expect(() => read([{ name: 'acme', source, from: 'feed.ndjson', every: '1 day' }])).toThrow(
    /"source" is .+; a text of 1 to 100 characters without control characters is needed/,
  )
})

test('all problems are reported in one error, each with a valid value', () => {
  const failing = () =>
    read([
      { name: 'a b', from: '', every: 'daily' },
      { name: 'twice', from: 'x', every: '1 day', sync: 'tmdb' },
      { name: 'twice', every: '1 day' },
      { name: 'c', from: 'x', format: 'xml', every: '2 seconds', mode: 'full', colour: 'red' },
      { name: 'd', from: 'x', format: 'csv', every: '1 day', scope: { countries: ['usa'], shows: [] } },
      { name: 'e', sync: 'imdb', every: '1 day' },
      'f',
    ])
  const lines = [
    'a b: "name" is "a b"; letters, digits, "-" and "_" is needed',
    'a b: "every" is "daily"; a span such as "15 minutes", "6 hours" or "1 day" is needed',
    'a b: "from" is ""; a file, a folder or a web address is needed',
    'twice: either "from" or "sync" is needed',
    'c: "colour" is not known; known are name, source, every, staleAfter, timeout, from, format',
    'c: "every" is "2 seconds"; at least 10 seconds is needed',
    'c: "mode" is "full"; "snapshot" or "delta" is needed',
    'c: "format" is "xml"; one of native, csv',
    'd: "scope.countries" is ["usa"]; a list of country codes is needed',
    'd: "scope.shows" is not known; known are countries, services',
    'e: "sync" is "imdb"; one of "tmdb", "watchmode", "tvmaze", "v4"',
    'e: "countries" is missing; a list such as ["us","gb"] is needed',
    'entry 7: it is "f"; an object is needed',
    'twice: the name is given twice; every entry needs one of its own',
  ]
  for (const line of lines) expect(failing).toThrow(line)
})

test('a file that is no JSON or no list is rejected', () => {
  expect(() => parseSources('[', 'sources.json')).toThrow(/^sources\.json is not JSON/)
  expect(() => parseSources('{}', 'sources.json')).toThrow('sources.json holds {}; a list of sources is needed')
})

test.each([
  ['90 seconds', 90],
  ['1 minute', 60],
  ['15 minutes', 900],
  ['6 hours', 21_600],
  ['1day', 86_400],
  ['2 weeks', 1_209_600],
])('%s is a duration', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds)
})

test.each(['', 'daily', '0 hours', '1.5 hours', '-1 day', 'PT6H', 3600, null])('%s is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})

test('a duration is printed in the largest unit that divides it', () => {
  expect([90, 900, 3600, 86_400, 604_800, 1_209_600].map(formatDuration)).toEqual([
    '90 seconds',
    '15 minutes',
    '1 hour',
    '1 day',
    '1 week',
    '2 weeks',
  ])
})

test('headers of downloads take variables of the environment, which must be set', () => {
  const entry = { name: 'acme', from: 'https://acme.example/feed', every: '1 day' }
  const headers = { Authorization: 'Bearer $ACME_TOKEN', 'X-Plain': 'yes' }
  const [source] = read([{ ...entry, headers }])
  expect(source).toMatchObject({ headers })
  expect(resolveHeaders({ headers }, { ACME_TOKEN: 'secret' })).toEqual({
    Authorization: 'Bearer secret',
    'X-Plain': 'yes',
  })
  expect(() => resolveHeaders({ headers }, {})).toThrow('The headers need the variable ACME_TOKEN, which is not set')
  expect(resolveHeaders({}, {})).toEqual({})
  for (const wrong of ['Bearer', { 'bad name': 'x' }, { Token: 'a\nb' }, { Token: 1 }]) {
    expect(() => read([{ ...entry, headers: wrong }])).toThrow('"headers" is')
  }
  expect(() => read([{ ...entry, from: 'feed.ndjson', headers }])).toThrow('"headers" are for a web address only')
})
