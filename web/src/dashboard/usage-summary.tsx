import { useEffect } from 'preact/hooks'
import { Tile } from '../charts/chart-figure.tsx'
import { Gauge } from '../charts/gauge.tsx'
import { Badge } from '../components/feedback.tsx'
import { formatDay, formatMilliseconds, formatNumber, formatShare } from '../i18n/formats.ts'
import { dashboardMessages } from '../messages/tables.ts'
import { quotaText, rateText } from '../platform/plan.ts'
import { loadSession, type Person, personOf, session } from '../platform/session.ts'
import { statusParts, type UsageReport } from '../platform/usage-report.ts'

/** The plan with what is used of it, and the period in a few figures. */
export function UsageSummary({ report }: { report: UsageReport }) {
  const t = dashboardMessages.current.usage
  // The quota comes with the session, and has moved on when the report has.
  useEffect(() => {
    void loadSession()
  }, [report])
  const person = personOf(session.value)
  if (person === undefined) return null
  const { requests, endpoints } = report
  const parts = endpoints.map(({ statuses }) => statusParts(statuses))
  const answered = parts.reduce((sum, [good = 0, unchanged = 0]) => sum + good + unchanged, 0)
  const slowest = Math.max(0, ...endpoints.map(({ latency }) => latency.p95))
  return (
    <div class="usage-summary">
      <QuotaCard person={person} />
      <div class="tiles">
        <Tile name={t.plan} value={person.plan.name} note={`${quotaText(person.plan)} · ${rateText(person.plan)}`} />
        <Tile name={t.inPeriod} value={formatNumber(requests)} />
        <Tile name={t.answered} value={requests === 0 ? '–' : formatShare(answered / requests)} />
        <Tile name={t.slowest} value={requests === 0 ? '–' : formatMilliseconds(slowest)} />
      </div>
    </div>
  )
}

function QuotaCard({ person: { quota } }: { person: Person }) {
  const t = dashboardMessages.current.usage
  const { granted, used, reset } = quota
  const share = granted === undefined ? 0 : used / granted
  return (
    <section class="card usage-quota" aria-label={t.quota}>
      <Gauge
        label={t.quota}
        used={used}
        granted={granted}
        figure={formatNumber(used)}
        caption={granted === undefined ? t.quotaUsed : t.quotaOf(formatNumber(granted))}
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
      <p class="soft">{t.resets(formatDay(reset))}</p>
    </section>
  )
}
