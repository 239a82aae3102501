import { useState } from 'preact/hooks'
import { useFormats, useHref, useMessages, useNavigate } from '../app/context.ts'
import { Button } from '../components/button.tsx'
import { Badge, Notice } from '../components/feedback.tsx'
import { RowFilter } from '../components/row-filter.tsx'
import { Table } from '../components/table.tsx'
import { operatorMessages } from '../messages/tables.ts'
import { useSession } from '../platform/session.ts'
import { ErrorNotice, useSubmit } from '../platform/submit.tsx'
import type { OperatorStatus, ScheduledSource, SourceStatus } from './operator-status.ts'

interface SourceTableProps {
  readonly sources: readonly SourceStatus[]
  readonly now: number
}

/** The sources with their last import: age, changes and notices. An admin can remove one with all that it has said. */
export function SourceTable({ sources, now }: SourceTableProps) {
  const session = useSession()
  const submit = useSubmit()
  const format = useFormats()
  const hrefTo = useHref()
  const navigate = useNavigate()
  const t = useMessages(operatorMessages).sources
  const remove = async (source: string) => {
    await session.fetch({ method: 'POST', path: '/operator/removals', body: { source } })
    // Its progress is there.
    navigate(hrefTo('/operator/data'))
  }
  return (
    <>
      <ErrorNotice error={submit.error} />
      <RowFilter rows={sources} textsOf={({ name, lastImport }) => [name, t.kinds[lastImport.mode]]} label={t.search}>
        {(found) => (
          <Table
            caption={t.title}
            isRecords={true}
            isCaptionSeen={true}
            head={[t.source, t.lastImport, t.kind, t.read, t.changed, t.notices, t.offers, t.actions]}
          >
            {found.map(({ name, offers, lastImport }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td data-label={t.lastImport} class="nowrap" title={format.instant(lastImport.at)}>
                  {format.ago(lastImport.at, now)}
                </td>
                <td data-label={t.kind}>
                  {t.kinds[lastImport.mode]} {!lastImport.complete && <Badge kind="bad">{t.cut}</Badge>}
                </td>
                <td data-label={t.read}>{format.number(lastImport.shows)}</td>
                <td data-label={t.changed}>
                  <Counts counts={lastImport.changes} names={t.changes} none={t.nothing} />
                </td>
                <td data-label={t.notices}>
                  <Counts counts={lastImport.notices} names={{}} none={t.none} kind="warn" />
                </td>
                <td data-label={t.offers}>{format.number(offers)}</td>
                <td data-label={t.actions}>
                  <ConfirmButton
                    label={t.remove}
                    confirmation={t.confirmRemove}
                    name={name}
                    onConfirm={() => void submit.run(() => remove(name))}
                  />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </RowFilter>
    </>
  )
}

interface ConfirmButtonProps {
  readonly label: string
  /** Shown after the first click; the second one does it. */
  readonly confirmation: string
  /** What it is about, for screen readers. */
  readonly name: string
  readonly onConfirm: () => void
}

function ConfirmButton({ label, confirmation, name, onConfirm }: ConfirmButtonProps) {
  const [isAsked, setAsked] = useState(false)
  const text = isAsked ? confirmation : label
  return (
    <Button
      kind={isAsked ? 'danger' : 'plain'}
      aria-label={`${text}: ${name}`}
      onBlur={() => setAsked(false)}
      onClick={() => {
        setAsked(!isAsked)
        if (isAsked) onConfirm()
      }}
    >
      {text}
    </Button>
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
  /** Called after a change, so that the status is fetched again. */
  readonly onChanged: () => void
}

/** Scheduled sources with their last and next run; an admin can run, pause and resume them. */
export function Schedule({ schedule: { sources, problem }, now, onChanged }: ScheduleProps) {
  const session = useSession()
  const submit = useSubmit()
  const format = useFormats()
  const { schedule: t, sources: names } = useMessages(operatorMessages)
  const control = (name: string, action: 'run' | 'pause' | 'resume') =>
    submit.run(async () => {
      await session.fetch({ method: 'POST', path: `/operator/sources/${encodeURIComponent(name)}`, body: { action } })
      onChanged()
    })
  const unschedule = (name: string) =>
    submit.run(async () => {
      await session.fetch({ method: 'DELETE', path: `/operator/sources/${encodeURIComponent(name)}` })
      onChanged()
    })
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
      <ErrorNotice error={submit.error} />
      <RowFilter rows={sources} textsOf={({ name, problem }) => [name, problem]} label={names.search}>
        {(found) => (
          <Table
            caption={t.title}
            isRecords={true}
            head={[names.source, t.state, t.lastRun, t.next, t.every, t.actions]}
          >
            {found.map((source) => (
              <tr key={source.name}>
                <th scope="row">{source.name}</th>
                <td data-label={t.state}>
                  <State source={source} />
                  {source.problem !== undefined && <p class="audit-details">{source.problem}</p>}
                </td>
                <td data-label={t.lastRun} class="nowrap">
                  {source.lastRunAt === undefined ? t.never : format.ago(source.lastRunAt, now)}
                </td>
                <td data-label={t.next} class="nowrap">
                  <NextRun source={source} now={now} />
                </td>
                <td data-label={t.every} class="nowrap">
                  {format.duration(source.every)}
                </td>
                <td data-label={t.actions} class="nowrap">
                  <Button
                    isOff={source.running || source.runRequestedAt !== undefined}
                    onClick={() => control(source.name, 'run')}
                    aria-label={`${t.run}: ${source.name}`}
                  >
                    {t.run}
                  </Button>{' '}
                  <PauseButton source={source} onClick={(action) => control(source.name, action)} />{' '}
                  <ConfirmButton
                    label={t.unschedule}
                    confirmation={t.confirmUnschedule}
                    name={source.name}
                    onConfirm={() => unschedule(source.name)}
                  />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </RowFilter>
    </section>
  )
}

function NextRun({ source, now }: { source: ScheduledSource; now: number }) {
  const format = useFormats()
  const t = useMessages(operatorMessages).schedule
  const { nextRunAt, pausedAt, runRequestedAt } = source
  if (runRequestedAt === undefined && pausedAt !== undefined) return <>{t.pausedSince(format.ago(pausedAt, now))}</>
  return (
    <>
      {nextRunAt === undefined || runRequestedAt !== undefined || nextRunAt <= now ? t.now : format.ago(nextRunAt, now)}
    </>
  )
}

interface PauseButtonProps {
  readonly source: ScheduledSource
  readonly onClick: (action: 'pause' | 'resume') => void
}

function PauseButton({ source: { name, pausedAt }, onClick }: PauseButtonProps) {
  const t = useMessages(operatorMessages).schedule
  const action = pausedAt === undefined ? 'pause' : 'resume'
  return (
    <Button onClick={() => onClick(action)} aria-label={`${t[action]}: ${name}`}>
      {t[action]}
    </Button>
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
