import type { Admission } from '../../accounts/metering/meter.ts'
import type { Plan } from '../../accounts/plans/plan.ts'
import { ApiError } from './errors.ts'
import type { HeaderBlock } from './headers.ts'

/** What stands for "without limit": the greatest integer that structured header fields can hold. */
export const UNLIMITED_QUOTA = 999_999_999_999_999

/** What the headers say alike of all requests of a plan within a second. */
interface SharedQuotaText {
  readonly now: number
  readonly reset: number
  readonly granted: number
  /** What stands before the requests that were used, and between them and those that are left, and after those. */
  readonly beforeUsed: string
  readonly beforeLeft: string
  readonly afterLeft: string
}

/** Made once a second instead of once a request. */
const sharedQuotaTexts = new WeakMap<Plan, SharedQuotaText>()

/** What is left of a key's plan, in the headers of this API and in the RateLimit fields of the IETF. */
export function quotaHeaders(admission: Admission, now: number, refunded: boolean): HeaderBlock {
  const { rateRemaining } = admission
  const { granted, beforeUsed, beforeLeft, afterLeft } = sharedQuotaText(admission, now)
  const used = refunded ? admission.used - 1 : admission.used
  const quota = `${beforeUsed}${used}${beforeLeft}${Math.max(0, granted - used)}${afterLeft}`
  return rateRemaining === undefined ? `${quota}\r\n` : `${quota}, "rate";r=${rateRemaining};t=1\r\n`
}

function sharedQuotaText({ plan, resetsAt, periodSeconds }: Admission, now: number): SharedQuotaText {
  const known = sharedQuotaTexts.get(plan)
  if (known !== undefined && known.now === now && known.reset === resetsAt) return known
  const granted = plan.quota?.requests ?? UNLIMITED_QUOTA
  const policy = `"quota";q=${granted};w=${periodSeconds}${plan.rate === undefined ? '' : `, "rate";q=${plan.rate};w=1`}`
  const made = {
    now,
    reset: resetsAt,
    granted,
    beforeUsed: `X-Quota-Granted: ${granted}\r\nX-Quota-Used: `,
    beforeLeft: `\r\nX-Quota-Reset: ${resetsAt}\r\nRateLimit-Policy: ${policy}\r\nRateLimit: "quota";r=`,
    afterLeft: `;t=${Math.max(0, resetsAt - now)}`,
  }
  sharedQuotaTexts.set(plan, made)
  return made
}

/** The error of a request that its plan does not allow. */
export function toQuotaError({ plan, refusal, resetsAt, retryAfter = 1 }: Admission): ApiError {
  const message =
    refusal === 'quota_exceeded'
      ? `The quota of the plan "${plan.name}", ${plan.quota?.requests} requests a ${plan.quota?.per}, is used up until ${new Date(resetsAt * 1000).toISOString()}.`
      : plan.rate === undefined
        ? `The quota is nearly used up, and requests come faster than they are counted; try again in ${retryAfter} s.`
        : `The plan "${plan.name}" allows ${plan.rate} requests a second; try again in ${retryAfter} s.`
  return new ApiError(refusal ?? 'rate_limited', message, {
    headers: ['Retry-After', String(retryAfter)],
    extras: { retryAfter },
  })
}
