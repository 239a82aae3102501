import { randomUUID } from 'node:crypto'
import type { ReconnectingSession } from '../../lib/postgres/reconnecting-session.ts'
import { DatabaseUnavailableError, type Session } from '../../lib/postgres/session.ts'
import { type QuotaDelta, quotaKey } from '../metering/quota-counters.ts'
import { type AccountEnvironment, type CounterFlush, outboxKey } from '../store/account-tables.ts'
import type { UsageDelta } from '../usage/usage-store.ts'
import { applyFlush, putUsageRows, type QuotaTotals, type UsageRow } from './counter-tables.ts'

/**
 * Settles what one process counted with the counts of all. While PostgreSQL is away, settlements are kept in the node's
 * own tables, and what the node itself counts goes on from the totals that it last knew. They are sent later, each once:
 * also one of which it is not known whether it had arrived.
 */
export class CounterFlusher {
  private readonly environment: AccountEnvironment
  private readonly link: ReconnectingSession
  private readonly id = randomUUID()
  private number = 0
  private last: Promise<unknown> = Promise.resolve()

  constructor(environment: AccountEnvironment, link: ReconnectingSession) {
    this.environment = environment
    this.link = link
  }

  /** Settles, and returns the totals of all deltas of quotas, in the same order. */
  flush(quota: readonly QuotaDelta[], usage: readonly UsageDelta[]): Promise<number[]> {
    // One that could not be sent must be kept before the next one is: of two settlements of one process the later number
    // tells that the earlier one is done.
    const mine = this.last.then(() => this.flushNext(quota, usage))
    this.last = mine.catch(() => {})
    return mine
  }

  private async flushNext(quota: readonly QuotaDelta[], usage: readonly UsageDelta[]): Promise<number[]> {
    const settlement = { settler: this.id, number: ++this.number, quota, usage }
    try {
      await this.link.use(async (session) => {
        await this.drainOutbox(session, this.id)
        const { totals, usage: rows } = await applyFlush(session, settlement)
        await this.putLocal(totals, rows)
      })
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error
      await this.enqueue(settlement)
    }
    const { quota: known } = this.environment.tables
    return quota.map(({ owner, period }) => known.get(quotaKey(owner, period)) ?? 0)
  }

  /** Sends what was kept while PostgreSQL was away: that of one process, or of all of this node. */
  async drainOutbox(session: Session, settler = ''): Promise<number> {
    const { outbox } = this.environment.tables
    const kept = [...outbox.getRange(settler === '' ? {} : { start: `${settler}/`, end: `${settler}/~` })]
    for (const { key, value } of kept) {
      const { totals, usage } = await applyFlush(session, value)
      await this.putLocal(totals, usage)
      await outbox.remove(key)
    }
    return kept.length
  }

  private putLocal(totals: QuotaTotals, usage: readonly UsageRow[]): Promise<void> {
    const { root, tables } = this.environment
    return root.transaction(() => {
      for (const [key, total] of totals) tables.quota.put(key, total)
      putUsageRows(tables, usage)
    })
  }

  private enqueue(settlement: CounterFlush): Promise<void> {
    const { root, tables } = this.environment
    return root.transaction(() => {
      tables.outbox.put(outboxKey(settlement), settlement)
      for (const { owner, period, requests } of settlement.quota) {
        const key = quotaKey(owner, period)
        tables.quota.put(key, (tables.quota.get(key) ?? 0) + requests)
      }
    })
  }
}
