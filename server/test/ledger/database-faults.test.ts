import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { openPostgresAccounts } from '../../src/accounts/postgres/postgres-account-store.ts'
import { importFeed } from '../../src/ingest/import-feed.ts'
import { removeSource } from '../../src/ingest/remove-source.ts'
import { LedgerLockedError, lockHead } from '../../src/ledger/postgres/log-rows.ts'
import { LogTail } from '../../src/ledger/postgres/log-tail.ts'
import { ReplicaDirectory } from '../../src/ledger/postgres/replica-directory.ts'
import { ForeignDatabaseError, openDatabase } from '../../src/lib/postgres/database.ts'
import { DatabaseReadOnlyError, DatabaseRefusedError, Session } from '../../src/lib/postgres/session.ts'
import { aMovie, aSnapshot, NOW } from '../support/builders.ts'
import { feedFromRecords } from '../support/feed.ts'
import { eventually, marquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aNode, testSchema } from '../support/test-store.ts'

const clock = () => NOW

/** A session outside of any schema of a test. */
async function anAdmin(): Promise<Session> {
  const session = await Session.open(inject('postgres'), { purpose: 'test' })
  onTestFinished(() => session.close())
  return session
}

const schemaOf = (url: string) => /search_path=(\w+)/.exec(decodeURIComponent(url))?.[1] as string
const withOption = (url: string, option: string) => `${url}${encodeURIComponent(` -c ${option}`)}`

async function countTables(admin: Session, schema: string): Promise<number> {
  const [row] = await admin.query<{ count: number }>(
    'SELECT count(*) AS count FROM information_schema.tables WHERE table_schema = $1',
    [schema],
  )
  return row?.count ?? 0
}

async function failure(url: string): Promise<Error> {
  try {
    await (await openDatabase(url, { purpose: 'test' })).close()
  } catch (error) {
    return error as Error
  }
  throw new Error('The database was opened')
}

