import { useMemo } from 'preact/hooks'
import { useFormats, useHref, useLocation, useMessages, useNavigate } from '../app/context.ts'
import { ButtonLink } from '../components/button.tsx'
import { Segments } from '../components/choice.tsx'
import { Badge, Notice } from '../components/feedback.tsx'
import { SelectField } from '../components/field.tsx'
import { Table } from '../components/table.tsx'
import { dashboardMessages, platformMessages } from '../messages/tables.ts'
import { DeveloperLayout } from '../platform/developer-layout.tsx'
import { LiveView, useLiveQuery } from '../platform/live-view.tsx'
import type { KeyRecord } from '../platform/stored-key.ts'
import { EndpointsChart, LatencyChart, RequestsChart } from '../platform/usage-charts.tsx'
import { PERIODS, type Period, type UsageReport, usagePath } from '../platform/usage-report.ts'
import { RequestLog } from './request-log.tsx'
import { UsageSummary } from './usage-summary.tsx'
import './usage-page.css'

/** Usage is counted within a few seconds. */
const REFRESH_SECONDS = 5

/** Usage of the keys of the account. Period and key are in the URL. */
export default function UsagePage() {
  const t = useMessages(dashboardMessages).usage
  return (
    <DeveloperLayout title={t.title} lead={t.lead} for="account">
      <Usage />
      <RequestLog />
    </DeveloperLayout>
  )
}

function Usage() {
  const hrefTo = useHref()
  const navigate = useNavigate()
  const t = useMessages(dashboardMessages).usage
  const { query } = useLocation()
  const requested = query.get('period') ?? ''
  const period: Period = Object.hasOwn(PERIODS, requested) ? (requested as Period) : '31d'
  const key = query.get('key') ?? ''
  const path = useMemo(() => usagePath('/usage', period, key), [period, key])
  const report = useLiveQuery<UsageReport>(path, { everySeconds: REFRESH_SECONDS })
  const keys = useLiveQuery<{ keys: KeyRecord[] }>('/keys')
  const show = (values: { period?: Period; key?: string }) =>
    navigate(hrefTo('/dashboard', { period, key, ...values }), { replace: true })
  return (
    <LiveView of={keys} height="20rem" isStaleSaid={true}>
      {({ keys: records }) =>
        records.length === 0 ? (
          <Notice title={t.noKeys.title}>
            <p>{t.noKeys.text}</p>
            <ButtonLink kind="main" href={hrefTo('/dashboard/keys')}>
              {t.noKeys.create}
            </ButtonLink>
          </Notice>
        ) : (
          <>
            <div class="usage-choice">
              <Segments
                label={t.period}
                options={(Object.keys(PERIODS) as Period[]).map((one) => [one, t.periods[one]] as const)}
                value={period}
                onChange={(value) => show({ period: value })}
              />
              <SelectField label={t.key} value={key} onChange={(event) => show({ key: event.currentTarget.value })}>
                <option value="">{t.allKeys}</option>
                {key !== '' && !records.some(({ id }) => id === key) && <option value={key}>{t.unknownKey}</option>}
                {records.map(({ id, name, hint }) => (
                  <option key={id} value={id}>
                    {name} ({hint})
                  </option>
                ))}
              </SelectField>
            </div>
            <LiveView of={report} height="32rem">
              {(value) => (
                <>
                  <UsageSummary report={value} />
                  <RequestsChart title={t.byTime} report={value} />
                  <div class="cards">
                    <EndpointsChart title={t.byEndpoint} report={value} />
                    <LatencyChart title={t.latency} report={value} />
                  </div>
                  <LatestErrors failures={value.failures} keys={records} />
                </>
              )}
            </LiveView>
          </>
        )
      }
    </LiveView>
  )
}

interface LatestErrorsProps {
  readonly failures: UsageReport['failures']
  readonly keys: readonly KeyRecord[]
}

const MAX_ERRORS = 10

/** The latest errors, newest first. */
function LatestErrors({ failures, keys }: LatestErrorsProps) {
  const format = useFormats()
  const platformText = useMessages(platformMessages)
  const t = useMessages(dashboardMessages).usage
  const displayName = (id: string) => keys.find((key) => key.id === id)?.name ?? t.unknownKey
  if (failures.length === 0) {
    return (
      <section class="card stack">
        <h2>{t.errors}</h2>
        <p class="soft">{t.noErrors}</p>
      </section>
    )
  }
  return (
    <Table
      caption={t.errors}
      isRecords={true}
      isCaptionSeen={true}
      head={[t.when, t.status, t.code, platformText.endpoint, t.key]}
    >
      {failures.slice(0, MAX_ERRORS).map(({ at, status, code, endpoint, keyId }, place) => (
        <tr key={place}>
          <td data-label={t.when} class="nowrap">
            {format.instant(at)}
          </td>
          <td data-label={t.status}>
            <Badge kind={status >= 500 ? 'bad' : 'warn'}>{status}</Badge>
          </td>
          <td data-label={t.code}>
            <code>{code}</code>
          </td>
          <td data-label={platformText.endpoint}>{endpoint}</td>
          <td data-label={t.key}>{displayName(keyId)}</td>
        </tr>
      ))}
    </Table>
  )
}
