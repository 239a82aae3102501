import type { Session } from '../../lib/postgres/session.ts'
import { firstKeptDay } from '../quota-counts.ts'
import { KEPT_SECONDS, USAGE_SPANS } from '../usage-book.ts'

/** How long it is remembered what a process has settled last. */
const SETTLERS_KEPT = '30 days'

/** How long rows that are gone are told of; a copy that is older is made anew. */
const GONE_KEPT = '30 days'

/** Lets go of counts of periods that are too old. */
export async function pruneQuota(session: Session, now: number): Promise<void> {
  await session.query('DELETE FROM marquee_quota WHERE period < left($1, length(period))', [firstKeptDay(now)])
}

/** Lets go of hours and days that are too old, and of what was kept for nodes that slept. */
export async function pruneUsage(session: Session, now: number): Promise<void> {
  for (const span of USAGE_SPANS) {
    await session.query('DELETE FROM marquee_usage WHERE span = $1 AND start < $2', [span, now - KEPT_SECONDS[span]])
  }
  await session.query(`DELETE FROM marquee_settlers WHERE seen < now() - interval '${SETTLERS_KEPT}'`)
  await session.transaction(async () => {
    await session.query('SELECT 1 FROM marquee_account_head WHERE only_row = 1 FOR UPDATE')
    await session.query(
      `UPDATE marquee_account_head SET first_revision = greatest(first_revision, (
         SELECT coalesce(max(revision), 0) FROM marquee_account_rows
         WHERE body IS NULL AND changed < now() - interval '${GONE_KEPT}'))`,
    )
    await session.query(
      `DELETE FROM marquee_account_rows WHERE body IS NULL AND changed < now() - interval '${GONE_KEPT}'`,
    )
  })
}
