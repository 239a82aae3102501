import { useFormats, useMessages } from '../app/context.ts'
import { Notice } from '../components/feedback.tsx'
import { operatorMessages } from '../messages/tables.ts'
import { LiveView, useLiveQuery } from '../platform/live-view.tsx'
import { CodeBlock } from '../reference/code-block.tsx'
import { OperatorLayout } from './operator-layout.tsx'

const REFRESH_SECONDS = 5

/** The latest check of the catalog, as `/platform/operator/checks` reports it. */
interface CatalogChecks {
  readonly report?: {
    readonly at: number
    readonly version: number
    readonly shows: number
    readonly findings: readonly Finding[]
  }
  readonly isRunning: boolean
  readonly problem?: string
}

interface Finding {
  readonly check: string
  readonly count: number
  readonly examples: readonly Example[]
}

interface Example {
  readonly subject: string
  readonly details: readonly string[]
  readonly command: string
}

/** What the operator should mend in the catalog: the findings of `marquee doctor`. */
export default function ChecksPage() {
  const t = useMessages(operatorMessages).checks
  return (
    <OperatorLayout title={t.title} lead={t.lead}>
      <Checks />
    </OperatorLayout>
  )
}

function Checks() {
  const format = useFormats()
  const t = useMessages(operatorMessages).checks
  const live = useLiveQuery<CatalogChecks>('/operator/checks', { everySeconds: REFRESH_SECONDS })
  return (
    <LiveView of={live} height="30rem">
      {({ report, isRunning, problem }) => {
        const clean = report?.findings.filter(({ count }) => count === 0) ?? []
        return (
          <div class="stack">
            {isRunning && <p role="status">{t.running}</p>}
            {problem !== undefined && (
              <Notice kind="bad" title={t.failed}>
                <p>{problem}</p>
              </Notice>
            )}
            {report === undefined && !isRunning && problem === undefined && <p>{t.empty}</p>}
            {report !== undefined && (
              <>
                <p class="soft">{t.asOf(report.shows, report.version, format.instant(report.at))}</p>
                {report.findings
                  .filter(({ count }) => count > 0)
                  .map((finding) => (
                    <FindingView key={finding.check} finding={finding} />
                  ))}
                {clean.length > 0 && (
                  <Notice kind="good" title={t.clean}>
                    <p>{clean.map(({ check }) => t.names[check] ?? check).join(', ')}</p>
                  </Notice>
                )}
              </>
            )}
          </div>
        )
      }}
    </LiveView>
  )
}

function FindingView({ finding: { check, count, examples } }: { finding: Finding }) {
  const format = useFormats()
  const t = useMessages(operatorMessages).checks
  const name = t.names[check] ?? check
  const commands = [...new Set(examples.map(({ command }) => command))]
  return (
    <section class="stack" aria-label={name}>
      <h2>
        {name}: {format.number(count)}
      </h2>
      <p class="soft">{t.meanings[check]}</p>
      <ul class="check-examples">
        {examples.map(({ subject, details }, place) => (
          <li key={place}>
            {subject} <span class="audit-details">{details.join(', ')}</span>
          </li>
        ))}
        {count > examples.length && <li class="soft">{t.more(count - examples.length)}</li>}
      </ul>
      <CodeBlock label={t.mend} text={commands.join('\n')} />
    </section>
  )
}
