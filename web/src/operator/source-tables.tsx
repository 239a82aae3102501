import { useFormats, useMessages } from '../app/context.ts'
import { Badge, Notice } from '../components/feedback.tsx'
import { Table } from '../components/table.tsx'
import { operatorMessages } from '../messages/tables.ts'
import type { OperatorStatus, ScheduledSource, SourceStatus } from './operator-status.ts'

/** The sources with their last import: age, changes and notices. */
export function SourceTable({ sources, now }: { sources: readonly SourceStatus[]; now: number }) {
  const format = useFormats()
  const t = useMessages(operatorMessages).sources
  return (
    <Table
      caption={t.title}
      isCaptionSeen={true}
      head={[t.source, t.lastImport, t.kind, t.read, t.changed, t.notices, t.offers]}
    >
      {sources.map(({ name, offers, lastImport }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td class="nowrap" title={format.instant(lastImport.at)}>
            {format.ago(lastImport.at, now)}
          </td>
          <td>
            {t.kinds[lastImport.mode]} {!lastImport.complete && <Badge kind="bad">{t.cut}</Badge>}
          </td>
          <td>{format.number(lastImport.shows)}</td>
          <td>
            <Counts counts={lastImport.changes} names={t.changes} none={t.nothing} />
          </td>
          <td>
            <Counts counts={lastImport.notices} names={{}} none={t.none} kind="warn" />
          </td>
          <td>{format.number(offers)}</td>
        </tr>
      ))}
    </Table>
  )
}

interface CountsProps {
  readonly counts: Readonly<Record<string, number>>
  readonly names: Readonly<Record<string, string>>
  readonly none: string
  readonly kind?: 'plain' | 'warn'
}

function Counts({ counts, names, none, kind = 'plain' }: CountsProps) {
  const format = useFormats()
  const there = Object.entries(counts).filter(([, count]) => count > 0)
  if (there.length === 0) return <>{none}</>
  return (
    <ul class="source-counts">
      {there.map(([name, count]) => (
        <li key={name}>
          <Badge kind={kind}>
            {format.number(count)} {names[name] ?? name}
          </Badge>
        </li>
      ))}
    </ul>
  )
}

interface ScheduleProps {
  readonly schedule: OperatorStatus['schedule']
  readonly now: number
}

/** Scheduled sources with their last and next run. */
export function Schedule({ schedule: { sources, problem }, now }: ScheduleProps) {
  const format = useFormats()
  const { schedule: t, sources: names } = useMessages(operatorMessages)
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
            <td class="nowrap">{source.lastRunAt === undefined ? t.never : format.ago(source.lastRunAt, now)}</td>
            <td class="nowrap">
              {source.nextRunAt === undefined || source.nextRunAt <= now ? t.now : format.ago(source.nextRunAt, now)}
            </td>
            <td class="nowrap">{format.duration(source.every)}</td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

function State({ source: { running, stale, lastOutcome } }: { source: ScheduledSource }) {
  const t = useMessages(operatorMessages).schedule
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
