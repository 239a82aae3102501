import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SHOW_ORDERS } from '../../src/query/queries.ts'
import { aMovie, anOption, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { aTestService, type TestService } from '../support/test-service.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/marquee.js', import.meta.url))

let service: TestService
let address: string

beforeAll(async () => {
  const options = [
    anOption({ service: 'netflix', link: 'https://netflix.example/heat' }),
    anOption({
      service: 'prime',
      type: 'rent',
      link: 'https://prime.example/heat',
      price: { amount: '2.99', currency: 'USD' },
    }),
  ]
  const leaving = anOption({ service: 'netflix', link: 'https://netflix.example/ronin', expiresOn: NOW + 5 * DAY })
  service = await aTestService(
    aSnapshot(
      aMovie({ id: '1', imdbId: 'tt0113277', title: 'Heat', streamingOptions: { us: options, gb: [options[0]] } }),
      aMovie({ id: '2', imdbId: 'tt0122690', title: 'Ronin', streamingOptions: { us: [leaving] } }),
      { kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows: ['2', '1'] },
    ),
  )
  address = await service.app.listen({ port: 0, host: '127.0.0.1' })
})

const overHttp = (key: string, header = 'x-api-key') =>
  new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit: { headers: { [header]: key } } })

const overStdio = (key: string) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', '--url', address],
    env: { ...(process.env as Record<string, string>), MARQUEE_KEY: key },
  })

async function connect(transport: unknown): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport as Transport)
  return client
}

describe.each([
  ['standard input and output', () => overStdio(service.directKey)],
  ['streamable HTTP', () => overHttp(service.directKey)],
])('an assistant over %s', (_, open) => {
  let client: Client

  beforeAll(async () => {
    client = await connect(open())
  })
  afterAll(() => client.close())

  async function call(name: string, given: Record<string, unknown>): Promise<string> {
    const { content, isError } = await client.callTool({ name, arguments: given })
    const [{ text }] = content as [{ text: string }]
    return isError === true ? `error: ${text}` : text
  }

  it('searches titles', async () => {
    const text = await call('search_titles', { title: 'heat', country: 'us' })
    expect(text).toMatch(/^1\. Heat \(.*movie.*id tt0113277\): .*\(subscription\) https:\/\/netflix\.example\/heat/)
    expect(text).toContain('(rent 2.99 USD) https://prime.example/heat')
  })

  it('searches in several countries at once', async () => {
    const text = await call('search_titles', { title: 'heat', country: 'us,gb' })
    expect(text).toMatch(/in us: .*prime\.example\/heat.*in gb: .*netflix\.example\/heat|in gb: .*in us: /)
  })

  it('filters shows, by lists too', async () => {
    expect(await call('filter_shows', { country: 'us', catalogs: ['netflix', 'prime.rent'] })).toMatch(
      /Heat.*\n.*Ronin/,
    )
    expect(await call('filter_shows', { country: 'us', catalogs: ['prime.rent'] })).not.toContain('Ronin')
    expect(await call('filter_shows', { country: 'us', keyword: 'nothing' })).toBe('No show was found.')
  })

  it('says where to watch, in several countries and on my services', async () => {
    const everywhere = await call('where_to_watch', { id: 'tt0113277' })
    expect(everywhere).toMatch(
      /^Heat .*\n(?:.*\n)?gb: .*\nus: .*https:\/\/netflix\.example\/heat; .*https:\/\/prime\.example\/heat$/,
    )
    const mine = await call('where_to_watch', { id: 'tt0113277', countries: ['us', 'GB'], services: ['prime'] })
    expect(mine).toMatch(/us: .*https:\/\/prime\.example\/heat\ngb: not on these services, but on /)
    expect(await call('where_to_watch', { id: 'tt0122690', countries: ['gb'] })).toContain('gb: nowhere')
  })

  it('lists similar shows', async () => {
    expect(await call('similar_shows', { id: 'tt0113277', country: 'us' })).toMatch(/^1\. Ronin /)
    expect(await call('similar_shows', { id: 'tt9999999', country: 'us' })).toMatch(/^error: .*no show/)
  })

  it('lists what is new, leaves and comes, and top lists', async () => {
    expect(await call('whats_new', { country: 'us' })).toMatch(/^\d{4}-\d\d-\d\d: .*https:\/\/netflix\.example/)
    const day = new Date((NOW + 5 * DAY) * 1000).toISOString().slice(0, 10)
    expect(await call('whats_leaving', { country: 'us' })).toMatch(
      new RegExp(`^${day}: Ronin .*netflix.example/ronin$`),
    )
    expect(await call('whats_coming', { country: 'us' })).toBe('There is nothing.')
    expect(await call('top_list', { country: 'us', service: 'netflix' })).toMatch(/^1\. Ronin .*\n2\. Heat /)
  })

  it('reads countries, services and genres', async () => {
    const { resources } = await client.listResources()
    const { resourceTemplates } = await client.listResourceTemplates()
    expect([...resources.map(({ uri }) => uri), ...resourceTemplates.map(({ uriTemplate }) => uriTemplate)]).toEqual([
      'marquee://countries',
      'marquee://genres',
      'marquee://services/{country}',
    ])
    const read = async (uri: string) => ((await client.readResource({ uri })).contents[0] as { text: string }).text
    expect(await read('marquee://countries')).toContain('us: United States')
    expect(await read('marquee://services/us')).toContain('netflix: ')
    expect(await read('marquee://genres')).toContain('drama: Drama')
    await expect(read('marquee://services/xx')).rejects.toThrow('no such country')
    await expect(read('marquee://planets')).rejects.toThrow('marquee://services/{country}')
  })

  it('gets the reason when arguments are wrong', async () => {
    expect(await call('search_titles', { title: 'heat', country: 'zz' })).toMatch(/^error: .*"country"/)
    expect(await call('filter_shows', { country: 'us', genre: 'drama' })).toMatch(/^error: .*genres/)
    expect(await call('where_to_watch', { id: 'tt999' })).toMatch(/^error: There is no show/)
    await expect(call('no_tool', {})).rejects.toThrow('search_titles')
  })

  it('is told the arguments in the words of the API', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toHaveLength(8)
    const filter = tools.find(({ name }) => name === 'filter_shows')?.inputSchema
    expect(filter?.required).toEqual(['country'])
    expect(filter?.properties?.order_by).toMatchObject({ enum: SHOW_ORDERS })
  })
})

