import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebhookFilter } from '../../../src/accounts/store/account-tables.ts'
import { importFeed } from '../../../src/ingest/import-feed.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { currentToken } from '../../../src/query/changes/journal-token.ts'
import { openServiceAccounts } from '../../../src/runtime/open-accounts.ts'
import { openLedger } from '../../../src/runtime/open-ledger.ts'
import { aDelta, aMovie, anOption, aSeries, aSnapshot } from '../builders.ts'
import { feedFromRecords } from '../feed.ts'
import { logLines, PROGRAM } from '../marquee-process.ts'
import { PostgresServer } from '../postgres-server.ts'
import { type Behaviour, placeOf, WebhookReceiver } from '../webhook-receiver.ts'
import { type Campaign, type CampaignOptions, type ChaosOutcome, percentile, repeatFault } from './campaign.ts'

/** A page of `/changes` with `since`. */
interface ChangesPage {
  readonly changes: readonly object[]
  readonly since: string
  readonly hasMore: boolean
}

/** How long a change may take to arrive after a kill. A start of the service on a busy machine is part of it. */
const MAX_TAKEOVER_MS = 30_000

/** How long the service may take at the end to deliver what is left, retries included. */
const MAX_REST_MS = 180_000

/** The show whose change must arrive after the first kill; those of later kills follow. */
const MARKER_ID = 100_000

/** A receiver, and how often it does something else than accept. */
interface Profile {
  readonly faults: readonly Behaviour[]
  readonly share: number
  readonly filter: Partial<WebhookFilter>
}

/**
 * A webhook whose receiver fails waits for its retry, seconds later. So there are several, of which some always deliver when
 * a kill comes. The first one is never at fault: the time until a change arrives there is that of the service.
 */
const PROFILES: readonly Profile[] = [
  { faults: [], share: 0, filter: {} },
  { faults: ['slow'], share: 1, filter: { changeTypes: ['new', 'removed'] } },
  { faults: ['accept-and-reset'], share: 0.1, filter: { itemTypes: ['show'] } },
  { faults: ['fail', 'redirect'], share: 0.15, filter: { changeTypes: ['updated'] } },
  { faults: ['reset', 'slow'], share: 0.2, filter: { catalogs: ['netflix.subscription'] } },
  { faults: ['hang', 'fail', 'accept-and-reset', 'reset'], share: 0.05, filter: { showType: 'movie' } },
]

/** Kills the whole service while it delivers. */
export const killDeliveries: Campaign = (options) => killWhileDelivering(options, 1)

/** Kills the leader of two nodes on PostgreSQL while it delivers, and now and then the other one, both, or a follower. */
export const killDeliveringNodes: Campaign = async (options) => {
  const postgres = await PostgresServer.start()
  try {
    return await killWhileDelivering(options, 2, await postgres.createDatabase())
  } finally {
    await postgres.stop()
  }
}

/**
 * Kills services while one of them delivers to receivers that misbehave, and imports go on. After each kill a new change
 * must arrive soon. In the end every change of the log must have arrived in its order, and each with one message id.
 */
