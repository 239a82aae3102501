import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { aDelta, aMovie, anOption, aSeries, aSnapshot } from '../builders.ts'
import { feedBytes } from '../feed.ts'
import { marquee } from '../marquee-process.ts'
import { PostgresServer } from '../postgres-server.ts'
import { type Behaviour, placeOf, WebhookReceiver } from '../webhook-receiver.ts'
import { type Campaign, type CampaignOptions, type ChaosOutcome, repeatFault } from './campaign.ts'

const PROGRAM = fileURLToPath(new URL('../../../bin/marquee.js', import.meta.url))

/** A page of `/changes` with `since`. */
interface ChangesPage {
  readonly changes: readonly object[]
  readonly since: string
  readonly hasMore: boolean
}

/** How long the service may take at the end to deliver what is left, retries included. */
const MAX_REST_MS = 180_000

const BEHAVIOURS: readonly Behaviour[] = ['accept', 'accept', 'accept', 'slow', 'accept-and-reset', 'reset', 'fail']

/** Kills the whole service while it delivers. */
export const killDeliveries: Campaign = (options) => killWhileDelivering(options, [{}])

/** Kills one of two nodes on PostgreSQL while one of them delivers, and now and then both. */
export const killDeliveringNodes: Campaign = async (options) => {
  const postgres = await PostgresServer.start()
  try {
    const node = { DATABASE_URL: await postgres.createDatabase() }
    return await killWhileDelivering(options, [node, node])
  } finally {
    await postgres.stop()
  }
}

/**
 * Kills services while one of them delivers to a receiver that misbehaves, and imports go on. In the end every change of
 * the log must have arrived, in its order, and repeated messages must have had the same id and the same changes.
 * @param nodes the settings of each service
 */
async function killWhileDelivering(
  options: CampaignOptions,
  nodes: readonly Record<string, string>[],
): Promise<ChaosOutcome[]> {
  const { folder, tries } = options
  mkdirSync(folder, { recursive: true })
  const settings = { MARQUEE_PRIVATE_WEBHOOKS: 'allow', MARQUEE_WORKERS: '1', PORT: '0' }
  const envs = nodes.map((node, i) => ({ ...settings, ...node, MARQUEE_DATA: join(folder, `data-${i}`) }))
  const env = envs[0] as Record<string, string>
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await marquee(args, env)
    if (code !== 0) throw new Error(`marquee ${args.join(' ')} ended with ${code}: ${stderr}`)
    return stdout
  }
  const importFeed = (records: Iterable<object>) => {
    const file = join(folder, 'feed.ndjson')
    writeFileSync(file, feedBytes(records))
    return run('import', file)
  }
  await importFeed(aSnapshot(aMovie({ id: '1' }), aSeries({ id: '2' })))
  const { key } = JSON.parse(await run('keys', 'create', '--plan', 'unlimited', '--json'))
  const receiver = await new WebhookReceiver().listen()
  const filter = ['--country', 'us', '--changes', 'new,updated,removed', '--items', 'show,season,episode']
  await run('webhooks', 'create', receiver.url, ...filter)
  const services = await Promise.all(envs.map(startService))
  const path = '/v4/changes?country=us&change_type=new,updated,removed&item_type=show,season,episode'
  const get = async (address: string, since: string): Promise<ChangesPage> => {
    const deadline = performance.now() + MAX_REST_MS
    for (;;) {
      const answer = await fetch(`${address}${path}&since=${since}`, { headers: { 'x-api-key': key } })
      if (answer.ok) return (await answer.json()) as ChangesPage
      // A node that has just started may still copy the catalog.
      if (performance.now() > deadline) throw new Error(`${answer.status} ${await answer.text()}`)
      await sleep(100)
    }
  }
  const { since: start } = await get((services[0] as Service).address, 'now')

  try {
    const outcomes = await repeatFault(options, async (random, number): Promise<ChaosOutcome> => {
      receiver.behave = () => BEHAVIOURS[Math.floor(random() * BEHAVIOURS.length)] ?? 'accept'
      const shows = Array.from({ length: 1 + Math.floor(random() * 150) }, () => {
        const id = String(10 + Math.floor(random() * 400))
        const streamingOptions = { us: random() < 0.3 ? [] : [anOption({ link: `https://a.test/${random()}` })] }
        return aMovie({ id, streamingOptions })
      })
      const before = receiver.messages.length
      const importing = importFeed(aDelta(...new Map(shows.map((show) => [show.id, show])).values()))
      // Every other time while deliveries are under way.
      if (number % 2 === 1) await importing
      const afterMs = Math.round(random() * 2_500)
      await sleep(afterMs)
      const victim = Math.floor(random() * services.length)
      const victims = random() < 0.2 ? [...services.keys()] : [victim]
      for (const i of victims) await killService((services[i] as Service).process)
      await importing
      const got = receiver.messages.length - before
      for (const i of victims) services[i] = await startService(envs[i] as Record<string, string>)
      const problems: string[] = []
      if (number === tries - 1) problems.push(...(await checkAll()))
      const which = services.length === 1 ? '' : `node ${victims.join(' and ')} `
      return { kind: 'kill', fault: `${which}killed after ${afterMs} ms, ${got} messages`, problems, ms: afterMs }
    })
    return outcomes
  } finally {
    for (const { process } of services) await killService(process)
    receiver.close()
  }

  /** All changes since the start, once a service has the last one. */
  async function readLog(address: string, isLast: (place: string) => boolean): Promise<string[]> {
    for (;;) {
      const places: string[] = []
      for (let since = start; ; ) {
        const page = await get(address, since)
        places.push(...page.changes.map(placeOf))
        since = page.since
        if (!page.hasMore) break
      }
      if (places.some(isLast)) return places
      await sleep(100)
    }
  }

  /** Waits for what is left, and compares what arrived with the log. */
  async function checkAll(): Promise<string[]> {
    receiver.behave = () => 'accept'
    await importFeed(aDelta(aMovie({ id: '9999' })))
    const logs: string[][] = []
    for (const { address } of services) logs.push(await readLog(address, (place) => place.includes('/9999/')))
    const expected = logs[0] as string[]
    const deadline = performance.now() + MAX_REST_MS
    while (receiver.changes().length < expected.length && performance.now() < deadline) await sleep(100)
    const problems: string[] = []
    if (logs.some((log) => log.join() !== expected.join())) problems.push('the nodes have different logs')
    const arrived = receiver.changes()
    if (arrived.join() !== expected.join()) {
      problems.push(`${arrived.length} changes arrived of ${expected.length}, or in another order`)
    }
    const byId = new Map<string, string>()
    for (const { id, body } of receiver.messages) {
      const changes = (body.data.changes ?? []).map(placeOf).join()
      if ((byId.get(id) ?? changes) !== changes) problems.push(`the message ${id} came with other changes`)
      byId.set(id, changes)
    }
    const repeated = receiver.messages.length - byId.size
    process.stdout.write(`${expected.length} changes in ${byId.size} messages, ${repeated} of them sent again\n`)
    return problems
  }
}

interface Service {
  readonly process: ChildProcess
  readonly address: string
}

async function killService(child: ChildProcess): Promise<void> {
  if (child.signalCode !== null || child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function startService(env: Record<string, string>): Promise<Service> {
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: { ...process.env, HOST: '127.0.0.1', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    const match = /"event":"service_started"[^\n]*"address":"(http:[^"]+)"/.exec(output)
    if (match !== null) {
      child.stdout.resume()
      return { process: child, address: match[1] as string }
    }
  }
  throw new Error(`The service did not start:\n${output}`)
}
