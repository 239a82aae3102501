import { useMemo } from 'preact/hooks'
import { DeveloperFrame } from '../platform/developer-frame.tsx'
import type { KeyRecord } from '../platform/key-record.ts'
import { LiveView } from '../platform/live-view.tsx'
import { EndpointsChart, LatencyChart, RequestsChart } from '../platform/usage-charts.tsx'
import { PERIODS, type Period, type UsageReport, usagePath } from '../platform/usage-report.ts'
import { usePlatform } from '../platform/use-platform.ts'
import { hrefTo } from '../routing/href-to.ts'
import { location, navigate } from '../routing/location.ts'
import { ButtonLink } from '../ui/button.tsx'
import { SelectField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Segments } from '../ui/segments.tsx'
import { LatestErrors } from './latest-errors.tsx'
import { dashboardMessages } from './messages.ts'
import { UsageSummary } from './usage-summary.tsx'
import './usage-page.css'

/** What is counted shows within a few seconds. */
const REFRESH_SECONDS = 5

/** What the keys of the account were used for. Period and key are in the address. */
export default function UsagePage() {
  const t = dashboardMessages.current.usage
  return (
    <DeveloperFrame title={t.title} lead={t.lead} for="account">
      <Usage />
    </DeveloperFrame>
  )
}

function Usage() {
  const t = dashboardMessages.current.usage
  const { query } = location.value
  const asked = query.get('period') ?? ''
  const period: Period = Object.hasOwn(PERIODS, asked) ? (asked as Period) : '31d'
  const key = query.get('key') ?? ''
  const path = useMemo(() => usagePath('/usage', period, key), [period, key])
  const report = usePlatform<UsageReport>(path, { everySeconds: REFRESH_SECONDS })
  const keys = usePlatform<{ keys: KeyRecord[] }>('/keys')
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
