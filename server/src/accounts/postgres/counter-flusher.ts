import { randomUUID } from 'node:crypto'
import { Mutex } from '../../lib/mutex.ts'
import type { ReconnectingSession } from '../../lib/postgres/reconnecting-session.ts'
import { DatabaseUnavailableError, type Session } from '../../lib/postgres/session.ts'
import type { AccountEnvironment, CounterFlush } from '../store/account-tables.ts'
import { type QuotaDelta, quotaKey } from '../store/quota-store.ts'
import type { UsageDelta } from '../store/usage-store.ts'
import { applyFlush, putUsageRows, type QuotaTotals, type UsageRow } from './counter-tables.ts'

/**
 * Flushes the counters of one process to PostgreSQL. While it is unavailable, flushes are stored in the node's outbox
 * and added to the totals that the node knows. They are sent later, and each is applied exactly once, even if the
 * first attempt may have succeeded: PostgreSQL remembers the last sequence number of each process.
 */
export class CounterFlusher {
  private readonly environment: AccountEnvironment
  private readonly link: ReconnectingSession
  private readonly id = randomUUID()
  private number = 0
  private readonly mutex = new Mutex()

  constructor(environment: AccountEnvironment, link: ReconnectingSession) {
    this.environment = environment
    this.link = link
  }

  /** Flushes deltas and returns the new totals of the quota deltas in the same order. */
  flush(quota: readonly QuotaDelta[], usage: readonly UsageDelta[]): Promise<number[]> {
    // One at a time: a failed flush must be in the outbox before the next one is sent, as a higher sequence number
    // tells PostgreSQL that all lower ones are applied.
    return this.mutex.run(() => this.flushNext(quota, usage))
  }

  private async flushNext(quota: readonly QuotaDelta[], usage: readonly UsageDelta[]): Promise<number[]> {
    const flush: CounterFlush = { settler: this.id, number: ++this.number, quota, usage }
    let applied: QuotaTotals | undefined
    try {
      await this.link.use(async (session) => {
        await this.drainOutbox(session, this.id)
        const { totals, usage: rows } = await applyFlush(session, flush)
        applied = totals
        await this.putLocal(totals, rows)
      })
    } catch (error) {
      // PostgreSQL has the counts. If the node's disk is full, only its copy of the totals is behind until the next flush.
      if (applied === undefined) {
        if (!(error instanceof DatabaseUnavailableError)) throw error
        await this.enqueue(flush)
      }
    }
    const known = new Map(applied ?? [])
    const { quota: totals } = this.environment.tables
    return quota.map(({ owner, period }) => {
      const key = quotaKey(owner, period)
      return known.get(key) ?? totals.get(key) ?? 0
    })
  }

  /** Sends the flushes of the outbox: those of one process, or of all processes of this node. */
  async drainOutbox(session: Session, settler = ''): Promise<number> {
    const { outbox } = this.environment.tables
    const queued = [...outbox.getRange(settler === '' ? {} : { start: `${settler}/`, end: `${settler}/~` })]
    for (const { key, value } of queued) {
      const { totals, usage } = await applyFlush(session, value)
      await this.putLocal(totals, usage)
      await outbox.remove(key)
    }
    return queued.length
  }

  private putLocal(totals: QuotaTotals, usage: readonly UsageRow[]): Promise<void> {
    const { root, tables } = this.environment
    return root.transaction(() => {
      for (const [key, total] of totals) tables.quota.put(key, total)
      putUsageRows(tables, usage)
    })
  }

  private enqueue(flush: CounterFlush): Promise<void> {
    const { root, tables } = this.environment
    return root.transaction(() => {
      tables.outbox.put(outboxKey(flush), flush)
      for (const { owner, period, requests } of flush.quota) {
        const key = quotaKey(owner, period)
        tables.quota.put(key, (tables.quota.get(key) ?? 0) + requests)
      }
    })
  }
}

/** The outbox key of a flush. Zero-padded, so that the flushes of a process sort by number. */
function outboxKey({ settler, number }: CounterFlush): string {
  return `${settler}/${String(number).padStart(12, '0')}`
}
