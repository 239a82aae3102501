import { formatNumber } from '../i18n/formats.ts'
import { formatAgo, formatInstant } from '../i18n/measures.ts'
import { Badge } from '../ui/badge.tsx'
import { operatorMessages } from './messages.ts'
import type { KeeperStatus } from './operator-status.ts'

/** The keeper looks at least every 30 seconds; much longer means that something holds it up. */
const LATE_SECONDS = 120

/** The keeper: whether it is awake, what it did, and what it waits for. */
export function KeeperCard({ keeper, now }: { keeper: KeeperStatus; now: number }) {
  const t = operatorMessages.current.keeper
  const { lastRunAt, nextWindowAt, settledShows, failures, lastFailure } = keeper
  const isFailing = lastFailure !== undefined && lastFailure.at > (lastRunAt ?? 0)
  const isLate = lastRunAt !== undefined && now - lastRunAt > LATE_SECONDS
  return (
    <section class="card stack">
      <h2>{t.title}</h2>
      <p class="soft">{t.lead}</p>
      <dl class="facts">
        <dt>{t.state}</dt>
        <dd>
          {isFailing ? (
            <Badge kind="bad">{t.failing}</Badge>
          ) : isLate ? (
            <Badge kind="warn">{t.late}</Badge>
          ) : (
            <Badge kind={lastRunAt === undefined ? 'plain' : 'good'}>{lastRunAt === undefined ? '–' : t.good}</Badge>
          )}
        </dd>
        <dt>{t.lastRun}</dt>
        <dd>{lastRunAt === undefined ? t.notHere : formatAgo(lastRunAt, now)}</dd>
        <dt>{t.next}</dt>
        <dd>{nextWindowAt === undefined ? t.noWindow : formatInstant(nextWindowAt)}</dd>
        <dt>{t.settled}</dt>
        <dd>{formatNumber(settledShows)}</dd>
        <dt>{t.failures}</dt>
        <dd>{formatNumber(failures)}</dd>
        {lastFailure !== undefined && (
          <>
            <dt>{t.lastFailure}</dt>
            <dd>
              {formatInstant(lastFailure.at)}: {lastFailure.message}
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}
