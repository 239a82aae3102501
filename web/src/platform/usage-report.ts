import { useMessages } from '../app/context.ts'
import type { Series } from '../charts/stacked-bars.tsx'
import { platformMessages } from '../messages/tables.ts'

/** Usage of some keys, as the platform reports it. */
export interface UsageReport {
  readonly span: 'hour' | 'day'
  readonly from: number
  readonly to: number
  readonly requests: number
  readonly spans: readonly { readonly start: number; readonly requests: number; readonly statuses: StatusCounts }[]
  readonly endpoints: readonly {
    readonly endpoint: string
    readonly requests: number
    readonly statuses: StatusCounts
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p95: number; readonly p99: number }
  }[]
  readonly failures: readonly {
    readonly at: number
    readonly endpoint: string
    readonly status: number
    readonly code: string
    readonly keyId: string
  }[]
}

/** Spans start at UTC days and hours. */
const SPAN_SECONDS = { hour: 3_600, day: 86_400 } as const

/** The selectable periods: number and length of spans. */
export const PERIODS = {
  '2d': { span: 'hour', count: 48 },
  '7d': { span: 'day', count: 7 },
  '31d': { span: 'day', count: 31 },
  '90d': { span: 'day', count: 90 },
} as const

export type Period = keyof typeof PERIODS

/** The path of the usage of a period. It has no end, so that later requests include new spans. */
export function usagePath(base: string, period: Period, key = ''): string {
  const { span, count } = PERIODS[period]
  const seconds = SPAN_SECONDS[span]
  const thisSpan = Math.floor(Date.now() / 1000 / seconds)
  const query = new URLSearchParams({ by: span, from: String((thisSpan - count + 1) * seconds) })
  if (key !== '') query.set('key', key)
  return `${base}?${query}`
}

/** Number of responses by status. */
type StatusCounts = Readonly<Record<string, number>>

const GROUPS = ['good', 'unchanged', 'refused', 'failed'] as const

/** The four status groups of the charts. */
export function useStatusSeries(): Series[] {
  const { statuses } = useMessages(platformMessages)
  return [
    { name: statuses.good, fill: 'solid' },
    { name: statuses.unchanged, fill: 'outline' },
    { name: statuses.refused, fill: 'hatch' },
    { name: statuses.failed, fill: 'cross' },
  ]
}

/** Counts by status group, in the order of the series. */
export function statusParts(statuses: StatusCounts): number[] {
  const parts = GROUPS.map(() => 0)
  for (const [status, count] of Object.entries(statuses)) {
    const group = GROUPS.indexOf(statusGroup(Number(status)))
    parts[group] = (parts[group] as number) + count
  }
  return parts
}

function statusGroup(status: number): (typeof GROUPS)[number] {
  if (status >= 500) return 'failed'
  if (status >= 400) return 'refused'
  return status === 304 ? 'unchanged' : 'good'
}
