import { useMemo } from 'preact/hooks'
import { formatNumber } from '../i18n/formats.ts'
import { formatBytes, formatInstant } from '../i18n/measures.ts'
import { LiveView } from '../platform/live-view.tsx'
import { Tile } from '../platform/tile.tsx'
import { EndpointsChart, LatencyChart, RequestsChart } from '../platform/usage-charts.tsx'
import { type UsageReport, usagePath } from '../platform/usage-report.ts'
import { usePlatform } from '../platform/use-platform.ts'
import { Notice } from '../ui/notice.tsx'
import { KeeperCard } from './keeper-card.tsx'
import { operatorMessages } from './messages.ts'
import { OperatorFrame } from './operator-frame.tsx'
import type { OperatorStatus } from './operator-status.ts'
import { Places } from './places.tsx'
import { ProcessTable } from './process-table.tsx'
import { Schedule } from './schedule.tsx'
import { SourceTable } from './source-table.tsx'

const REFRESH_SECONDS = 10

/** Whether the service lives: what it holds, who feeds it, what it does and what it takes. */
export default function StatusPage() {
  const t = operatorMessages.current
  return (
    <OperatorFrame title={t.title}>
      <Status />
    </OperatorFrame>
  )
}

function Status() {
  const t = operatorMessages.current
  const live = usePlatform<OperatorStatus>('/operator/status', { everySeconds: REFRESH_SECONDS })
  return (
    <LiveView of={live} height="40rem">
      {({ at, catalog, importing, sources, schedule, places, services, processes, keeper }) => (
        <>
          <p class="soft">{t.asOf(formatInstant(at))}</p>
          {importing !== undefined && (
            <Notice kind="warn" title={t.importing}>
              <p>{t.importingSince(importing.what, formatInstant(importing.since))}</p>
            </Notice>
          )}
          {catalog.version === 0 && (
            <Notice kind="warn" title={t.emptyCatalog.title}>
              <p>
                {t.emptyCatalog.text} <code>marquee import FEED</code>
              </p>
            </Notice>
          )}
          <div class="tiles">
            <Tile name={t.shows} value={formatNumber(catalog.shows)} />
            <Tile name={t.offers} value={formatNumber(catalog.offers)} />
            <Tile name={t.version} value={formatNumber(catalog.version)} />
            <Tile
              name={t.memory}
              value={formatBytes(processes.reduce((sum, { residentBytes }) => sum + residentBytes, 0))}
              note={t.memoryOf(processes.length)}
            />
          </div>
          <SourceTable sources={sources} now={at} />
          <Schedule schedule={schedule} now={at} />
          <div class="cards">
            <KeeperCard keeper={keeper} now={at} />
            <ProcessTable processes={processes} now={at} />
          </div>
          <Requests />
          <Places places={places} services={services} />
        </>
      )}
    </LiveView>
  )
}

function Requests() {
  const t = operatorMessages.current.usage
  const path = useMemo(() => usagePath('/operator/usage', '2d'), [])
  const live = usePlatform<UsageReport>(path, { everySeconds: REFRESH_SECONDS })
  return (
    <LiveView of={live} height="20rem" isStaleSaid={true}>
      {(report) => (
        <>
          <RequestsChart title={t.title} report={report} />
          <div class="cards">
            <EndpointsChart title={t.byEndpoint} report={report} />
            <LatencyChart title={t.latency} report={report} />
          </div>
        </>
      )}
    </LiveView>
  )
}
