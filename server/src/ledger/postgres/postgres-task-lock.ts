import { randomUUID } from 'node:crypto'
import type { Session } from '../../lib/postgres/session.ts'
import { currentHolder, type Task, type TaskHolder, type TaskLock } from '../ledger.ts'

/** Keys of the advisory locks: a class for this program, and an id for each task. */
const LOCK_CLASS = 0x4d51
const LOCK_IDS: Readonly<Record<Task | 'probe', number>> = { probe: 0, import: 1, keep: 2, copy: 3 }

/** Without advisory locks: the length of a lease, and how often its holder renews it. */
const LEASE_SECONDS = 30
const RENEW_INTERVAL_MS = 10_000

/**
 * Task locks across nodes. An advisory lock of PostgreSQL belongs to a session and ends with it, so a task is free as
 * soon as its holder is dead. A database whose advisory locks do not exclude gets leases instead: rows that expire
 * unless they are renewed.
 */
export class PostgresTaskLock implements TaskLock {
  /** Tells the leases of this holder from those of others. */
  private readonly token = randomUUID()
  private readonly connect: () => Promise<Session>
  private readonly openSession: () => Promise<Session>
  private readonly held = new Map<Task, TaskHolder>()
  private advisory: boolean | undefined
  private renewTimer: NodeJS.Timeout | undefined

  /** `connect` returns the session that holds tasks, `openSession` opens another one. */
  constructor(connect: () => Promise<Session>, connectAnew: () => Promise<Session>) {
    this.connect = connect
    this.openSession = connectAnew
  }

  /** Whether losing the session means losing a task. */
  get holdsAny(): boolean {
    return this.held.size > 0
  }

  async acquire(task: Task, since: number, what: string): Promise<TaskHolder | undefined> {
    const own = this.held.get(task)
    if (own !== undefined) return own
    const session = await this.connect()
    this.advisory ??= await this.hasAdvisoryLocks(session)
    const holder = currentHolder(since, what)
    const taken = this.advisory ? await tryLock(session, task) : await this.tryLease(session, task, holder)
    if (!taken) return (await readHolder(session, task)) ?? { host: '?', pid: 0, started: '', since, what: '?' }
    // The task counts as held only after the last step, so that a caller retries what failed halfway.
    if (this.advisory) await this.writeHolder(session, task, holder)
    else this.renewTimer ??= setInterval(() => this.renew(), RENEW_INTERVAL_MS).unref()
    this.held.set(task, holder)
    return undefined
  }

  async release(task: Task): Promise<void> {
    if (!this.held.delete(task)) return
    if (!this.holdsAny) {
      clearInterval(this.renewTimer)
      this.renewTimer = undefined
    }
    try {
      const session = await this.connect()
      await session.query('DELETE FROM marquee_tasks WHERE task = $1 AND token = $2', [task, this.token])
      if (this.advisory) await unlock(session, task)
    } catch {
      // The lock ended with the session.
    }
  }

  async holder(task: Task): Promise<TaskHolder | undefined> {
    const own = this.held.get(task)
    if (own !== undefined) return own
    const session = await this.connect()
    this.advisory ??= await this.hasAdvisoryLocks(session)
    if (!this.advisory) return readHolder(session, task, 'AND expires > now()')
    // The row of a holder that died stays; its lock does not. So the lock decides.
    if (!(await tryLock(session, task))) return readHolder(session, task)
    await unlock(session, task)
    return undefined
  }

  /** Throws if another process has taken over a lease. The row lock keeps the lease until the transaction ends. */
  async assertHeld(session: Session): Promise<void> {
    // An advisory lock is lost only with the session.
    if (this.advisory !== false) return
    for (const task of this.held.keys()) {
      const rows = await session.query('SELECT 1 FROM marquee_tasks WHERE task = $1 AND token = $2 FOR UPDATE', [
        task,
        this.token,
      ])
      if (rows.length === 0) throw new Error(`Another process has taken over the task ${task}`)
    }
  }

  private async tryLease(session: Session, task: Task, holder: TaskHolder): Promise<boolean> {
    const rows = await session.query(
      `INSERT INTO marquee_tasks AS known VALUES ($1, $2, $3, now() + interval '${LEASE_SECONDS} seconds')
       ON CONFLICT (task) DO UPDATE SET token = excluded.token, holder = excluded.holder, expires = excluded.expires
       WHERE known.expires <= now() OR known.token = excluded.token RETURNING task`,
      [task, this.token, JSON.stringify(holder)],
    )
    return rows.length > 0
  }

  private renew(): void {
    const renewed = async () => {
      const session = await this.connect()
      await session.query(
        `UPDATE marquee_tasks SET expires = clock_timestamp() + interval '${LEASE_SECONDS} seconds' WHERE token = $1`,
        [this.token],
      )
    }
    // If it fails, the next commit finds out in `assertHeld`.
    renewed().catch(() => {})
  }

  /** Writes who holds a lock, for others to read; releases the lock if that fails. */
  private async writeHolder(session: Session, task: Task, holder: TaskHolder): Promise<void> {
    try {
      await session.query(
        `INSERT INTO marquee_tasks VALUES ($1, $2, $3, 'infinity') ON CONFLICT (task)
         DO UPDATE SET token = excluded.token, holder = excluded.holder, expires = excluded.expires`,
        [task, this.token, JSON.stringify(holder)],
      )
    } catch (error) {
      // After a lost session there is no lock to release.
      await unlock(session, task).catch(() => {})
      throw error
    }
  }

  /** Probes whether an advisory lock of one session excludes another session. */
  private async hasAdvisoryLocks(session: Session): Promise<boolean> {
    const other = await this.openSession()
    try {
      // Another process holds the probe's lock right now: the locks exclude.
      if (!(await tryLock(session, 'probe'))) return true
      const both = await tryLock(other, 'probe')
      await unlock(session, 'probe')
      return !both
    } catch (error) {
      // undefined_function or feature_not_supported: there are no such functions.
      if (['42883', '0A000'].includes((error as { code?: string }).code ?? '')) return false
      throw error
    } finally {
      await other.close()
    }
  }
}

async function tryLock(session: Session, task: Task | 'probe'): Promise<boolean> {
  const [row] = await session.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
    LOCK_CLASS,
    LOCK_IDS[task],
  ])
  return row?.taken === true
}

async function unlock(session: Session, task: Task | 'probe'): Promise<void> {
  await session.query('SELECT pg_advisory_unlock($1, $2)', [LOCK_CLASS, LOCK_IDS[task]])
}

async function readHolder(session: Session, task: Task, condition = ''): Promise<TaskHolder | undefined> {
  const [row] = await session.query<{ holder: string }>(
    `SELECT holder FROM marquee_tasks WHERE task = $1 ${condition}`,
    [task],
  )
  return row === undefined ? undefined : (JSON.parse(row.holder) as TaskHolder)
}
