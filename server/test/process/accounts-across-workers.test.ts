import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAccounts } from '../../src/accounts/accounts.ts'
import { quotaPeriod } from '../../src/accounts/keys/plan-store.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { eventually, marquee, type RunningService, startMarquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const WORKERS = 4
const folder = temporaryFolder(afterAll)
const MARKETPLACE_SECRET = 'shared-with-the-marketplace-only'
const env = {
  MARQUEE_DATA: join(folder, 'data'),
  MARQUEE_WORKERS: String(WORKERS),
  MARQUEE_SIGN_UP: 'open',
  MARQUEE_MARKETPLACE_SECRET: MARKETPLACE_SECRET,
  LOG_LEVEL: 'trace',
}

async function command(...args: string[]) {
  const { code, stdout, stderr } = await marquee(args, env)
  if (code !== 0) throw new Error(`marquee ${args.join(' ')}: ${stderr}`)
  return stdout
}

interface CreatedKeyResponse {
  readonly key: string
  readonly record: { readonly id: string }
}

interface GenresResponse {
  readonly status: number
  readonly used: number
  readonly code: string | undefined
}

/** Requests the genres over the connection of an agent. */
function requestGenres({ address }: RunningService, key: string, agent: Agent): Promise<GenresResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(`${address}/v4/genres`, { agent, headers: { 'X-API-Key': key } }, (response) => {
      response.resume()
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          used: Number(response.headers['x-quota-used']),
          code: response.headers['x-error-code'] as string | undefined,
        }),
      )
    })
    sent.on('error', reject).end()
  })
}

/** Keep-alive connections. The primary deals them to the workers in turn, so every worker has some. */
function openConnections(count: number): Agent[] {
  const agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  afterAll(() => {
    for (const agent of agents) agent.destroy()
  })
  return agents
}

/** The count of a key in the store, without what the workers have not flushed. */
async function storedCount(id: string): Promise<number> {
  const accounts = openAccounts(join(env.MARQUEE_DATA, 'accounts'))
  try {
    return accounts.quota.total(id, quotaPeriod('month', systemClock()).name)
  } finally {
    await accounts.close()
  }
}

