import type { Admission } from '../accounts/meter.ts'
import type { Plan } from '../accounts/plan.ts'
import { ApiError } from './errors.ts'

/** What stands for "without limit": the greatest integer that structured header fields can hold. */
export const UNLIMITED = 999_999_999_999_999

/** What the headers say alike of all requests of a plan within a second. */
interface SharedParts {
  readonly now: number
  readonly reset: number
  readonly granted: number
  readonly grantedText: string
  readonly resetText: string
  readonly policy: string
  readonly untilReset: string
}

/** Made once a second instead of once a request. */
const sharedParts = new WeakMap<Plan, SharedParts>()

/** Adds what is left of a key's plan, in the headers of this API and in the RateLimit fields of the IETF. */
export function addQuotaHeaders(headers: string[], admission: Admission, now: number, refunded: boolean): void {
  const { rateLeft } = admission
  const { granted, grantedText, resetText, policy, untilReset } = partsOf(admission, now)
  const used = refunded ? admission.used - 1 : admission.used
  let state = `"quota";r=${Math.max(0, granted - used)}${untilReset}`
  if (rateLeft !== undefined) state += `, "rate";r=${rateLeft};t=1`
  headers.push(
    'X-Quota-Granted',
    grantedText,
    'X-Quota-Used',
    String(used),
    'X-Quota-Reset',
    resetText,
    'RateLimit-Policy',
    policy,
    'RateLimit',
    state,
  )
}

function partsOf({ plan, reset, window }: Admission, now: number): SharedParts {
  const known = sharedParts.get(plan)
  if (known !== undefined && known.now === now && known.reset === reset) return known
  const granted = plan.quota?.requests ?? UNLIMITED
  const quota = `"quota";q=${granted};w=${window}`
  const made = {
    now,
    reset,
    granted,
    grantedText: String(granted),
    resetText: String(reset),
    policy: plan.rate === undefined ? quota : `${quota}, "rate";q=${plan.rate};w=1`,
    untilReset: `;t=${Math.max(0, reset - now)}`,
  }
  sharedParts.set(plan, made)
  return made
}

/** The error of a request that its plan does not allow. */
export function refusalError({ plan, refusal, reset, retryAfter = 1 }: Admission): ApiError {
  const message =
    refusal === 'quota_exceeded'
      ? `The quota of the plan "${plan.name}", ${plan.quota?.requests} requests a ${plan.quota?.per}, is used up until ${new Date(reset * 1000).toISOString()}.`
      : plan.rate === undefined
        ? `The quota is nearly used up, and requests come faster than they are counted; try again in ${retryAfter} s.`
        : `The plan "${plan.name}" allows ${plan.rate} requests a second; try again in ${retryAfter} s.`
  return new ApiError(refusal ?? 'rate_limited', message, {
    headers: ['Retry-After', String(retryAfter)],
    extras: { retryAfter },
  })
}
