import { useFormats, useMessages } from '../app/context.ts'
import { Badge } from '../components/feedback.tsx'
import { Table } from '../components/table.tsx'
import { operatorMessages } from '../messages/tables.ts'
import type { ProcessStatus, WindowSchedulerStatus } from './operator-status.ts'

/** The processes of the service, and what they take. */
export function ProcessTable({ processes, now }: { processes: readonly ProcessStatus[]; now: number }) {
  const format = useFormats()
  const t = useMessages(operatorMessages).processes
  const greatest = Math.max(1, ...processes.map(({ residentBytes }) => residentBytes))
  return (
    <Table caption={t.title} isCaptionSeen={true} head={[t.process, t.role, t.since, t.memory]}>
      {processes.map(({ pid, role, startedAt, residentBytes }) => (
        <tr key={pid}>
          <th scope="row">{pid}</th>
          <td>{t.roles[role]}</td>
          <td>{format.duration(Math.max(0, now - startedAt))}</td>
          <td>
            {format.bytes(residentBytes)}
            <span
              class="memory-bar"
              aria-hidden="true"
              style={{ '--share': `${Math.round((residentBytes / greatest) * 100)}%` }}
            />
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** The keeper looks at least every 30 seconds; much longer means that something holds it up. */
const LATE_SECONDS = 120

/** The keeper: whether it is awake, what it did, and what it waits for. */
export function WindowSchedulerCard({ keeper, now }: { keeper: WindowSchedulerStatus; now: number }) {
  const format = useFormats()
  const t = useMessages(operatorMessages).keeper
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
        <dd>{lastRunAt === undefined ? t.notHere : format.ago(lastRunAt, now)}</dd>
        <dt>{t.next}</dt>
        <dd>{nextWindowAt === undefined ? t.noWindow : format.instant(nextWindowAt)}</dd>
        <dt>{t.settled}</dt>
        <dd>{format.number(settledShows)}</dd>
        <dt>{t.failures}</dt>
        <dd>{format.number(failures)}</dd>
        {lastFailure !== undefined && (
          <>
            <dt>{t.lastFailure}</dt>
            <dd>
              {format.instant(lastFailure.at)}: {lastFailure.message}
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}
