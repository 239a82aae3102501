import { useFormats, useHref, useMessages } from '../app/context.ts'
import { ButtonLink } from '../components/button.tsx'
import { Badge, Notice } from '../components/feedback.tsx'
import { operatorMessages } from '../messages/tables.ts'

/** A job that an admin started, as `/platform/operator/jobs` reports it. */
export interface OperatorJob {
  readonly id: string
  readonly kind: 'import' | 'demo' | 'remove'
  readonly what: string
  readonly startedAt: number
  readonly endedAt?: number
  readonly state: 'running' | 'done' | 'failed'
  readonly progress?: { readonly label: string; readonly done: number; readonly fraction?: number }
  /** The last line that the command printed. */
  readonly detail?: string
  readonly problem?: string
  readonly report?: JobReport
}

/** The report of an import, as far as the page shows it. */
interface JobReport {
  readonly source?: string
  readonly shows?: number
  readonly offers?: number
  readonly created?: number
  readonly altered?: number
  readonly unchanged?: number
  readonly notices?: Readonly<Record<string, number>>
  readonly noticeList?: readonly {
    readonly code: string
    readonly severity: 'error' | 'warning' | 'info'
    readonly message: string
    readonly line?: number
    readonly record?: string
  }[]
  /** How the columns of a table were read. */
  readonly mapping?: object
}

/** The latest jobs with their progress, results and notices. */
export function JobList({ jobs }: { jobs: readonly OperatorJob[] }) {
  const t = useMessages(operatorMessages).data
  if (jobs.length === 0) return null
  return (
    <section class="stack" aria-label={t.jobs.title}>
      <h2>{t.jobs.title}</h2>
      {jobs.map((job) => (
        <Job key={job.id} job={job} />
      ))}
    </section>
  )
}

const KINDS = { running: 'accent', done: 'good', failed: 'bad' } as const

function Job({ job }: { job: OperatorJob }) {
  const format = useFormats()
  const hrefTo = useHref()
  const t = useMessages(operatorMessages).data.jobs
  const { kind, what, state, startedAt, problem, report } = job
  return (
    <article class="card stack">
      <p>
        <strong>{t.kinds[kind](what)}</strong> <Badge kind={KINDS[state]}>{t.states[state]}</Badge>{' '}
        <span class="soft">{format.instant(startedAt)}</span>
      </p>
      {state === 'running' && <JobProgress job={job} />}
      {problem !== undefined && (
        <Notice kind="bad" isUrgent={true}>
          <p>{problem}</p>
        </Notice>
      )}
      {report !== undefined && <Report report={report} />}
      {state === 'done' && kind !== 'remove' && (
        // A target makes the browser load the page anew: it knows the catalog as it was when it was opened.
        <p>
          <ButtonLink href={hrefTo('/')} target="_self">
            {t.look}
          </ButtonLink>
        </p>
      )}
    </article>
  )
}

function JobProgress({ job: { progress, detail } }: { job: OperatorJob }) {
  const format = useFormats()
  const t = useMessages(operatorMessages).data.jobs
  return (
    <p role="status">
      <progress value={progress?.fraction} max={1} aria-label={t.progress} />
      {progress === undefined ? (detail ?? t.starting) : `${format.number(progress.done)} ${progress.label}`}
    </p>
  )
}

function Report({ report }: { report: JobReport }) {
  const format = useFormats()
  const t = useMessages(operatorMessages).data.jobs
  const { shows, offers, created = 0, altered = 0, unchanged = 0, notices = {}, noticeList = [], mapping } = report
  const total = Object.values(notices).reduce((sum, count) => sum + count, 0)
  return (
    <>
      {shows !== undefined && offers !== undefined && (
        <p>
          {t.counts(format.number(shows), format.number(offers))}{' '}
          {t.outcome(format.number(created), format.number(altered), format.number(unchanged))}
        </p>
      )}
      {mapping !== undefined && (
        <details>
          <summary>{t.mapping}</summary>
          <pre>
            <code>{JSON.stringify(mapping, null, 2)}</code>
          </pre>
        </details>
      )}
      {total > 0 && (
        <details open={noticeList.some(({ severity }) => severity === 'error')}>
          <summary>{t.notices(total)}</summary>
          <ul class="job-notices">
            {noticeList.map(({ code, severity, message, line, record }, i) => (
              <li key={`${i} ${code}`}>
                <Badge kind={severity === 'error' ? 'bad' : severity === 'warning' ? 'warn' : 'plain'}>{code}</Badge>{' '}
                {[line === undefined ? '' : t.line(line), record ?? ''].filter(Boolean).join(', ')} {message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
