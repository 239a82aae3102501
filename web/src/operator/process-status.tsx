import { useFormats, useMessages } from '../app/context.ts'
import { Badge } from '../components/feedback.tsx'
import { Table } from '../components/table.tsx'
import { operatorMessages } from '../messages/tables.ts'
import type { ProcessStatus, WindowSchedulerStatus } from './operator-status.ts'

/** The processes with their memory. */
export function ProcessTable({ processes, now }: { processes: readonly ProcessStatus[]; now: number }) {
  const format = useFormats()
  const t = useMessages(operatorMessages).processes
  const greatest = Math.max(1, ...processes.map(({ residentBytes }) => residentBytes))
  return (
    <Table caption={t.title} isRecords={true} isCaptionSeen={true} head={[t.process, t.role, t.since, t.memory]}>
      {processes.map(({ pid, role, startedAt, residentBytes }) => (
        <tr key={pid}>
          <th scope="row">{pid}</th>
          <td data-label={t.role}>{t.roles[role]}</td>
          <td data-label={t.since}>{format.duration(Math.max(0, now - startedAt))}</td>
          <td data-label={t.memory}>
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

/** The window scheduler runs at least every 30 seconds; much longer means that it is blocked. */
const LATE_SECONDS = 120

/** The window scheduler: state, work done, and next window. */
export function WindowSchedulerCard({ scheduler, now }: { scheduler: WindowSchedulerStatus; now: number }) {
  const format = useFormats()
  const t = useMessages(operatorMessages).windowScheduler
  const { lastRunAt, nextWindowAt, settledShows, failures, lastFailure } = scheduler
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
            <Badge kind={lastRunAt === undefined ? 'plain' : 'good'}>{lastRunAt === undefined ? '–' : t.active}</Badge>
          )}
        </dd>
        <dt>{t.lastRun}</dt>
        <dd>{lastRunAt === undefined ? t.notHere : format.ago(lastRunAt, now)}</dd>
        <dt>{t.next}</dt>
        <dd>{nextWindowAt === undefined ? t.noWindow : format.instant(nextWindowAt)}</dd>
        <dt>{t.updated}</dt>
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
