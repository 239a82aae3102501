import { describe, expect, it, onTestFinished } from 'vitest'
import { migrate, openDatabase, SchemaTooNewError } from '../../src/lib/postgres/database.ts'
import { DatabaseUnavailableError, Session } from '../../src/lib/postgres/session.ts'
import { eventually } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aNode, testSchema } from '../support/test-store.ts'

async function aSession(url: string): Promise<Session> {
  const session = await Session.open(url, { purpose: 'test' })
  onTestFinished(() => session.close())
  return session
}

describe('the tables in PostgreSQL', () => {
  it('are created once, however many nodes start at the same time', async () => {
    const url = await testSchema()
    const sessions = await Promise.all(Array.from({ length: 8 }, () => aSession(url)))
    await Promise.all(sessions.map((session) => migrate(session)))
    const ids = await Promise.all(sessions.map((session) => session.query('SELECT id FROM marquee_ledger')))
    expect(new Set(ids.map((rows) => JSON.stringify(rows))).size).toBe(1)
    expect(ids[0]).toHaveLength(1)
  })

  it('of a newer version are refused', async () => {
    const url = await testSchema()
    const session = await openDatabase(url, { purpose: 'test' })
    onTestFinished(() => session.close())
    await session.query('UPDATE marquee_schema SET form = 1000')
    await expect(openDatabase(url, { purpose: 'test' })).rejects.toThrow(SchemaTooNewError)
  })

  it('cannot be reached if nothing listens, and the error does not contain the password', async () => {
    const failing = Session.open('postgres://marquee:secret@127.0.0.1:1/marquee', { purpose: 'test' })
    await expect(failing).rejects.toThrow(DatabaseUnavailableError)
    await expect(failing).rejects.not.toThrow(/secret/)
  })

  it('cannot be reached with a missing certificate file, and the error names it', async () => {
    const failing = Session.open(`${await testSchema()}&sslrootcert=/nowhere/ca.pem`, { purpose: 'test' })
    await expect(failing).rejects.toThrow(DatabaseUnavailableError)
    await expect(failing).rejects.toThrow('/nowhere/ca.pem')
  })
})

describe('a database whose advisory locks do not exclude', () => {
  /** As some databases have them: the functions are there, and always say yes. */
  async function aPretender(): Promise<string> {
    const url = await testSchema()
    const session = await aSession(url)
    const [row] = await session.query<{ schema: string }>('SELECT current_schema AS schema')
    for (const name of ['pg_try_advisory_lock', 'pg_advisory_unlock']) {
      await session.query(`CREATE FUNCTION ${name}(integer, integer) RETURNS boolean LANGUAGE sql AS 'SELECT true'`)
    }
    // Otherwise PostgreSQL's own functions come first, whatever the path says.
    return Object.assign(new URL(url), { search: `?options=-c%20search_path%3D${row?.schema},pg_catalog` }).href
  }

  it('grants tasks by leases, and refuses a commit of a process that has lost its lease', async () => {
    const url = await aPretender()
    const [first, second] = [await aNode(url, temporaryFolder()), await aNode(url, temporaryFolder())]
    onTestFinished(async () => {
      await first.close()
      await second.close()
    })
    expect(await first.tasks.acquire('import', 1, 'a feed')).toBeUndefined()
    expect(await second.tasks.acquire('import', 2, 'another')).toMatchObject({ what: 'a feed' })
    expect(await second.tasks.holder('import')).toMatchObject({ what: 'a feed' })
    expect(await first.commit(() => [{ at: 1, shows: [], changes: [], forgetChangesBefore: 1 }])).toBe(1)

    const session = await aSession(url)
    await session.query(`UPDATE marquee_tasks SET expires = now() - interval '1 second'`)
    expect(await second.tasks.acquire('import', 3, 'another')).toBeUndefined()
    const late = first.commit(() => [{ at: 2, shows: [], changes: [], forgetChangesBefore: 2 }])
    await expect(late).rejects.toThrow('has taken over the task import')
    expect(await second.commit(() => [{ at: 3, shows: [], changes: [], forgetChangesBefore: 3 }])).toBe(2)
  })
})

describe('a task', () => {
  it('is free as soon as its holder is gone, and the old holder cannot commit any more', async () => {
    const url = await testSchema()
    const [first, second] = [await aNode(url, temporaryFolder()), await aNode(url, temporaryFolder())]
    onTestFinished(async () => {
      await first.close()
      await second.close()
    })
    // Advisory locks belong to a database: tests that run beside this one do not take this task.
    expect(await first.tasks.acquire('copy', 1, 'a feed')).toBeUndefined()
    expect(await second.tasks.acquire('copy', 2, 'another')).toMatchObject({ what: 'a feed' })
    const { pid } = (await (await first.connect()).query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0] ?? {}
    await (await aSession(url)).query('SELECT pg_terminate_backend($1, 5000)', [pid])
    expect(await second.tasks.acquire('copy', 3, 'another')).toBeUndefined()
    const late = first.commit(() => [{ at: 2, shows: [], changes: [], forgetChangesBefore: 2 }])
    await expect(late).rejects.toThrow(DatabaseUnavailableError)
  })

  it.each([
    ['the session is lost', 'SELECT pg_terminate_backend($1, 5000)'],
    ['the statement is cancelled', 'SELECT pg_cancel_backend($1)'],
  ])('can be acquired later if %s while it is being acquired', async (_, interrupt) => {
    const url = await testSchema()
    const [first, second] = [await aNode(url, temporaryFolder()), await aNode(url, temporaryFolder())]
    onTestFinished(async () => {
      await first.close()
      await second.close()
    })
    const [{ pid } = {}] = await (await first.connect()).query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const [blocker, observer] = [await aSession(url), await aSession(url)]
    await blocker.query('BEGIN')
    await blocker.query('LOCK TABLE marquee_tasks IN EXCLUSIVE MODE')
    const taking = first.tasks.acquire('copy', 1, 'a feed').then(
      () => 'taken',
      (error: Error) => error.message,
    )
    await eventually(async () => {
      const waiting = await observer.query(
        `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'`,
        [pid],
      )
      return waiting.length > 0 || undefined
    })
    await observer.query(interrupt, [pid])
    expect(await taking).toMatch(/terminat|cancel/)
    await blocker.query('ROLLBACK')
    expect(await second.tasks.acquire('copy', 2, 'another')).toBeUndefined()
    await second.tasks.release('copy')
    expect(await first.tasks.acquire('copy', 3, 'a feed')).toBeUndefined()
    await first.tasks.release('copy')
  })
})
