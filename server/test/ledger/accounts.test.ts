import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMeter } from '../../src/accounts/keys/meter.ts'
import { AccountFollower, AccountReplica } from '../../src/accounts/postgres/account-replica.ts'
import { openPostgresAccounts } from '../../src/accounts/postgres/postgres-account-store.ts'
import { openAccountTables } from '../../src/accounts/store/account-tables.ts'
import { Session } from '../../src/lib/postgres/session.ts'
import { NOW } from '../support/builders.ts'
import { eventually } from '../support/marquee-process.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testSchema } from '../support/test-store.ts'

const act = { by: 'operator', now: NOW } as const

/** A node as far as accounts go: one that serves, and one that follows. */
async function aNode(url: string, workers = 1) {
  const dir = join(temporaryFolder(), 'accounts')
  const told: number[] = []
  const follower = new AccountFollower(dir, url, {
    node: dir,
    workers,
    onProcesses: (processes) => told.push(processes),
  })
  follower.start()
  const accounts = openPostgresAccounts(dir, url)
  onTestFinished(async () => {
    await accounts.close()
    await follower.stop()
  })
  return { accounts, told }
}

describe('accounts of several nodes', () => {
  it('replicates a new key, and a revoked one, to every node', async () => {
    const url = await testSchema()
    const [first, second] = [await aNode(url), await aNode(url)]
    const { key, record } = await first.accounts.keys.create({ source: 'direct', plan: 'free', name: 'a' }, act)
    await eventually(async () => second.accounts.keys.find(key, NOW))
    expect(second.accounts.keys.find(key, NOW)).toMatchObject({ id: record.id })
    await second.accounts.keys.revoke(record.id, act)
    await eventually(async () => first.accounts.keys.find(key, NOW)?.ended)
    expect(first.accounts.keys.list()).toEqual(second.accounts.keys.list())
  })

  it('refuses a write that conflicts with one of another node, as a single node does', async () => {
    const url = await testSchema()
    const [first, second] = [await aNode(url), await aNode(url)]
    await first.accounts.plans.set({ name: 'brief' }, act)
    const results = await Promise.allSettled([first, second].map(({ accounts }) => accounts.plans.delete('brief', act)))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('grants no more of a quota than the documented bound', async () => {
    const url = await testSchema()
    const nodes = [await aNode(url, 1), await aNode(url, 1), await aNode(url, 1)]
    await eventually(async () => nodes.every(({ told }) => told.at(-1) === 3) || undefined)
    const [first] = nodes
    await first?.accounts.plans.set({ name: 'thousand', quota: { requests: 1_000, per: 'month' } }, act)
    const made = await first?.accounts.keys.create({ source: 'direct', plan: 'thousand', name: 'q' }, act)
    const meters = await Promise.all(
      nodes.map(async ({ accounts, told }) => {
        const key = await eventually(async () => accounts.keys.find(made?.key ?? '', NOW))
        const meter = createMeter(accounts.quota, { clock: () => NOW, processes: () => told.at(-1) ?? 1 })
        return { key, meter }
      }),
    )
    let granted = 0
    const spend = async ({ key, meter }: (typeof meters)[number]) => {
      for (let i = 0; ; i++) {
        const { refusal } = meter.admit(key, NOW)
        if (refusal === 'quota_exceeded') return
        if (refusal === undefined) granted++
        if (i % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
    await Promise.all(meters.map(spend))
    for (const { meter } of meters) await meter.flush()
    const bound = 1_000 + 3 * (1_000 / (4 * 3) + 16)
    expect(granted).toBeGreaterThanOrEqual(1_000)
    expect(granted).toBeLessThanOrEqual(bound)
    const session = await Session.open(url, { purpose: 'test' })
    const [row] = await session.query<{ sum: number }>('SELECT sum(requests)::integer AS sum FROM marquee_quota')
    await session.close()
    expect(row?.sum).toBe(granted)
  })

  it('serves the old replica until a new one is complete', async () => {
    const url = await testSchema()
    const dir = join(temporaryFolder(), 'accounts')
    const accounts = openPostgresAccounts(dir, url)
    const environment = openAccountTables(dir)
    const session = await Session.open(url, { purpose: 'test' })
    onTestFinished(async () => {
      await session.close()
      await environment.close()
      await accounts.close()
    })
    const { key, record } = await accounts.keys.create({ source: 'direct', plan: 'free', name: 'a' }, act)
    const { record: gone } = await accounts.keys.create({ source: 'direct', plan: 'free', name: 'b' }, act)
    // The node was away for so long that the database has deleted the tombstones.
    await session.query('DELETE FROM marquee_account_rows WHERE row_key = $1', [gone.id])
    await session.query('UPDATE marquee_account_head SET revision = 9, first_revision = 9')
    const found: unknown[] = []
    const query = async (...question: Parameters<Session['query']>) => {
      const answer = await session.query(...question)
      found.push(accounts.keys.list().length)
      return answer
    }
    const watched = { query, quickQuery: query } as unknown as Session
    await new AccountReplica(environment).catchUp(watched)
    expect(found).toEqual([2, 2, 2])
    await eventually(async () => accounts.keys.list().length === 1 || undefined)
    expect(accounts.keys.list()).toEqual([record])
    expect(accounts.keys.find(key, NOW)).toMatchObject({ id: record.id })
    await new AccountReplica(environment).catchUp(watched)
    expect(found).toHaveLength(5)
  })

  it('deletes quotas that are too old', async () => {
    const url = await testSchema()
    const accounts = openPostgresAccounts(join(temporaryFolder(), 'accounts'), url)
    const session = await Session.open(url, { purpose: 'test' })
    onTestFinished(async () => {
      await session.close()
      await accounts.close()
    })
    const now = Date.UTC(2026, 2, 25) / 1000
    const periods = ['2025-01', '2025-02', '2025-02-17', '2025-02-18']
    await accounts.quota.add(periods.map((period) => ({ owner: 'a', period, requests: 1 })))
    await accounts.prune(now)
    const rows = await session.query<{ period: string }>('SELECT period FROM marquee_quota ORDER BY period')
    expect(rows.map(({ period }) => period)).toEqual(['2025-02', '2025-02-18'])
    expect(periods.filter((period) => accounts.quota.total('a', period) > 0)).toEqual(['2025-02', '2025-02-18'])
  })

  it('works without PostgreSQL from what it knows, and flushes its counts later, once', async () => {
    const server = await PostgresServer.start()
    onTestFinished(() => server.stop())
    const url = await server.createDatabase()
    const { accounts } = await aNode(url)
    const { key: secret } = await accounts.keys.create({ source: 'direct', plan: 'free', name: 'a' }, act)
    const key = accounts.keys.find(secret, NOW)
    if (key === undefined) throw new Error('The key is not known')
    const period = '2026-03'
    const add = (requests: number) => accounts.quota.add([{ owner: key.quotaOwner, period, requests }])
    expect(await add(10)).toEqual([10])

    await server.kill()
    expect(accounts.keys.find(secret, NOW)).toMatchObject({ id: key.id })
    expect(await add(5)).toEqual([15])
    const usage = { '/shows': { statuses: { 200: 3 }, latency: {} } }
    await accounts.usage.add([{ keyId: key.id, at: NOW, usage, failures: [] }])
    expect(await add(2)).toEqual([17])
    const create = accounts.keys.create({ source: 'direct', plan: 'free', name: 'b' }, act)
    await expect(create).rejects.toMatchObject({ code: 'unavailable' })

    await server.restart()
    expect(await add(1)).toEqual([18])
    const session = await Session.open(url, { purpose: 'test' })
    const total = async () => {
      const [row] = await session.query<{ requests: number }>('SELECT requests FROM marquee_quota')
      return row?.requests
    }
    expect(await total()).toBe(18)
    const used = await session.query<{ body: string }>(`SELECT body FROM marquee_usage WHERE span = 'day'`)
    await session.close()
    expect(used.map(({ body }) => JSON.parse(body))).toEqual([usage])
  })
})
