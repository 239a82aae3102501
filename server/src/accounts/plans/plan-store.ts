import { AccountError } from '../store/account-error.ts'
import type { AccountStore } from '../store/account-store.ts'
import type { Plan } from '../store/account-tables.ts'
import type { AuditContext, AuditLog } from '../store/audit-log.ts'
import { planNameProblem, STANDARD_PLANS } from './plan.ts'

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
