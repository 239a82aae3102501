import { formatAgo, formatSpan } from '../i18n/measures.ts'
import { Badge } from '../ui/badge.tsx'
import { Notice } from '../ui/notice.tsx'
import { Table } from '../ui/table.tsx'
import { operatorMessages } from './messages.ts'
import type { OperatorStatus, ScheduledSource } from './operator-status.ts'

interface ScheduleProps {
  readonly schedule: OperatorStatus['schedule']
  readonly now: number
}

/** Sources that the service fetches by itself: when, and with what success. Nothing where there are none. */
export function Schedule({ schedule: { sources, problem }, now }: ScheduleProps) {
  const { schedule: t, sources: names } = operatorMessages.current
  if (problem !== undefined) {
    return (
      <Notice kind="bad" title={t.unusable}>
        <p>{problem}</p>
      </Notice>
    )
  }
  if (sources.length === 0) return null
  return (
    <section class="stack">
      <h2>{t.title}</h2>
      <p class="soft">{t.lead}</p>
      <Table caption={t.title} head={[names.source, t.state, t.lastRun, t.next, t.every]}>
        {sources.map((source) => (
          <tr key={source.name}>
            <th scope="row">{source.name}</th>
            <td>
              <State source={source} />
              {source.problem !== undefined && <p class="audit-details">{source.problem}</p>}
            </td>
            <td class="nowrap">{source.lastRunAt === undefined ? t.never : formatAgo(source.lastRunAt, now)}</td>
            <td class="nowrap">
              {source.nextRunAt === undefined || source.nextRunAt <= now ? t.now : formatAgo(source.nextRunAt, now)}
            </td>
            <td class="nowrap">{formatSpan(source.every)}</td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

function State({ source: { running, stale, lastOutcome } }: { source: ScheduledSource }) {
  const t = operatorMessages.current.schedule
  return (
    <span class="source-counts">
      {running && <Badge kind="accent">{t.running}</Badge>}
      {lastOutcome !== undefined && (
        <Badge kind={lastOutcome === 'failed' ? 'bad' : 'good'}>{t.outcomes[lastOutcome]}</Badge>
      )}
      {stale && <Badge kind="warn">{t.stale}</Badge>}
      {!running && lastOutcome === undefined && <Badge>{t.never}</Badge>}
    </span>
  )
}