async function killWhileDelivering(
  options: CampaignOptions,
  count: number,
  databaseUrl?: string,
): Promise<ChaosOutcome[]> {
  const { folder, tries } = options
  mkdirSync(folder, { recursive: true })
  const nodes = Array.from({ length: count }, (_, i) => new KilledNode(join(folder, `data-${i}`), databaseUrl))
  // Imports run in this process, which is cheaper than a command for each. With PostgreSQL it is a node of its own.
  const dataDir = databaseUrl === undefined ? join(folder, 'data-0') : join(folder, 'importer')
  const ledger = await openLedger({ dataDir, databaseUrl }, 'import')
  const accounts = openServiceAccounts({ dataDir, databaseUrl, keyPrefix: 'mq' })
  const importRecords = (records: Iterable<object>) =>
    importFeed(feedFromRecords(records), ledger, { clock: systemClock })
  await importRecords(aSnapshot(aMovie({ id: '1' }), aSeries({ id: '2' })))
  await accounts.refresh()
  const context = { by: 'operator', now: systemClock() } as const
  const { key } = await accounts.keys.create({ source: 'direct', plan: 'unlimited', name: 'chaos' }, context)
  const start = currentToken(ledger.catalog)
  const subscribers = await Promise.all(PROFILES.map((profile) => Subscriber.listen(profile)))
  for (const { filter, receiver } of subscribers) {
    await accounts.webhooks.create({ name: 'chaos', url: receiver.url, filter, since: start }, context)
  }
  const [reliable] = subscribers as [Subscriber]
  await Promise.all(nodes.map((node) => node.start()))
  try {
    const outcomes = await repeatFault(options, async (random, number) => {
      for (const subscriber of subscribers) subscriber.misbehave(random)
      await Promise.all(nodes.map((node) => node.start()))
      const victim = chooseVictim(nodes, random)
      const importing = importRecords(randomDelta(random))
      // Every other time during the import, else while its changes are delivered.
      if (number % 2 === 1) await importing
      await sleep(Math.round(random() * 600))
      const before = reliable.receiver.messages.length
      const killedAt = performance.now()
      await victim.kill()
      const restarted = Promise.all(nodes.map((node) => node.start()))
      await importing
      const marker = String(MARKER_ID + number)
      await importRecords(aDelta(aMovie({ id: marker })))
      const problems: string[] = []
      const arrived = () => reliable.receiver.messages.some(({ text }) => text.includes(`"showId":"${marker}"`))
      while (!arrived() && performance.now() - killedAt < MAX_TAKEOVER_MS) await sleep(20)
      const ms = performance.now() - killedAt
      if (!arrived()) {
        const [webhook] = accounts.webhooks.all()
        const id = webhook?.id ?? ''
        await accounts.refresh()
        const found = JSON.stringify([accounts.webhooks.state(id), accounts.webhooks.log(id).slice(0, 2)])
        problems.push(`no change arrived within ${MAX_TAKEOVER_MS / 1000} s: ${found}`)
      }
      await restarted
      if (number === tries - 1) problems.push(...(await checkAll()))
      const messages = reliable.receiver.messages.length - before
      return { kind: victim.kind, fault: `${victim.kind} killed, ${messages} messages`, problems, ms }
    })
    const times = outcomes.map(({ ms = 0 }) => ms)
    const [half, most] = [0.5, 0.95].map((part) => (percentile(times, part) / 1000).toFixed(1))
    process.stdout.write(`a new change arrived ${half} s (median) and ${most} s (p95) after a kill\n`)
    return outcomes
  } finally {
    for (const node of nodes) await node.kill()
    for (const { receiver } of subscribers) receiver.close()
    await accounts.close()
    await ledger.close()
  }

  /** Waits for what is left, and compares what arrived with the log of each node. */
  async function checkAll(): Promise<string[]> {
    for (const { receiver } of subscribers) receiver.behave = () => 'accept'
    const [{ filter: all }] = subscribers as [Subscriber]
    // A node that has just started may lack the last commits.
    for (const node of nodes) {
      const isLast = (place: string) => place.includes(`/${MARKER_ID + tries - 1}/`)
      while (!(await readLog(node.address, key, all, start)).some(isLast)) await sleep(100)
    }
    const problems: string[] = []
    for (const [i, { receiver, filter }] of subscribers.entries()) {
      const logs = await Promise.all(nodes.map((node) => readLog(node.address, key, filter, start)))
      const expected = logs[0] as string[]
      if (logs.some((other) => other.join() !== expected.join())) problems.push('the nodes have different logs')
      const deadline = performance.now() + MAX_REST_MS
      while (receiver.changes().length < expected.length && performance.now() < deadline) await sleep(100)
      problems.push(...compare(receiver, expected).map((problem) => `webhook ${i}: ${problem}`))
    }
    return problems
  }
}

/** What is killed. */
interface Victim {
  readonly kind: string
  kill(): Promise<void>
}

/** Mostly the node that delivers; with several nodes also another, all of them, or only the follower of the leader. */
function chooseVictim(nodes: readonly KilledNode[], random: () => number): Victim {
  const [first] = nodes as [KilledNode]
  if (nodes.length === 1) return { kind: 'service', kill: () => first.kill() }
  const leader = nodes.find((node) => node.leaderPid() !== undefined) ?? first
  const chance = random()
  if (chance < 0.35) return { kind: 'leader', kill: () => leader.kill() }
  if (chance < 0.75) return { kind: "the leader's follower", kill: () => leader.killFollower() }
  const others = nodes.filter((node) => node !== leader)
  if (chance < 0.9) return { kind: 'another node', kill: () => killAll(others) }
  return { kind: 'all nodes', kill: () => killAll(nodes) }
}

async function killAll(nodes: readonly KilledNode[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.kill()))
}

/** Up to 150 movies that are new, changed or gone. */
function randomDelta(random: () => number): Iterable<object> {
  const shows = Array.from({ length: 1 + Math.floor(random() * 150) }, () => {
    const id = String(10 + Math.floor(random() * 400))
    const streamingOptions = { us: random() < 0.3 ? [] : [anOption({ link: `https://a.test/${random()}` })] }
    return aMovie({ id, streamingOptions })
  })
  return aDelta(...new Map(shows.map((show) => [show.id, show])).values())
}

