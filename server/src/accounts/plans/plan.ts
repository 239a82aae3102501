/** The spans over which a quota is granted; they start and end with the UTC calendar. */
export const QUOTA_PERIODS = ['month', 'day'] as const
export type QuotaPeriod = (typeof QUOTA_PERIODS)[number]

/** What a key is entitled to. */
export interface Plan {
  readonly name: string
  /** Requests granted per calendar period; absent means without limit. */
  readonly quota?: { readonly requests: number; readonly per: QuotaPeriod }
  /** Requests per second; absent means without limit. */
  readonly rate?: number
}

/** The plans that a service starts with. */
export const STANDARD_PLANS: readonly Plan[] = [
  { name: 'free', quota: { requests: 1_000, per: 'month' }, rate: 10 },
  { name: 'pro', quota: { requests: 25_000, per: 'month' }, rate: 20 },
  { name: 'ultra', quota: { requests: 100_000, per: 'month' }, rate: 50 },
  { name: 'mega', quota: { requests: 1_000_000, per: 'month' }, rate: 200 },
  { name: 'unlimited' },
]

/** The plan that developers start on. */
export const DEFAULT_PLAN = 'free'

/** What is wrong with a plan's name, if anything. */
export function planNameProblem(name: string): string | undefined {
  if (/^[a-z][a-z0-9-]{0,31}$/.test(name)) return undefined
  return `"${name}" cannot name a plan; a letter is needed, then up to 31 lower-case letters, digits and hyphens`
}
