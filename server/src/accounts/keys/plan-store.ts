import { SECONDS_PER_DAY, startOfDay } from '../../model/time.ts'
import { AccountError, type AccountStore, type AuditContext, type AuditLog } from '../store/account-store.ts'
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
function planNameProblem(name: string): string | undefined {
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

const standardPlans: ReadonlyMap<string, Plan> = new Map(STANDARD_PLANS.map((plan) => [plan.name, Object.freeze(plan)]))

/** The plans of keys and accounts: the standard ones, and those that the operator added or changed. */
export class PlanStore {
  private readonly store: AccountStore
  private readonly audit: AuditLog

  constructor(store: AccountStore, audit: AuditLog) {
    this.store = store
    this.audit = audit
  }

  /** All plans, smallest first. */
  list(): Plan[] {
    const plans = new Map(standardPlans)
    for (const { key, value } of this.store.tables.plans.getRange()) plans.set(key, value)
    return [...plans.values()].sort((a, b) => monthlyRequests(a) - monthlyRequests(b) || (a.name < b.name ? -1 : 1))
  }

  /** The plan of a name, if there is one. */
  find(name: string): Plan | undefined {
    return this.store.tables.plans.get(name) ?? standardPlans.get(name)
  }

  /** The plan of a name; throws if there is none. */
  require(name: string): Plan {
    const plan = this.find(name)
    if (plan !== undefined) return plan
    const names = this.list().map((one) => one.name)
    throw new AccountError('unknown_plan', `There is no plan "${name}"; the plans are ${names.join(', ')}`)
  }

  /** Creates or changes a plan. A change applies to all keys on it. */
  async set(plan: Plan, context: AuditContext): Promise<void> {
    const problem = planNameProblem(plan.name)
    if (problem !== undefined) throw new AccountError('invalid_plan', problem)
    const { name, ...limits } = plan
    await this.store.commit((tx) => {
      tx.put('plans', name, plan)
      this.audit.add(tx, context, 'plan.set', name, limits)
    })
  }

  /** Deletes a plan that nothing uses. A standard plan is reset to its original limits. */
  async delete(name: string, context: AuditContext): Promise<void> {
    const { plans, keys, accounts } = this.store.tables
    await this.store.commit((tx) => {
      if (plans.get(name) === undefined) {
        const message = standardPlans.has(name)
          ? `The plan "${name}" is as it was from the start; it can be altered, but not removed`
          : `There is no plan "${name}"`
        throw new AccountError('unknown_plan', message)
      }
      const users = [...keys.getRange(), ...accounts.getRange()].filter(({ value }) => value.plan === name).length
      if (!standardPlans.has(name) && users > 0) {
        throw new AccountError('plan_in_use', `${users} keys and accounts are on the plan "${name}"; move them first`)
      }
      tx.delete('plans', name)
      this.audit.add(tx, context, 'plan.removed', name)
    })
  }
}

function monthlyRequests({ quota, rate }: Plan): number {
  if (quota === undefined) return rate === undefined ? Number.MAX_VALUE : 1e15 + rate
  return quota.per === 'month' ? quota.requests : quota.requests * 30
}
