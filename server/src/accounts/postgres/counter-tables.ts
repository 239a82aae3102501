import { randomUUID } from 'node:crypto'
import { Mutex } from '../../lib/mutex.ts'
import type { ReconnectingSession } from '../../lib/postgres/database.ts'
import { DatabaseUnavailableError, type Session } from '../../lib/postgres/session.ts'
import type { AccountEnvironment, AccountTables, CounterFlush } from '../store/account-tables.ts'
import { firstRetainedDay, usageKey, usageTable } from '../store/local-counters.ts'
import { type QuotaDelta, quotaKey } from '../store/quota-store.ts'
import {
  addUsageRecords,
  type KeyUse,
  mergeKeyUse,
  RETENTION_SECONDS,
  SPAN_SECONDS,
  USAGE_SPANS,
  type UsageDelta,
  type UsageRecord,
} from '../store/usage-store.ts'

/** Quota totals by storage key: owner and period. */
export type QuotaTotals = ReadonlyMap<string, number>

/** A row of usage: of an hour, of a day, or, with start 0, the last use. */
export interface UsageRow {
  readonly span: 'hour' | 'day' | 'use'
  readonly keyId: string
  readonly start: number
  readonly body: string
}

/** Applies a flush unless it is applied already, and returns the new totals and usage rows. */
function applyFlush(
  session: Session,
  { settler, number, quota, usage }: CounterFlush,
): Promise<{ totals: QuotaTotals; usage: readonly UsageRow[] }> {
  return session.transaction(async () => {
    const first = await session.query(
      `INSERT INTO marquee_settlers AS known VALUES ($1, $2, now()) ON CONFLICT (id)
       DO UPDATE SET last = excluded.last, seen = excluded.seen WHERE known.last < excluded.last RETURNING last`,
      [settler, number],
    )
    const isNew = first.length > 0
    return {
      totals: await incrementQuota(session, isNew ? quota : quota.map((delta) => ({ ...delta, requests: 0 }))),
      usage: isNew ? await mergeUsage(session, usage) : [],
    }
  })
}

async function incrementQuota(session: Session, deltas: readonly QuotaDelta[]): Promise<QuotaTotals> {
  const sums = new Map<string, QuotaDelta>()
  for (const delta of deltas) {
    const key = quotaKey(delta.owner, delta.period)
    sums.set(key, { ...delta, requests: delta.requests + (sums.get(key)?.requests ?? 0) })
  }
  if (sums.size === 0) return new Map()
  // Sorted, so that two processes lock rows in the same order and cannot deadlock.
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, delta]) => delta)
  const totals = await session.query<{ owner: string; period: string; requests: number }>(
    `INSERT INTO marquee_quota AS known SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
     ON CONFLICT (owner, period) DO UPDATE SET requests = known.requests + excluded.requests
     RETURNING owner, period, requests`,
    [rows.map(({ owner }) => owner), rows.map(({ period }) => period), rows.map(({ requests }) => requests)],
  )
  return new Map(totals.map(({ owner, period, requests }) => [quotaKey(owner, period), requests]))
}

type Merge = (body: string) => string

