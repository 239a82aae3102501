import type { Admission } from '../../accounts/metering/meter.ts'
import type { Plan } from '../../accounts/plans/plan.ts'
import { ApiError } from './errors.ts'
import type { HeaderBlock } from './headers.ts'

/** Stands for "no limit": the greatest integer of a structured header field (RFC 8941). */
const UNLIMITED_QUOTA = 999_999_999_999_999

/** The parts of the headers that all requests of a plan share within one second. */
interface SharedQuotaText {
  readonly now: number
  readonly resetsAt: number
  readonly granted: number
  /** The text before the used requests, between used and remaining ones, and after those. */
  readonly beforeUsed: string
  readonly beforeRemaining: string
  readonly afterRemaining: string
}

/** Formatted once a second for each plan instead of once a request. */
const sharedQuotaTexts = new WeakMap<Plan, SharedQuotaText>()

/** What is left of the plan, in this API's own headers and in the IETF's RateLimit headers. */
export function quotaHeaders(admission: Admission, now: number, refunded: boolean): HeaderBlock {
  const { rateRemaining } = admission
  const { granted, beforeUsed, beforeRemaining, afterRemaining } = sharedQuotaText(admission, now)
  const used = refunded ? admission.used - 1 : admission.used
  const quota = `${beforeUsed}${used}${beforeRemaining}${Math.max(0, granted - used)}${afterRemaining}`
  return rateRemaining === undefined ? `${quota}\r\n` : `${quota}, "rate";r=${rateRemaining};t=1\r\n`
}

function sharedQuotaText({ plan, resetsAt, periodSeconds }: Admission, now: number): SharedQuotaText {
  const cached = sharedQuotaTexts.get(plan)
  if (cached !== undefined && cached.now === now && cached.resetsAt === resetsAt) return cached
  const granted = plan.quota?.requests ?? UNLIMITED_QUOTA
  const policy = `"quota";q=${granted};w=${periodSeconds}${plan.rate === undefined ? '' : `, "rate";q=${plan.rate};w=1`}`
  const text = {
    now,
    resetsAt,
    granted,
    beforeUsed: `X-Quota-Granted: ${granted}\r\nX-Quota-Used: `,
    beforeRemaining: `\r\nX-Quota-Reset: ${resetsAt}\r\nRateLimit-Policy: ${policy}\r\nRateLimit: "quota";r=`,
    afterRemaining: `;t=${Math.max(0, resetsAt - now)}`,
  }
  sharedQuotaTexts.set(plan, text)
  return text
}

/** The error of a request that the plan rejects. */
export function toQuotaError({ plan, refusal, resetsAt, retryAfter = 1 }: Admission): ApiError {
  const message =
    refusal === 'quota_exceeded'
      ? `The quota of the plan "${plan.name}", ${plan.quota?.requests} requests a ${plan.quota?.per}, is used up until ${new Date(resetsAt * 1000).toISOString()}.`
      : plan.rate === undefined
        ? `The quota is nearly used up, and requests come faster than they are counted; try again in ${retryAfter} s.`
        : `The plan "${plan.name}" allows ${plan.rate} requests a second; try again in ${retryAfter} s.`
  return new ApiError(refusal ?? 'rate_limited', message, { retryAfter })
}
