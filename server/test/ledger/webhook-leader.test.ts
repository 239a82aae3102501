import { join } from 'node:path'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, it, onTestFinished } from 'vitest'
import { openPostgresAccounts } from '../../src/accounts/postgres/postgres-account-store.ts'
import type { WebhookFilter } from '../../src/accounts/store/account-tables.ts'
import { importFeed } from '../../src/ingest/import-feed.ts'
import { LogTail } from '../../src/ledger/postgres/log-tail.ts'
import { PostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { ReplicaDirectory } from '../../src/ledger/postgres/replica-directory.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { Session } from '../../src/lib/postgres/session.ts'
import { currentToken } from '../../src/query/changes/journal-token.ts'
import { WebhookRunner } from '../../src/serving/maintenance/webhook-runner.ts'
import { WindowLeader } from '../../src/serving/maintenance/window-leader.ts'
import { aDelta, aMovie, aSnapshot } from '../support/builders.ts'
import { feedFromRecords } from '../support/feed.ts'
import { eventually } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'
import { WebhookReceiver } from '../support/webhook-receiver.ts'

const logger = pino({ level: 'silent' })

const FILTER: WebhookFilter = {
  country: 'us',
  changeTypes: ['new'],
  itemTypes: ['show'],
  catalogs: [],
  shows: [],
  language: 'en',
  leadDays: 7,
}

/** A node that follows the log and delivers while it is the leader, in this process. */
async function aNode(url: string) {
  const folder = temporaryFolder()
  const replica = await new ReplicaDirectory(folder).open(url)
  const ledger = new PostgresLedger(replica, url, 'keeper')
  const accounts = openPostgresAccounts(join(folder, 'accounts'), url)
  let leads = false
  const tail = new LogTail(replica, url, { clock: systemClock, onOutdated: (error) => expect.fail(error.message) })
  const leader = new WindowLeader(ledger, {
    clock: systemClock,
    retentionDays: 30,
    historyDays: 30,
    logDays: 7,
    logger,
    onLeadership: (now) => {
      leads = now
    },
  })
  const runner = new WebhookRunner({
    store: accounts.webhooks,
    refresh: () => accounts.refresh(),
    settings: { privateWebhooks: 'allow' },
    delivery: () => ({ catalog: ledger.catalog, leads, isReplica: true }),
    logger,
    notify: () => {},
    registry: new Registry(),
  })
  tail.start()
  leader.start()
  runner.start()
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    await runner.stop()
    await leader.stop()
    await tail.stop()
    await accounts.close()
    await ledger.close()
  }
  onTestFinished(stop)
  return { ledger, accounts, stop, leads: () => leads }
}

const importMovies = (ledger: PostgresLedger, from: number, count: number) => {
  const movies = Array.from({ length: count }, (_, i) => aMovie({ id: String(from + i) }))
  return importFeed(feedFromRecords(from === 1 ? aSnapshot(...movies) : aDelta(...movies)), ledger, {
    clock: systemClock,
  })
}

it('one leader delivers; another node takes over, also one that was copied after changes that are not delivered yet', async () => {
  const url = await testDatabase()
  const receiver = await new WebhookReceiver().listen()
  onTestFinished(() => receiver.close())
  const first = await aNode(url)
  await importMovies(first.ledger, 1, 1)
  const since = currentToken(first.ledger.catalog)
  const given = { name: 'mine', url: receiver.url, filter: FILTER, since }
  await first.accounts.webhooks.create(given, { by: 'operator', now: systemClock() })
  const arrivedShows = () => receiver.changes().map((place) => Number(place.split('/')[2]))
  const arrival = (show: number) => eventually(async () => arrivedShows().includes(show) || undefined)

  await importMovies(first.ledger, 10, 120)
  await arrival(129)
  receiver.behave = () => 'hang'
  await importMovies(first.ledger, 200, 130)
  await importMovies(first.ledger, 400, 1)
  await eventually(async () => receiver.messages.length > 2 || undefined)

  // Its copy is made now, and the webhook waits for what came before.
  const second = await aNode(url)
  expect([first.leads(), second.leads()]).toEqual([true, false])
  receiver.behave = () => 'accept'
  const session = await Session.open(url, { purpose: 'test' })
  onTestFinished(() => session.close())
  // The lock of the leader ends with its session. The request that hangs is not waited for.
  await session.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = 2`,
    [0x4d51],
  )
  await arrival(400)
  await importMovies(second.ledger, 500, 1)
  await arrival(500)
  const [leader, other] = first.leads() ? [first, second] : [second, first]
  await leader.stop()
  await importMovies(other.ledger, 600, 1)
  await arrival(600)

  const expected = [
    ...Array.from({ length: 120 }, (_, i) => 10 + i),
    ...Array.from({ length: 130 }, (_, i) => 200 + i),
    ...[400, 500, 600],
  ]
  expect(arrivedShows()).toEqual(expected)
  const ids = new Map<string, string>()
  for (const { id, body } of receiver.messages) {
    const changes = JSON.stringify(body.data.changes)
    expect(ids.get(changes) ?? id).toBe(id)
    ids.set(changes, id)
  }
  expect(receiver.messages.length).toBeGreaterThan(ids.size)
})