describe('the endpoint', () => {
  it('takes a marketplace key, and a key as a bearer token', async () => {
    for (const transport of [
      overHttp(service.marketplaceKey, 'x-market-api-key'),
      overHttp(`Bearer ${service.directKey}`, 'authorization'),
    ]) {
      const client = await connect(transport)
      const { isError } = await client.callTool({ name: 'whats_new', arguments: { country: 'us' } })
      expect(isError).toBeUndefined()
      await client.close()
    }
  })

  it('refuses a message without a key, or with a wrong one', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    expect(await service.raw('/mcp', headers, 'POST', body)).toMatchObject({
      status: 401,
      error: { code: 'missing_key' },
    })
    const wrong = { ...headers, 'x-api-key': 'mq-key-wrong' }
    expect(await service.raw('/mcp', wrong, 'POST', body)).toMatchObject({
      status: 401,
      error: { code: 'invalid_key' },
    })
    const other = { ...headers, 'x-api-key': service.directKey, 'content-type': 'text/plain' }
    expect(await service.raw('/mcp', other, 'POST', body)).toMatchObject({ error: { code: 'invalid_body' } })
    expect(await service.raw('/mcp')).toMatchObject({ status: 405, headers: { allow: 'POST' } })
  })

  it('counts what tools ask, and tells when the quota is used up', async () => {
    await service.accounts.plans.set({ name: 'two', quota: { requests: 2, per: 'day' } }, service.act)
    const { key } = await service.aKey('two')
    const client = await connect(overHttp(key))
    const ask = () => client.callTool({ name: 'whats_new', arguments: { country: 'us' } })
    await client.listTools()
    expect((await ask()).isError).toBeUndefined()
    expect((await ask()).isError).toBeUndefined()
    const third = await ask()
    expect(third.isError).toBe(true)
    expect(JSON.stringify(third.content)).toContain('quota')
    await client.close()
  })
})
