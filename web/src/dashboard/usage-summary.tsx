import { useEffect } from 'preact/hooks'
import { useFormats, useMessages } from '../app/context.ts'
import { Tile } from '../charts/chart-figure.tsx'
import { Gauge } from '../charts/gauge.tsx'
import { Badge } from '../components/feedback.tsx'
import { dashboardMessages } from '../messages/tables.ts'
import { usePlanText } from '../platform/plan.ts'
import { type Person, useSession } from '../platform/session.ts'
import { statusParts, type UsageReport } from '../platform/usage-report.ts'

/** Quota, plan, and figures of the period. */
export function UsageSummary({ report }: { report: UsageReport }) {
  const session = useSession()
  const planText = usePlanText()
  const format = useFormats()
  const t = useMessages(dashboardMessages).usage
  // The quota is part of the session, so it is reloaded with the report.
  useEffect(() => {
    void session.load()
  }, [report])
  const person = session.person
  if (person === undefined) return null
  const { requests, endpoints } = report
  const parts = endpoints.map(({ statuses }) => statusParts(statuses))
  const answered = parts.reduce((sum, [good = 0, unchanged = 0]) => sum + good + unchanged, 0)
  const slowest = Math.max(0, ...endpoints.map(({ latency }) => latency.p95))
  return (
    <div class="usage-summary">
      <QuotaCard person={person} />
      <div class="tiles">
        <Tile
          name={t.plan}
          value={person.plan.name}
          note={`${planText.quota(person.plan)} · ${planText.rate(person.plan)}`}
        />
        <Tile name={t.inPeriod} value={format.number(requests)} />
        <Tile name={t.answered} value={requests === 0 ? '–' : format.percent(answered / requests)} />
        <Tile name={t.slowest} value={requests === 0 ? '–' : format.milliseconds(slowest)} />
      </div>
    </div>
  )
}

function QuotaCard({ person: { quota } }: { person: Person }) {
  const format = useFormats()
  const t = useMessages(dashboardMessages).usage
  const { granted, used, reset } = quota
  const share = granted === undefined ? 0 : used / granted
  return (
    <section class="card usage-quota" aria-label={t.quota}>
      <Gauge
        label={t.quota}
        used={used}
        granted={granted}
        figure={format.number(used)}
        caption={granted === undefined ? t.quotaUsed : t.quotaOf(format.number(granted))}
      />
      {share >= 1 && (
        <p>
          <Badge kind="bad">{t.usedUp}</Badge>
        </p>
      )}
      {share >= 0.8 && share < 1 && (
        <p>
          <Badge kind="warn">{t.nearlyUp}</Badge>
        </p>
      )}
      <p class="soft">{t.resets(format.day(reset))}</p>
    </section>
  )
}