/** A webhook with its receiver. */
class Subscriber {
  readonly receiver: WebhookReceiver
  readonly filter: WebhookFilter
  private readonly profile: Profile

  private constructor(receiver: WebhookReceiver, profile: Profile) {
    this.receiver = receiver
    this.profile = profile
    this.filter = {
      country: 'us',
      changeTypes: ['new', 'updated', 'removed'],
      itemTypes: ['show', 'season', 'episode'],
      catalogs: [],
      shows: [],
      language: 'en',
      leadDays: 7,
      ...profile.filter,
    }
  }

  static async listen(profile: Profile): Promise<Subscriber> {
    return new Subscriber(await new WebhookReceiver().listen(), profile)
  }

  misbehave(random: () => number): void {
    const { faults, share } = this.profile
    this.receiver.behave = () =>
      random() < share ? (faults[Math.floor(random() * faults.length)] as Behaviour) : 'accept'
  }
}

/** What is wrong with the messages that arrived. */
function compare(receiver: WebhookReceiver, expected: readonly string[]): string[] {
  const problems: string[] = []
  const arrived = receiver.changes()
  if (arrived.join() !== expected.join()) {
    problems.push(`${arrived.length} changes arrived of ${expected.length}, or in another order`)
  }
  const byId = new Map<string, string>()
  const byChanges = new Map<string, string>()
  for (const { id, body } of receiver.messages) {
    const changes = JSON.stringify(body.data.changes)
    if ((byId.get(id) ?? changes) !== changes) problems.push(`the message ${id} came with other changes`)
    if ((byChanges.get(changes) ?? id) !== id) problems.push(`the changes of ${id} came with another id`)
    byId.set(id, changes)
    byChanges.set(changes, id)
  }
  const repeated = receiver.messages.length - byId.size
  process.stdout.write(`${expected.length} changes in ${byId.size} messages, ${repeated} of them sent again\n`)
  return problems
}

/** All changes that a filter passes since a token, as a service lists them. */
async function readLog(address: string, key: string, filter: WebhookFilter, start: string): Promise<string[]> {
  const { changeTypes, itemTypes, catalogs, showType } = filter
  const query = new URLSearchParams({
    country: 'us',
    change_type: changeTypes.join(),
    item_type: itemTypes.join(),
    ...(catalogs.length > 0 && { catalogs: catalogs.join() }),
    ...(showType !== undefined && { show_type: showType }),
  })
  const places: string[] = []
  const deadline = performance.now() + MAX_REST_MS
  for (let since = start; ; ) {
    const answer = await fetch(`${address}/v4/changes?${query}&since=${since}`, { headers: { 'x-api-key': key } })
    if (!answer.ok) {
      // A node that has just started may still copy the catalog.
      if (performance.now() > deadline) throw new Error(`${answer.status} ${await answer.text()}`)
      await sleep(100)
      continue
    }
    const page = (await answer.json()) as ChangesPage
    places.push(...page.changes.map(placeOf))
    since = page.since
    if (!page.hasMore) return places
  }
}

/** A service that is started again after each kill. */
class KilledNode {
  address = ''
  private readonly env: NodeJS.ProcessEnv
  private process: ChildProcess | undefined
  private starting: Promise<void> | undefined
  private output = ''

  constructor(dataDir: string, databaseUrl: string | undefined) {
    this.env = {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      MARQUEE_DATA: dataDir,
      MARQUEE_PRIVATE_WEBHOOKS: 'allow',
      MARQUEE_WORKERS: '1',
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    }
  }

  /** Starts it, unless it runs, and waits until it serves. */
  start(): Promise<void> {
    this.starting ??= this.run()
    return this.starting
  }

  /** The follower that is the leader, if one of this node is. */
  leaderPid(): number | undefined {
    return logLines(this.output, 'leader_acquired').at(-1)?.pid
  }

  async kill(): Promise<void> {
    const child = this.process
    this.starting = undefined
    if (child === undefined || child.signalCode !== null || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    this.output = ''
  }

  /** Kills the process that follows PostgreSQL and holds the lock of the leader. */
  async killFollower(): Promise<void> {
    const pid = this.leaderPid()
    this.output = ''
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  }

  private async run(): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM, 'serve'], { env: this.env, stdio: ['ignore', 'pipe', 'inherit'] })
    this.process = child
    this.output = ''
    child.stdout.on('data', (chunk) => {
      this.output += chunk
    })
    for (;;) {
      const match = /"event":"service_started"[^\n]*"address":"(http:[^"]+)"/.exec(this.output)
      if (match !== null) {
        this.address = match[1] as string
        return
      }
      if (child.exitCode !== null) throw new Error(`The service did not start:\n${this.output}`)
      await sleep(20)
    }
  }
}
