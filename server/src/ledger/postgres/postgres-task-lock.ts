import { randomUUID } from 'node:crypto'
import type { Session } from '../../lib/postgres/session.ts'
import { currentHolder, type Task, type TaskHolder, type TaskLock } from '../ledger.ts'

/** Advisory locks have numbers instead of names: one for this program, one for the task. */
const LOCK_CLASS = 0x4d51
const LOCK_IDS: Readonly<Record<Task | 'probe', number>> = { probe: 0, import: 1, keep: 2, copy: 3 }

/** Where there are no advisory locks: how long a task stays with a process that is not heard of, and how often one is. */
const LEASE_SECONDS = 30
const RENEW_INTERVAL_MS = 10_000

/**
 * Tasks across machines. PostgreSQL's advisory locks belong to a session and end with it, so a task is free as soon as
 * its holder is dead. Databases that only pretend to have such locks get leases instead: rows that are renewed.
 */
export class PostgresTaskLock implements TaskLock {
  /** Tells this holder of leases from others. */
  private readonly token = randomUUID()
  private readonly connect: () => Promise<Session>
  private readonly openSession: () => Promise<Session>
  private readonly held = new Map<Task, TaskHolder>()
  private advisory: boolean | undefined
  private renewTimer: NodeJS.Timeout | undefined

  /** `connect` gives the session that tasks are held with, `openSession` another one. */
  constructor(connect: () => Promise<Session>, connectAnew: () => Promise<Session>) {
    this.connect = connect
    this.openSession = connectAnew
  }

  /** Whether the loss of the session would be the loss of a task. */
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
    // A task counts as held only once all of this is done: what failed halfway is tried again.
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
      // With the session gone there is nothing left to be released.
    }
  }

  async holder(task: Task): Promise<TaskHolder | undefined> {
    const own = this.held.get(task)
    if (own !== undefined) return own
    const session = await this.connect()
    this.advisory ??= await this.hasAdvisoryLocks(session)
    if (!this.advisory) return readHolder(session, task, 'AND expires > now()')
    // The note of a holder that died stays behind; its lock does not.
    if (!(await tryLock(session, task))) return readHolder(session, task)
    await unlock(session, task)
    return undefined
  }

  /** Throws if a task that is held is another's by now. Within a transaction it stays ours until that ends. */
  async assertHeld(session: Session): Promise<void> {
    // An advisory lock cannot be lost but with the session.
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
    // A lease that cannot be renewed is noticed by the next commit.
    renewed().catch(() => {})
  }

  /** Says who holds the lock of a task; gives the lock back where that cannot be said. */
  private async writeHolder(session: Session, task: Task, holder: TaskHolder): Promise<void> {
    try {
      await session.query(
        `INSERT INTO marquee_tasks VALUES ($1, $2, $3, 'infinity') ON CONFLICT (task)
         DO UPDATE SET token = excluded.token, holder = excluded.holder, expires = excluded.expires`,
        [task, this.token, JSON.stringify(holder)],
      )
    } catch (error) {
      // Where the session is lost, the lock is, too.
      await unlock(session, task).catch(() => {})
      throw error
    }
  }

  /** Whether a lock of one session keeps another one out. */
  private async hasAdvisoryLocks(session: Session): Promise<boolean> {
    const other = await this.openSession()
    try {
      // If somebody else is asking the same at this moment, that is an answer, too.
      if (!(await tryLock(session, 'probe'))) return true
      const both = await tryLock(other, 'probe')
      await unlock(session, 'probe')
      return !both
    } catch (error) {
      // Such a function is not known there.
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