it('says in one line what an operator has to mend, and never the password', async () => {
  const admin = await anAdmin()
  const role = `reader_${process.pid}_${Date.now()}`
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'of its own'`)
  const url = new URL(inject('postgres'))
  const wrongPassword = Object.assign(new URL(url), { password: 'secret-of-mine' }).href
  const unknownDatabase = Object.assign(new URL(url), { pathname: '/no_such_database' }).href
  const own = Object.assign(new URL(await testSchema()), { username: role, password: 'of its own' }).href
  const readOnly = withOption(await testSchema(), 'default_transaction_read_only=on')
  const found = await Promise.all([wrongPassword, unknownDatabase, own, readOnly].map(failure))
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:\d+ refuses the user "postgres": .*Check DATABASE_URL\.$/),
    expect.stringMatching(/has no database "no_such_database"; docs\/nodes\.md has the SQL that makes it$/),
    expect.stringMatching(new RegExp(`^The user "${role}" lacks rights in the database "postgres": .*docs/nodes.md`)),
    expect.stringMatching(/^The database "postgres" at 127\.0\.0\.1:\d+ is read-only: /),
  ])
  expect(found.map((error) => error instanceof DatabaseRefusedError)).toEqual([true, true, true, false])
  expect(found[3]).toBeInstanceOf(DatabaseReadOnlyError)
  expect(JSON.stringify(found.map(({ message }) => message))).not.toContain('secret-of-mine')
})

it('a node that can start with nothing says why, and exits', async () => {
  const url = Object.assign(new URL(inject('postgres')), { pathname: '/no_such_database' }).href
  const { code, stdout, stderr } = await marquee(['serve'], {
    MARQUEE_DATA: temporaryFolder(),
    DATABASE_URL: url,
    PORT: '0',
  })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^marquee: PostgreSQL at \S+ has no database "no_such_database"; [^\n]*\n$/)
})

it('a read-only database is read, and tells that it cannot be written', async () => {
  const [url, folder] = [await testSchema(), temporaryFolder()]
  const writer = await aNode(url, folder)
  await importFeed(feedFromRecords(aSnapshot(aMovie({ id: '1' }))), writer, { clock })
  await writer.close()
  const reader = await aNode(withOption(url, 'default_transaction_read_only=on'), temporaryFolder())
  onTestFinished(() => reader.close())
  expect(reader.catalog.counts().shows).toBe(1)
  const commit = reader.commit(() => [{ at: NOW, shows: [], changes: [], removedSources: ['test'] }])
  await expect(commit).rejects.toThrow(DatabaseReadOnlyError)
})

it('an empty or foreign database in the place of the ledger is refused and left alone, and what came back is followed', async () => {
  const [url, folder, admin] = [await testSchema(), temporaryFolder(), await anAdmin()]
  const [schema, foreign] = [schemaOf(url), schemaOf(await testSchema())]
  const ledger = await aNode(url, folder)
  await importFeed(feedFromRecords(aSnapshot(aMovie({ id: '1' }))), ledger, { clock })
  await ledger.close()
  const accounts = openPostgresAccounts(join(folder, 'accounts'), url)
  await accounts.keys.create({ name: 'a', source: 'direct', plan: 'unlimited' }, { by: 'operator', now: NOW })
  await accounts.close()

  const replica = await new ReplicaDirectory(folder).open(url)
  const failures: Error[] = []
  const applied: number[] = []
  const outdated: Error[] = []
  const tail = new LogTail(replica, url, {
    clock,
    onOutdated: (error) => outdated.push(error),
    onDisconnect: (error) => failures.push(error),
    onApplied: (commit) => applied.push(commit),
  })
  tail.start()
  onTestFinished(async () => {
    await tail.stop()
    await replica.close()
  })
  const isRefused = (kind: RegExp) =>
    eventually(
      async () => failures.some((one) => one instanceof ForeignDatabaseError && kind.test(one.message)) || undefined,
    )

  // As a database that was dropped and made anew, before a restore has put anything back.
  await admin.query(`ALTER SCHEMA ${schema} RENAME TO ${schema}_kept`)
  await admin.query(`CREATE SCHEMA ${schema}`)
  await isRefused(/is empty or being restored/)
  await expect(new ReplicaDirectory(folder).open(url)).rejects.toThrow(/is empty or being restored/)
  const again = openPostgresAccounts(join(folder, 'accounts'), url)
  await expect(again.refresh()).rejects.toThrow(ForeignDatabaseError)
  expect(again.keys.list().map(({ name }) => name)).toEqual(['a'])
  expect(await countTables(admin, schema)).toBe(0)

  // A restore has made the first tables and has filled none of them.
  await admin.query(`CREATE TABLE ${schema}.marquee_schema (LIKE ${schema}_kept.marquee_schema)`)
  await admin.query(`CREATE TABLE ${schema}.marquee_ledger (LIKE ${schema}_kept.marquee_ledger)`)
  await expect(again.refresh()).rejects.toThrow(ForeignDatabaseError)
  expect(await countTables(admin, schema)).toBe(2)

  // Another cluster under the same address.
  await (await openDatabase(url.replace(schema, foreign), { purpose: 'test' })).close()
  await admin.query(`DROP SCHEMA ${schema} CASCADE`)
  await admin.query(`ALTER SCHEMA ${foreign} RENAME TO ${schema}`)
  await isRefused(/is not the one that the data folder has a copy of/)
  await expect(again.refresh()).rejects.toThrow(/is not the one/)
  expect(again.keys.list().map(({ name }) => name)).toEqual(['a'])
  expect(replica.catalog.counts().shows).toBe(1)

  await admin.query(`DROP SCHEMA ${schema} CASCADE`)
  await admin.query(`ALTER SCHEMA ${schema}_kept RENAME TO ${schema}`)
  await again.refresh()
  await again.close()
  const other = await aNode(url, temporaryFolder())
  const { changes } = await removeSource(other, 'test', { clock })
  expect(changes.removed).toBe(1)
  await other.close()
  await eventually(async () => replica.catalog.sources().length === 0 || undefined)
  expect([applied.length > 0, outdated, replica.catalog.counts().shows]).toEqual([true, [], 0])
})

it('a ledger that is locked says by whom and since when, and leaves no session that waits', async () => {
  const url = await testSchema()
  const [holder, waiter] = [
    await openDatabase(url, { purpose: 'long import' }),
    await openDatabase(url, { purpose: 'test' }),
  ]
  onTestFinished(async () => {
    for (const session of [holder, waiter]) await session.close()
  })
  await holder.query('BEGIN')
  await lockHead(holder)
  const attempt = waiter.transaction(() => lockHead(waiter, 20))
  await expect(attempt).rejects.toThrow(LedgerLockedError)
  await expect(attempt).rejects.toThrow(
    /^The ledger is locked by "marquee long import" at 127\.0\.0\.1 \(PostgreSQL's process \d+\) since \d{4}-.*Z; if it hangs/,
  )
  const waiting = await holder.query(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'marquee test' AND wait_event_type = 'Lock'`,
  )
  expect(waiting).toEqual([])
  await holder.query('ROLLBACK')
  expect((await waiter.transaction(() => lockHead(waiter, 20))).state).toBe('ready')
})
