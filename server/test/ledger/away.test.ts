import { writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { LogTail } from '../../src/ledger/postgres/log-tail.ts'
import { ReplicaDirectory } from '../../src/ledger/postgres/replica-directory.ts'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { feedBytes } from '../support/feed.ts'
import { eventually, marquee, startMarquee } from '../support/marquee-process.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testSchema } from '../support/test-store.ts'

it('a node works without PostgreSQL: known keys are served, unknown ones get 503, and its health shows it', async () => {
  const postgres = await PostgresServer.start()
  onTestFinished(() => postgres.stop())
  const folder = temporaryFolder()
  const env = {
    MARQUEE_DATA: join(folder, 'data'),
    DATABASE_URL: await postgres.createDatabase(),
    MARQUEE_WORKERS: '1',
  }
  const feed = join(folder, 'feed.ndjson')
  writeFileSync(feed, feedBytes(aSnapshot(aMovie({ id: '1' }))))
  expect((await marquee(['import', feed], env)).code).toBe(0)
  const { key } = JSON.parse((await marquee(['keys', 'create', '--plan', 'unlimited', '--json'], env)).stdout)
  const service = await startMarquee(env)
  const ask = (secret: string) =>
    fetch(`${service.address}/v4/shows/1?country=us`, { headers: { 'X-API-Key': secret } }).then(({ status }) => status)
  type Ready = { status: string; ledger: { connected: boolean; lagSeconds: number } }
  const ready = async () => (await (await fetch(`${service.address}/readyz`)).json()) as Ready
  await eventually(async () => (await ready()).ledger?.connected || undefined)
  // A worker that has just started on a busy machine may shed its first requests.
  await eventually(async () => (await ask(key)) === 200 || undefined)
  expect(await ask('mq-key-unknown')).toBe(401)

  await postgres.kill()
  await eventually(async () => (await ready()).ledger.connected === false || undefined)
  expect(await ready()).toMatchObject({ status: 'ready', ledger: { lagSeconds: 0 } })
  expect(await ask(key)).toBe(200)
  expect(await ask('mq-key-unknown')).toBe(503)
  expect(await (await fetch(`${service.address}/metrics`)).text()).toContain('marquee_ledger_connected 0')
  const status = await marquee(['status'], env)
  expect(status.stdout).toContain('PostgreSQL cannot be reached')
  expect(status.stdout).not.toContain('test@')

  await postgres.restart()
  await eventually(async () => (await ready()).ledger.connected || undefined)
  expect(await ask('mq-key-unknown')).toBe(401)
  await service.stop()
})

/** A way to PostgreSQL on which, once it hangs, everything is sent and nothing comes back. */
class Way {
  hangs = false
  private readonly target: URL
  private readonly server = createServer((near) => this.join(near))

  private constructor(target: URL) {
    this.target = target
  }

  static async to(url: string): Promise<[way: Way, url: string]> {
    const way = new Way(new URL(url))
    await new Promise<void>((resolve) => way.server.listen(0, '127.0.0.1', resolve))
    const { port } = way.server.address() as { port: number }
    return [way, Object.assign(new URL(url), { port: String(port) }).href]
  }

  close(): void {
    this.server.close()
  }

  private join(near: Socket): void {
    const far = connect(Number(this.target.port), this.target.hostname)
    near.on('data', (data) => far.write(data))
    far.on('data', (data) => void (this.hangs || near.write(data)))
    near.on('error', () => {}).on('close', () => far.destroy())
    far.on('error', () => {}).on('close', () => near.destroy())
  }
}

it('a node detects within seconds that PostgreSQL hangs', async () => {
  const [way, url] = await Way.to(await testSchema())
  const node = await new ReplicaDirectory(temporaryFolder()).open(url)
  const reasons: string[] = []
  const tail = new LogTail(node, url, {
    clock: () => 0,
    onDisconnect: ({ message }) => reasons.push(message),
    onOutdated: () => {},
  })
  onTestFinished(async () => {
    way.hangs = false
    await tail.stop()
    await node.close()
    way.close()
  })
  tail.start()
  await eventually(async () => tail.state().connected || undefined)
  way.hangs = true
  // The limit for a statement of an import is two minutes: too long for a lookup of an unknown key.
  await eventually(async () => !tail.state().connected || undefined)
  expect(reasons).toEqual(['PostgreSQL went away: Query read timeout'])
  way.hangs = false
  await eventually(async () => tail.state().connected || undefined)
})
