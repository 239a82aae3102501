import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { feedBytes } from '../support/feed.ts'
import { eventually, marquee, startMarquee } from '../support/marquee-process.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('a node goes on without PostgreSQL: known keys, 503 for unknown ones, and it says so', async () => {
  const postgres = await PostgresServer.start()
  onTestFinished(() => postgres.stop())
  const folder = temporaryFolder()
  const env = { MARQUEE_DATA: join(folder, 'data'), DATABASE_URL: await postgres.database(), MARQUEE_WORKERS: '1' }
  const feed = join(folder, 'feed.ndjson')
  writeFileSync(feed, feedBytes(aSnapshot(aMovie({ id: '1' }))))
  expect((await marquee(['import', feed], env)).code).toBe(0)
  const { key } = JSON.parse((await marquee(['keys', 'create', '--plan', 'unlimited', '--json'], env)).stdout)
  const service = await startMarquee(env)
  const ask = (secret: string) =>
    fetch(`${service.address}/v4/shows/1?country=us`, { headers: { 'X-API-Key': secret } }).then(({ status }) => status)
  type Ready = { status: string; ledger: { connected: boolean; lagSeconds: number } }
  const ready = async () => (await (await fetch(`${service.address}/readyz`)).json()) as Ready
  await eventually(async () => (await ready()).ledger?.connected || undefined, 60)
  expect(await ask(key)).toBe(200)
  expect(await ask('mq-key-unknown')).toBe(401)

  await postgres.kill()
  await eventually(async () => (await ready()).ledger.connected === false || undefined, 60)
  expect(await ready()).toMatchObject({ status: 'ready', ledger: { lagSeconds: 0 } })
  expect(await ask(key)).toBe(200)
  expect(await ask('mq-key-unknown')).toBe(503)
  expect(await (await fetch(`${service.address}/metrics`)).text()).toContain('marquee_ledger_connected 0')
  const status = await marquee(['status'], env)
  expect(status.stdout).toContain('PostgreSQL cannot be reached')
  expect(status.stdout).not.toContain('test@')

  await postgres.restart()
  await eventually(async () => (await ready()).ledger.connected || undefined, 60)
  expect(await ask('mq-key-unknown')).toBe(401)
  await service.stop()
}, 240_000)