describe('accounts across several workers', () => {
  const agents = openConnections(4 * WORKERS)
  let service: RunningService
  beforeAll(async () => {
    const feed = join(folder, 'feed.ndjson')
    writeFileSync(
      feed,
      aSnapshot(aMovie({ id: '1' }))
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )
    await command('import', feed)
    service = await startMarquee(env)
    await eventually(async () => service.events('worker_listening').length === WORKERS || undefined)
  })

  const aKey = async (plan: string): Promise<{ key: string; id: string }> =>
    JSON.parse(await command('keys', 'create', '--plan', plan, '--json'))

  it('grants a plan of 1,000 requests and at most the documented bound more', async () => {
    await command('plans', 'set', 'thousand', '--requests', '1000')
    const { key } = await aKey('thousand')
    let left = 2_000
    const statuses = new Map<string, number>()
    await Promise.all(
      agents.map(async (agent) => {
        while (left-- > 0) {
          const { status, code } = await requestGenres(service, key, agent)
          const outcome = code ?? String(status)
          statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1)
        }
      }),
    )
    const granted = statuses.get('200') ?? 0
    const bound = 1_000 + WORKERS * (Math.floor(1_000 / (4 * WORKERS)) + 16)
    process.stdout.write(`${WORKERS} processes granted ${granted} of 1,000 requests; the bound is ${bound}\n`)
    expect(granted).toBeGreaterThanOrEqual(1_000)
    expect(granted).toBeLessThanOrEqual(bound)
    expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining(['200', 'quota_exceeded']))
  })

  it('every worker refuses a revoked key immediately', async () => {
    const { key, id } = await aKey('unlimited')
    for (const agent of agents) expect((await requestGenres(service, key, agent)).status).toBe(200)
    await command('keys', 'revoke', id)
    for (const agent of agents) expect((await requestGenres(service, key, agent)).code).toBe('key_revoked')
  })

  it('a changed plan takes effect in every worker immediately', async () => {
    const { key, id } = await aKey('free')
    await command('keys', 'plan', id, 'thousand')
    await command('plans', 'set', 'thousand', '--requests', '0')
    for (const agent of agents) expect((await requestGenres(service, key, agent)).code).toBe('quota_exceeded')
    await command('plans', 'set', 'thousand', '--requests', '1000')
    for (const agent of agents) expect((await requestGenres(service, key, agent)).status).toBe(200)
  })

  it('/metrics adds up all workers', async () => {
    const read = async () => (await fetch(`${service.address}/metrics`)).text()
    const count = (text: string) =>
      Number(/^marquee_requests_total\{endpoint="getGenres",status="200"\} (\d+)$/m.exec(text)?.[1] ?? 0)
    const before = count(await read())
    const { key } = await aKey('unlimited')
    for (const agent of agents) await requestGenres(service, key, agent)
    // Metrics are gathered at most once a second.
    await expect.poll(async () => count(await read())).toBe(before + agents.length)
    // Nobody has searched: sort orders were read ahead.
    await expect.poll(read).toMatch(/^marquee_cache_bytes\{cache="sorted_columns"\} [1-9]/m)
    const text = await read()
    for (const name of [
      'marquee_request_duration_seconds_bucket',
      'marquee_refusals_total{reason="quota_exceeded"}',
      'marquee_catalog_version 1',
      'marquee_catalog_shows 1',
      'marquee_catalog_offers 1',
      'marquee_catalog_age_seconds',
      'marquee_source_last_import_timestamp_seconds{source="test"}',
      'marquee_cache_lookups_total{cache="shows",result="hit"}',
      'marquee_keeper_last_run_timestamp_seconds',
      'marquee_build_info{version="',
      'marquee_data_volume_bytes{kind="free"}',
      'nodejs_eventloop_lag_p99_seconds',
      'marquee_open_streams 0',
      'marquee_webhooks{state="active"} 0',
      'marquee_webhook_deliveries_total{result="delivered"} 0',
      'marquee_webhook_lag_seconds 0',
    ]) {
      expect(text).toContain(name)
    }
    // The naming rule that `promtool check metrics` applies.
    expect([...text.matchAll(/^# TYPE \w+_total (?!counter$).*$/gm)]).toEqual([])
    for (const line of text.split('\n')) {
      expect(line).toMatch(/^(#.*|[a-z_:][a-z0-9_:]*(\{[^{}]*\})? (NaN|[+-]?Inf|[-+.e\d]+))?$/i)
    }
  })

  it('loses at most one second of counts when all processes are killed', async () => {
    const { key, id } = await aKey('mega')
    // A busy machine may have to shed some, which do not count.
    for (let answered = 0; answered < 100; ) {
      const { status } = await requestGenres(service, key, agents[answered % agents.length] as Agent)
      if (status === 200) answered++
    }
    await eventually(async () => ((await storedCount(id)) === 100 ? true : undefined))
    await Promise.all(agents.map((agent) => requestGenres(service, key, agent)))
    await service.stop('SIGKILL')
    service = await startMarquee(env)
    const { used } = await requestGenres(service, key, new Agent())
    expect(used).toBeGreaterThan(100)
    expect(used).toBeLessThanOrEqual(101 + agents.length)
  })

  it('leads from sign-up to a first request, and leaves no secret in data, logs, metrics or errors', async () => {
    const page = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' }
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${service.address}/platform${path}`, {
        method: 'POST',
        headers: { ...page, ...headers },
        body: JSON.stringify(body),
      })
    const person = { email: 'ann@example.com', password: 'correct horse battery staple' }
    const signedUp = await post('/sign-up', person)
    expect(signedUp.status).toBe(201)
    const cookie = (signedUp.headers.get('set-cookie') as string).split(';')[0] as string
    const { csrfToken } = (await signedUp.json()) as { csrfToken: string }
    const own = { Cookie: cookie, 'X-CSRF-Token': csrfToken }
    const { key, record } = (await (await post('/keys', { name: 'first' }, own)).json()) as CreatedKeyResponse
    const answer = await fetch(`${service.address}/v4/shows/1?country=us`, { headers: { 'X-API-Key': key } })
    expect([answer.status, answer.headers.get('x-quota-granted')]).toEqual([200, '1000'])

    const rotated = (await (await post(`/keys/${record.id}/rotate`, {}, own)).json()) as CreatedKeyResponse
    const { code } = JSON.parse(await command('accounts', 'invite', 'bob@example.com', '--json'))
    const subscribed = await fetch(`${service.address}/platform/marketplace/subscriptions/s1`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${MARKETPLACE_SECRET}`, 'Content-Type': 'application/json' },
      body: '{"plan":"pro"}',
    })
    const { key: marketplaceKey } = (await subscribed.json()) as CreatedKeyResponse
    const token = cookie.slice(cookie.indexOf('=') + 1)
    const secrets = { key, rotated: rotated.key, marketplaceKey, code, token, password: person.password }
    const errors: string[] = []
    for (const path of [`/v4/shows/${key}`, `/v4/genres?key=${rotated.key}`, `/${marketplaceKey}`]) {
      errors.push(await (await fetch(`${service.address}${path}`, { headers: { 'X-API-Key': `${key}x` } })).text())
    }
    errors.push(await (await post('/sign-in', { ...person, password: `${person.password}!` })).text())
    const metrics = await (await fetch(`${service.address}/metrics`)).text()
    expect(await service.stop()).toBe(0)

    const files = readdirSync(env.MARQUEE_DATA, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name))] as const)
    expect(files.length).toBeGreaterThan(2)
    for (const [name, secret] of Object.entries({ ...secrets, MARKETPLACE_SECRET })) {
      for (const [file, bytes] of files) expect(bytes.includes(secret), `${name} in ${file}`).toBe(false)
      expect(service.output().includes(secret), `${name} in the log`).toBe(false)
      expect(metrics.includes(secret), `${name} in the metrics`).toBe(false)
      expect(errors.join().includes(secret), `${name} in errors`).toBe(false)
    }
    for (const personal of ['ann@example.com', record.id]) expect(metrics).not.toContain(personal)
    expect(service.output()).not.toContain('ann@example.com')
  })
})
