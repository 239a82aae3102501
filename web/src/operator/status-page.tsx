import { useMemo } from 'preact/hooks'
import { useFormats, useHref, useMessages } from '../app/context.ts'
import { Tile } from '../charts/chart-figure.tsx'
import { HeatMap } from '../charts/heat-map.tsx'
import { Notice } from '../components/feedback.tsx'
import { operatorMessages } from '../messages/tables.ts'
import { LiveView, useLiveQuery } from '../platform/live-view.tsx'
import { EndpointsChart, LatencyChart, RequestsChart } from '../platform/usage-charts.tsx'
import { type UsageReport, usagePath } from '../platform/usage-report.ts'
import { OperatorLayout } from './operator-layout.tsx'
import type { OperatorStatus } from './operator-status.ts'
import { ProcessTable, WindowSchedulerCard } from './process-status.tsx'
import { Schedule, SourceTable } from './source-tables.tsx'

const REFRESH_SECONDS = 10

/** The status of the service: catalog, sources, processes and requests. */
export default function StatusPage() {
  const t = useMessages(operatorMessages)
  return (
    <OperatorLayout title={t.title}>
      <Status />
    </OperatorLayout>
  )
}

function Status() {
  const format = useFormats()
  const hrefTo = useHref()
  const t = useMessages(operatorMessages)
  const live = useLiveQuery<OperatorStatus>('/operator/status', { everySeconds: REFRESH_SECONDS })
  return (
    <LiveView of={live} height="40rem">
      {({ at, catalog, importing, sources, schedule, places, services, processes, keeper }) => (
        <>
          <p class="soft">{t.asOf(format.instant(at))}</p>
          {importing !== undefined && (
            <Notice kind="warn" title={t.importing}>
              <p>{t.importingSince(importing.what, format.instant(importing.since))}</p>
            </Notice>
          )}
          {catalog.version === 0 && (
            <Notice kind="warn" title={t.emptyCatalog.title}>
              <p>
                <a href={hrefTo('/operator/data')}>{t.emptyCatalog.text}</a>
              </p>
            </Notice>
          )}
          <div class="tiles">
            <Tile name={t.shows} value={format.number(catalog.shows)} />
            <Tile name={t.offers} value={format.number(catalog.offers)} />
            <Tile name={t.version} value={format.number(catalog.version)} />
            <Tile
              name={t.memory}
              value={format.bytes(processes.reduce((sum, { residentBytes }) => sum + residentBytes, 0))}
              note={t.memoryOf(processes.length)}
            />
          </div>
          <SourceTable sources={sources} now={at} />
          <Schedule schedule={schedule} now={at} onChanged={live.reload} />
          <div class="cards">
            <WindowSchedulerCard scheduler={keeper} now={at} />
            <ProcessTable processes={processes} now={at} />
          </div>
          <Requests />
          <CoverageTable places={places} services={services} />
        </>
      )}
    </LiveView>
  )
}

function Requests() {
  const t = useMessages(operatorMessages).usage
  const path = useMemo(() => usagePath('/operator/usage', '2d'), [])
  const live = useLiveQuery<UsageReport>(path, { everySeconds: REFRESH_SECONDS })
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

/** Shows by service and country, the largest services first. */
function CoverageTable({ places, services }: Pick<OperatorStatus, 'places' | 'services'>) {
  const format = useFormats()
  const t = useMessages(operatorMessages).places
  if (places.length === 0) return null
  const totals = new Map<string, number>()
  for (const { services: counts } of places) {
    for (const [id, count] of Object.entries(counts)) totals.set(id, (totals.get(id) ?? 0) + count)
  }
  const rows = [...totals].sort(([, a], [, b]) => b - a).map(([id]) => ({ id, name: services[id] ?? id }))
  const columns = places
    .map(({ country }) => ({ id: country, name: format.regionName(country) }))
    .sort((a, b) => a.name.localeCompare(b.name))
  const byCountry = new Map(places.map(({ country, services: counts }) => [country, counts]))
  return (
    <section class="stack">
      <h2>{t.title}</h2>
      <p class="soft">{t.lead}</p>
      <HeatMap
        caption={t.title}
        corner={t.service}
        rows={rows}
        columns={columns}
        amount={(service, country) => byCountry.get(country)?.[service]}
      />
    </section>
  )
}
