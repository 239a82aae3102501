/** The spans over which a quota is granted; they start and end with the UTC calendar. */
export type QuotaPeriod = 'month' | 'day'

/** What a key is entitled to. */
export interface Plan {
  readonly name: string
  /** Requests granted per calendar period; absent means without limit. */
  readonly quota?: { readonly requests: number; readonly per: QuotaPeriod }
  /** Requests per second; absent means without limit. */
  readonly rate?: number
}

/** The plans, smallest first. */
export const PLANS = [
  { name: 'free', quota: { requests: 1_000, per: 'month' }, rate: 10 },
  { name: 'pro', quota: { requests: 25_000, per: 'month' }, rate: 20 },
  { name: 'ultra', quota: { requests: 100_000, per: 'month' }, rate: 50 },
  { name: 'mega', quota: { requests: 1_000_000, per: 'month' }, rate: 200 },
  { name: 'unlimited' },
] as const satisfies readonly Plan[]

export type PlanName = (typeof PLANS)[number]['name']

const byName: ReadonlyMap<string, Plan> = new Map(PLANS.map((plan) => [plan.name, plan]))

export function isPlanName(name: string): name is PlanName {
  return byName.has(name)
}

/** The plan of that name. */
export function planNamed(name: PlanName): Plan {
  return byName.get(name) as Plan
}
