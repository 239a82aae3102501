import { SECONDS_PER_DAY, startOfDay } from '../../model/time.ts'
import type { Plan, QuotaPeriod } from '../store/account-tables.ts'

/** The largest quota and rate that a plan can have. */
export const MAX_LIMIT = 1_000_000_000_000

/** The plans of a new service. */
export const STANDARD_PLANS: readonly Plan[] = [
  { name: 'free', quota: { requests: 1_000, per: 'month' }, rate: 10 },
  { name: 'pro', quota: { requests: 25_000, per: 'month' }, rate: 20 },
  { name: 'ultra', quota: { requests: 100_000, per: 'month' }, rate: 50 },
  { name: 'mega', quota: { requests: 1_000_000, per: 'month' }, rate: 200, exports: true },
  { name: 'unlimited' },
]

/** The plan of test keys, beside that of their account. */
export const TEST_PLAN: Plan = { name: 'test', quota: { requests: 100, per: 'day' }, rate: 5, exports: false }

/** Whether keys on a plan may export a country: plans without a quota, unless they say otherwise, and those that say so. */
export function mayExport({ exports, quota }: Plan): boolean {
  return exports ?? quota === undefined
}

/** The plan of a new account. */
export const DEFAULT_PLAN = 'free'

/** What is wrong with a plan's name, if anything. */
export function planNameProblem(name: string): string | undefined {
  if (/^[a-z][a-z0-9-]{0,31}$/.test(name)) return undefined
  return `"${name}" cannot name a plan; a letter is needed, then up to 31 lower-case letters, digits and hyphens`
}

/** A calendar month or day in UTC. Its name is its date: `2026-03`, `2026-03-01`. */
export interface CalendarPeriod {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The calendar period that contains an instant. */
export function quotaPeriod(per: QuotaPeriod, now: number): CalendarPeriod {
  const iso = new Date(now * 1000).toISOString()
  if (per === 'day') {
    return { name: iso.slice(0, 10), start: startOfDay(now), end: startOfDay(now) + SECONDS_PER_DAY }
  }
  const year = Number(iso.slice(0, 4))
  const month = Number(iso.slice(5, 7))
  return { name: iso.slice(0, 7), start: Date.UTC(year, month - 1) / 1000, end: Date.UTC(year, month) / 1000 }
}
