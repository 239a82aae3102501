import type { Series } from '../charts/series.tsx'
import { platformMessages } from './messages.ts'

/** How often each status was answered. */
export type StatusCounts = Readonly<Record<string, number>>

const GROUPS = ['good', 'unchanged', 'refused', 'failed'] as const

/** The four kinds of answers that charts tell apart. */
export function statusSeries(): Series[] {
  const { statuses } = platformMessages.current
  return [
    { name: statuses.good, fill: 'solid' },
    { name: statuses.unchanged, fill: 'outline' },
    { name: statuses.refused, fill: 'hatch' },
    { name: statuses.failed, fill: 'cross' },
  ]
}

/** Counts by status as counts by kind, in the order of the series. */
export function statusParts(statuses: StatusCounts): number[] {
  const parts = GROUPS.map(() => 0)
  for (const [status, count] of Object.entries(statuses)) {
    const group = GROUPS.indexOf(groupOf(Number(status)))
    parts[group] = (parts[group] as number) + count
  }
  return parts
}

function groupOf(status: number): (typeof GROUPS)[number] {
  if (status >= 500) return 'failed'
  if (status >= 400) return 'refused'
  return status === 304 ? 'unchanged' : 'good'
}