async function mergeUsage(session: Session, deltas: readonly UsageDelta[]): Promise<UsageRow[]> {
  const merges = new Map<string, { row: Omit<UsageRow, 'body'>; merge: Merge[] }>()
  const note = (span: UsageRow['span'], keyId: string, start: number, merge: Merge) => {
    const name = `${span} ${keyId} ${start}`
    const known = merges.get(name)
    if (known === undefined) merges.set(name, { row: { span, keyId, start }, merge: [merge] })
    else known.merge.push(merge)
  }
  for (const delta of deltas) {
    for (const span of USAGE_SPANS) {
      const start = delta.at - (delta.at % SPAN_SECONDS[span])
      note(span, delta.keyId, start, (body) => {
        return JSON.stringify(addUsageRecords(JSON.parse(body) as UsageRecord, delta.usage))
      })
    }
    note('use', delta.keyId, 0, (body) => {
      return JSON.stringify(mergeKeyUse(body === '{}' ? undefined : (JSON.parse(body) as KeyUse), delta))
    })
  }
  if (merges.size === 0) return []
  const touched = [...merges].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
  const places = [
    touched.map(({ row }) => row.span),
    touched.map(({ row }) => row.keyId),
    touched.map(({ row }) => row.start),
  ]
  await session.query(
    `INSERT INTO marquee_usage (span, key_id, start, body)
     SELECT span, key_id, start, '{}' FROM unnest($1::text[], $2::text[], $3::bigint[]) AS touched (span, key_id, start)
     ON CONFLICT DO NOTHING`,
    places,
  )
  const bodies = await session.query<{ span: string; keyId: string; start: number; body: string }>(
    `SELECT known.span, known.key_id AS "keyId", known.start, known.body FROM marquee_usage known
     JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS touched (span, key_id, start)
       ON known.span = touched.span AND known.key_id = touched.key_id AND known.start = touched.start
     ORDER BY known.span, known.key_id, known.start FOR UPDATE OF known`,
    places,
  )
  const before = new Map(bodies.map(({ span, keyId, start, body }) => [`${span} ${keyId} ${start}`, body]))
  const rows = touched.map(({ row, merge }): UsageRow => {
    const body = before.get(`${row.span} ${row.keyId} ${row.start}`) ?? '{}'
    return { ...row, body: merge.reduce((merged, one) => one(merged), body) }
  })
  await session.query(
    `UPDATE marquee_usage SET body = touched.body, changed = clock_timestamp()
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) AS touched (span, key_id, start, body)
     WHERE marquee_usage.span = touched.span AND marquee_usage.key_id = touched.key_id
       AND marquee_usage.start = touched.start`,
    [...places, rows.map(({ body }) => body)],
  )
  return rows
}

/** Puts usage rows into the local tables. Must run in a transaction. */
export function putUsageRows(tables: AccountTables, rows: readonly UsageRow[]): void {
  for (const { span, keyId, start, body } of rows) {
    if (span === 'use') tables.uses.put(keyId, JSON.parse(body) as KeyUse)
    else usageTable(tables, span).put(usageKey(keyId, start), JSON.parse(body) as UsageRecord)
  }
}

/** How long the last sequence number of a process is kept. */
const FLUSHER_RETENTION = '30 days'

/** How long tombstones are kept. An older replica is replaced. */
const TOMBSTONE_RETENTION = '30 days'

/** Deletes quota counters past their retention. */
export async function pruneQuota(session: Session, now: number): Promise<void> {
  await session.query('DELETE FROM marquee_quota WHERE period < left($1, length(period))', [firstRetainedDay(now)])
}

/** Deletes usage past its retention, and old sequence numbers and tombstones. */
export async function pruneUsage(session: Session, now: number): Promise<void> {
  for (const span of USAGE_SPANS) {
    await session.query('DELETE FROM marquee_usage WHERE span = $1 AND start < $2', [
      span,
      now - RETENTION_SECONDS[span],
    ])
  }
  await session.query(`DELETE FROM marquee_settlers WHERE seen < now() - interval '${FLUSHER_RETENTION}'`)
  await session.transaction(async () => {
    await session.query('SELECT 1 FROM marquee_account_head WHERE only_row = 1 FOR UPDATE')
    await session.query(
      `UPDATE marquee_account_head SET first_revision = greatest(first_revision, (
         SELECT coalesce(max(revision), 0) FROM marquee_account_rows
         WHERE body IS NULL AND changed < now() - interval '${TOMBSTONE_RETENTION}'))`,
    )
    await session.query(
      `DELETE FROM marquee_account_rows WHERE body IS NULL AND changed < now() - interval '${TOMBSTONE_RETENTION}'`,
    )
  })
}

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
