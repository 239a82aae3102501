import type { Admission } from '../accounts/meter.ts'
import { ApiError } from './errors.ts'

/** What stands for "without limit": the greatest integer that structured header fields can hold. */
export const UNLIMITED = 999_999_999_999_999

/** Adds what is left of a key's plan, in the headers of this API and in the RateLimit fields of the IETF. */
export function addQuotaHeaders(headers: string[], admission: Admission, now: number, refunded: boolean): void {
  const { plan, reset, window, rateLeft } = admission
  const granted = plan.quota?.requests ?? UNLIMITED
  const used = refunded ? admission.used - 1 : admission.used
  let policy = `"quota";q=${granted};w=${window}`
  let state = `"quota";r=${Math.max(0, granted - used)};t=${Math.max(0, reset - now)}`
  if (rateLeft !== undefined) {
    policy += `, "rate";q=${plan.rate};w=1`
    state += `, "rate";r=${rateLeft};t=1`
  }
  headers.push(
    'X-Quota-Granted',
    String(granted),
    'X-Quota-Used',
    String(used),
    'X-Quota-Reset',
    String(reset),
    'RateLimit-Policy',
    policy,
    'RateLimit',
    state,
  )
}

/** The error of a request that its plan does not allow. */
export function refusalError({ plan, refusal, reset, retryAfter = 1 }: Admission): ApiError {
  const message =
    refusal === 'quota_exceeded'
      ? `The quota of the plan "${plan.name}", ${plan.quota?.requests} requests a ${plan.quota?.per}, is used up until ${new Date(reset * 1000).toISOString()}.`
      : `The plan "${plan.name}" allows ${plan.rate} requests a second; try again in ${retryAfter} s.`
  return new ApiError(refusal ?? 'rate_limited', message, {
    headers: ['Retry-After', String(retryAfter)],
    extras: { retryAfter },
  })
}
