import type { StatusCounts } from './status-series.ts'

/** What some keys did, as the platform tells it. */
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

/** The periods that can be looked at: how many spans, and of which length. */
export const PERIODS = {
  '2d': { span: 'hour', seconds: 2 * 86_400 },
  '7d': { span: 'day', seconds: 7 * 86_400 },
  '31d': { span: 'day', seconds: 31 * 86_400 },
  '90d': { span: 'day', seconds: 90 * 86_400 },
} as const

export type Period = keyof typeof PERIODS

/** Where usage of a period is asked for. It is open at its end, so that the same path tells of what comes later too. */
export function usagePath(base: string, period: Period, key = ''): string {
  const { span, seconds } = PERIODS[period]
  const query = new URLSearchParams({ by: span, from: String(Math.floor(Date.now() / 1000) - seconds + 1) })
  if (key !== '') query.set('key', key)
  return `${base}?${query}`
}
