import { useFormats, useMessages } from '../app/context.ts'
import { ChartFigure } from '../charts/chart-figure.tsx'
import { RangeRows } from '../charts/range-rows.tsx'
import { StackedColumns, StackedRows } from '../charts/stacked-bars.tsx'
import { platformMessages } from '../messages/tables.ts'
import { statusParts, type UsageReport, useStatusSeries } from './usage-report.ts'

/** Requests over time, by status group. */
export function RequestsChart({ title, report }: { title: string; report: UsageReport }) {
  const format = useFormats()
  const t = useMessages(platformMessages)
  const series = useStatusSeries()
  const isHourly = report.span === 'hour'
  const columns = report.spans.map(({ start, requests, statuses }) => {
    const parts = statusParts(statuses)
    const kinds = parts.flatMap((count, kind) => (count > 0 ? `${series[kind]?.name}: ${format.number(count)}` : []))
    const name = isHourly ? format.instant(start) : format.day(start)
    return {
      label: isHourly ? format.hour(start) : format.day(start),
      name,
      text: [`${name}: ${t.requests(requests)}`, ...kinds].join(' · '),
      parts,
      requests,
    }
  })
  return (
    <ChartFigure
      title={title}
      chart={<StackedColumns label={title} series={series} columns={columns} summary={t.requests(report.requests)} />}
      head={[isHourly ? t.hour : t.day, t.total, ...series.map(({ name }) => name)]}
      rows={columns
        .map(({ name, requests, parts }) => [name, ...[requests, ...parts].map((value) => format.number(value))])
        .reverse()}
    />
  )
}

/** Requests by endpoint, by status group. */
export function EndpointsChart({ title, report }: { title: string; report: UsageReport }) {
  const format = useFormats()
  const t = useMessages(platformMessages)
  const series = useStatusSeries()
  const rows = report.endpoints.map(({ endpoint, statuses, requests }) => {
    return { name: endpoint, requests, statuses, parts: statusParts(statuses) }
  })
  const statuses = [...new Set(rows.flatMap((row) => Object.keys(row.statuses)))].sort()
  return (
    <ChartFigure
      title={title}
      chart={rows.length === 0 ? <p>{t.empty}</p> : <StackedRows label={title} series={series} rows={rows} />}
      head={[t.endpoint, t.total, ...statuses]}
      rows={rows.map((row) => [
        row.name,
        format.number(row.requests),
        ...statuses.map((status) => format.number(row.statuses[status] ?? 0)),
      ])}
    />
  )
}

/** Latency percentiles by endpoint. */
export function LatencyChart({ title, report }: { title: string; report: UsageReport }) {
  const format = useFormats()
  const t = useMessages(platformMessages)
  const marks = t.percentiles
  const rows = report.endpoints.map(({ endpoint, latency: { p50, p95, p99 } }) => {
    return { name: endpoint, values: [p50, p95, p99] as const }
  })
  return (
    <ChartFigure
      title={title}
      chart={
        rows.length === 0 ? (
          <p>{t.empty}</p>
        ) : (
          <RangeRows label={title} marks={marks} rows={rows} format={(value) => format.milliseconds(value)} />
        )
      }
      head={[t.endpoint, ...marks]}
      rows={rows.map(({ name, values }) => [name, ...values.map((value) => format.milliseconds(value))])}
    />
  )
}
