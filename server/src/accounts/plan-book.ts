import type { AccountLedger } from './account-ledger.ts'
import { AccountProblem } from './account-problem.ts'
import type { Act, AuditLog } from './audit-log.ts'
import { type Plan, planNameProblem, STANDARD_PLANS } from './plan.ts'

const standard: ReadonlyMap<string, Plan> = new Map(STANDARD_PLANS.map((plan) => [plan.name, Object.freeze(plan)]))

/** The plans that keys and accounts can be on: the standard ones, as the operator altered and extended them. */
export class PlanBook {
  private readonly ledger: AccountLedger
  private readonly audit: AuditLog

  constructor(ledger: AccountLedger, audit: AuditLog) {
    this.ledger = ledger
    this.audit = audit
  }

  /** All plans, smallest first. */
  all(): Plan[] {
    const plans = new Map(standard)
    for (const { key, value } of this.ledger.tables.plans.getRange()) plans.set(key, value)
    return [...plans.values()].sort((a, b) => size(a) - size(b) || (a.name < b.name ? -1 : 1))
  }

  find(name: string): Plan | undefined {
    return this.ledger.tables.plans.get(name) ?? standard.get(name)
  }

  /** The plan of that name; a name that is not known is a problem for the caller to hear of. */
  named(name: string): Plan {
    const plan = this.find(name)
    if (plan !== undefined) return plan
    const names = this.all().map((one) => one.name)
    throw new AccountProblem('unknown_plan', `There is no plan "${name}"; the plans are ${names.join(', ')}`)
  }

  /** Adds a plan or alters it, for all keys that are on it. */
  async set(plan: Plan, act: Act): Promise<void> {
    const problem = planNameProblem(plan.name)
    if (problem !== undefined) throw new AccountProblem('invalid_plan', problem)
    const { name, ...limits } = plan
    await this.ledger.commit((writes) => {
      writes.put('plans', name, plan)
      this.audit.add(writes, act, 'plan.set', name, limits)
    })
  }

  /** Takes a plan away that nobody is on; a standard one becomes again what it was. */
  async remove(name: string, act: Act): Promise<void> {
    const { plans, keys, accounts } = this.ledger.tables
    await this.ledger.commit((writes) => {
      if (plans.get(name) === undefined) {
        const message = standard.has(name)
          ? `The plan "${name}" is as it was from the start; it can be altered, but not removed`
          : `There is no plan "${name}"`
        throw new AccountProblem('unknown_plan', message)
      }
      const users = [...keys.getRange(), ...accounts.getRange()].filter(({ value }) => value.plan === name).length
      if (!standard.has(name) && users > 0) {
        throw new AccountProblem('plan_in_use', `${users} keys and accounts are on the plan "${name}"; move them first`)
      }
      writes.remove('plans', name)
      this.audit.add(writes, act, 'plan.removed', name)
    })
  }
}

function size({ quota, rate }: Plan): number {
  if (quota === undefined) return rate === undefined ? Number.MAX_VALUE : 1e15 + rate
  return quota.per === 'month' ? quota.requests : quota.requests * 30
}
