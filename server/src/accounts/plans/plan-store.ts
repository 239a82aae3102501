import { AccountError } from '../store/account-error.ts'
import type { AccountStore } from '../store/account-store.ts'
import type { AuditContext, AuditLog } from '../store/audit-log.ts'
import { type Plan, planNameProblem, STANDARD_PLANS } from './plan.ts'

const standardPlans: ReadonlyMap<string, Plan> = new Map(STANDARD_PLANS.map((plan) => [plan.name, Object.freeze(plan)]))

/** The plans that keys and accounts can be on: the standard ones, as the operator altered and extended them. */
export class PlanStore {
  private readonly store: AccountStore
  private readonly audit: AuditLog

  constructor(ledger: AccountStore, audit: AuditLog) {
    this.store = ledger
    this.audit = audit
  }

  /** All plans, smallest first. */
  list(): Plan[] {
    const plans = new Map(standardPlans)
    for (const { key, value } of this.store.tables.plans.getRange()) plans.set(key, value)
    return [...plans.values()].sort((a, b) => monthlyRequests(a) - monthlyRequests(b) || (a.name < b.name ? -1 : 1))
  }

  find(name: string): Plan | undefined {
    return this.store.tables.plans.get(name) ?? standardPlans.get(name)
  }

  /** The plan of that name; a name that is not known is a problem for the caller to hear of. */
  require(name: string): Plan {
    const plan = this.find(name)
    if (plan !== undefined) return plan
    const names = this.list().map((one) => one.name)
    throw new AccountError('unknown_plan', `There is no plan "${name}"; the plans are ${names.join(', ')}`)
  }

  /** Adds a plan or alters it, for all keys that are on it. */
  async set(plan: Plan, act: AuditContext): Promise<void> {
    const problem = planNameProblem(plan.name)
    if (problem !== undefined) throw new AccountError('invalid_plan', problem)
    const { name, ...limits } = plan
    await this.store.commit((writes) => {
      writes.put('plans', name, plan)
      this.audit.add(writes, act, 'plan.set', name, limits)
    })
  }

  /** Takes a plan away that nobody is on; a standard one becomes again what it was. */
  async delete(name: string, act: AuditContext): Promise<void> {
    const { plans, keys, accounts } = this.store.tables
    await this.store.commit((writes) => {
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
      writes.delete('plans', name)
      this.audit.add(writes, act, 'plan.removed', name)
    })
  }
}

function monthlyRequests({ quota, rate }: Plan): number {
  if (quota === undefined) return rate === undefined ? Number.MAX_VALUE : 1e15 + rate
  return quota.per === 'month' ? quota.requests : quota.requests * 30
}
