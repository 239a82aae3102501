import { describe, expect, it } from 'vitest'
import { ConnectionError, ContractError, Marquee, type MarqueeOptions, type Paged, ServiceError } from '../src/index.ts'
import { type Case, callCases } from './support/case-file.ts'
import { startCaseServer } from './support/case-server.ts'

/** What came out of a call. */
interface Outcome {
  result?: unknown
  items?: unknown[]
  error?: unknown
}

describe.each(callCases())('$file: $about', ({ cases }) => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const server = await startCaseServer(one.exchanges.map(({ answer }) => answer))
    const waits: number[] = []
    const outcome: Outcome = {}
    let client: Marquee | undefined
    try {
      client = new Marquee(optionsOf(one, server.address, waits))
      for (let time = 0; time < (one.call.repeat ?? 1); time++) await makeCall(client, one.call, outcome)
    } catch (error) {
      outcome.error = error
    }

    expect(server.seen.map(({ method, path, query }) => ({ method, path, query }))).toEqual(
      one.exchanges.map(({ request: { path, query = {} } }) => ({ method: 'GET', path, query })),
    )
    for (const [i, { request }] of one.exchanges.entries()) {
      const headers = {
        prefer: 'handling=strict',
        accept: 'application/json, application/problem+json',
        ...request.headers,
      }
      for (const [name, value] of Object.entries(headers)) {
        expect(server.seen[i]?.headers[name], name).toBe(value ?? undefined)
      }
    }
    const { result, items, error, quota, waits: expectedWaits = [] } = one.expect
    if (error === undefined) expect(outcome.error).toBeUndefined()
    else expectLike(describeError(outcome.error), error)
    if (result !== undefined) expectLike(outcome.result, result)
    if (items !== undefined) expectLike(outcome.items, items)
    if (quota !== undefined) expectLike(client?.quota, quota)
    expect(waits, `pauses: ${waits}`).toHaveLength(expectedWaits.length)
    for (const [i, [least, greatest]] of expectedWaits.entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(least)
      expect(waits[i]).toBeLessThanOrEqual(greatest)
    }
  })
})

function optionsOf({ client }: Case, address: string, waits: number[]): MarqueeOptions {
  const { timeoutMs, cache, ...given } = client ?? { apiKey: 'mq-key-test', baseUrl: '{address}/v4' }
  const options: MarqueeOptions = {
    ...given,
    timeout: timeoutMs,
    ...(cache === true && { cache: new Map() }),
    sleep: async (milliseconds) => waits.push(milliseconds / 1000),
  }
  for (const name of ['baseUrl', 'marketplaceBaseUrl'] as const) {
    options[name] = options[name]?.replace('{address}', address)
  }
  return options
}

async function makeCall(client: Marquee, call: Case['call'], outcome: Outcome): Promise<void> {
  const { id, 'country-code': countryCode, ...rest } = call.parameters ?? {}
  // biome-ignore lint/suspicious/noExplicitAny: the cases hold what the types would not allow, too.
  const parameters: any = Object.fromEntries(Object.entries(rest).map(([name, value]) => [camel(name), value]))
  const limits = { maxPages: call.limits?.pages, maxItems: call.limits?.items }
  const walk = async (paged: Paged<unknown>) => {
    if (call.page === true) {
      outcome.result = await paged.page()
      return
    }
    outcome.items = []
    for await (const item of paged) outcome.items.push(item)
  }
  const methods: Record<string, () => Promise<unknown>> = {
    'shows.get': async () => (outcome.result = await client.shows.get(id as string, parameters)),
    'shows.getMany': async () => (outcome.result = await client.shows.getMany(parameters)),
    'shows.history': async () => (outcome.result = await client.shows.history(id as string, parameters)),
    'shows.similar': async () => (outcome.result = await client.shows.similar(id as string, parameters)),
    'shows.search': async () => (outcome.result = await client.shows.search(parameters)),
    'shows.filter': () => walk(client.shows.filter(parameters, limits)),
    'shows.count': async () => (outcome.result = await client.shows.count(parameters)),
    'shows.top': async () => (outcome.result = await client.shows.top(parameters)),
    'people.search': async () => (outcome.result = await client.people.search(parameters)),
    'catalog.export': async () => {
      outcome.items = []
      for await (const line of client.catalog.export(parameters)) outcome.items.push(line)
    },
    'changes.list': () => walk(client.changes.list(parameters, limits)),
    'countries.list': async () => (outcome.result = await client.countries.list(parameters)),
    'countries.get': async () => (outcome.result = await client.countries.get(countryCode as string, parameters)),
    'genres.list': async () => (outcome.result = await client.genres.list(parameters)),
  }
  await (methods[call.method] as () => Promise<unknown>)()
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function describeError(error: unknown): Record<string, unknown> {
  if (error instanceof ServiceError) {
    return { ...error, kind: 'service', message: error.message, code: error.code || undefined }
  }
  if (error instanceof ConnectionError) return { ...error, kind: 'connection', cause: error.cause }
  if (error instanceof ContractError) return { ...error, kind: 'contract' }
  if (error instanceof TypeError) return { kind: 'usage' }
  throw new Error('The call should have failed, or failed otherwise', { cause: error })
}

/** Objects are compared by the keys that are expected, lists whole; null means absent. */
function expectLike(actual: unknown, expected: unknown): void {
  if (Array.isArray(expected)) {
    expect(actual).toHaveLength(expected.length)
    for (const [i, one] of expected.entries()) expectLike((actual as unknown[])[i], one)
  } else if (expected === null) expect(actual).toBeUndefined()
  else if (typeof expected === 'object') {
    expect(actual).toBeTypeOf('object')
    for (const [key, value] of Object.entries(expected)) expectLike((actual as Record<string, unknown>)[key], value)
  } else expect(actual).toBe(expected)
}
