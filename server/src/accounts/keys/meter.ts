import type { Clock } from '../../lib/clock.ts'
import type { Plan } from '../store/account-tables.ts'
import type { QuotaCounters, QuotaDelta } from '../store/quota-store.ts'
import type { ResolvedKey } from './key-store.ts'
import { type CalendarPeriod, quotaPeriod } from './plan-store.ts'

/** What the meter needs of a key. */
export type MeteredKey = Pick<ResolvedKey, 'quotaOwner' | 'plan'>

/** Why a request was refused. */
type Refusal = 'quota_exceeded' | 'rate_limited'

/** The decision about one request, and the state of its quota. */
export interface Admission {
  readonly plan: Plan
  /** Requests counted in the period, those of this one included if it was admitted. */
  readonly used: number
  /** The requests that this one counts for; 0 if it was refused. */
  readonly cost: number
  /** When the quota resets. */
  readonly resetsAt: number
  /** Length of the period in seconds. */
  readonly periodSeconds: number
  /** Requests left in this second; undefined if the plan has no rate limit. */
  readonly rateRemaining: number | undefined
  readonly refusal?: Refusal
  /** Seconds after which a refused request may be retried. */
  readonly retryAfter?: number
}

/** The use of a quota; `granted` is absent if it is unlimited. */
interface QuotaState {
  readonly granted?: number
  readonly used: number
  readonly reset: number
}

/** Enforces the quotas and rate limits of plans. */
export interface Meter {
  /** Counts one request, unless it exceeds the plan. */
  admit(key: MeteredKey, now: number): Admission
  /** The current state of the quota. Counts nothing. */
  peek(key: MeteredKey, now: number): QuotaState
  /**
   * Counts an admitted request as several of the quota. If the quota has fewer left, the request is refused and nothing
   * is counted. The rate limit counts it once.
   */
  charge(key: MeteredKey, admission: Admission, cost: number, now: number): Admission
  /** Returns what an admitted request was counted for to the quota, but not to the rate limit. */
  refund(key: MeteredKey, admission: Pick<Admission, 'cost'>): void
  /** Adds the pending counts to the shared counters, and reads the totals of all processes. */
  flush(): Promise<void>
  /** Starts to flush once per interval. */
  start(): void
  /** Flushes a last time and stops. */
  stop(): Promise<void>
}

interface MeterOptions {
  readonly clock: Clock
  /** How many processes share the counters now; 1 by default. */
  readonly processes?: number | (() => number)
  readonly flushIntervalMs?: number
  /**
   * The share of a rate that a process admits at any time, whatever the others do. Undefined: see `createMeter`. With it,
   * no second exceeds the sum of the shares.
   */
  readonly fixedRateShare?: (rate: number) => number
  /** Counters unused for this long are evicted from memory. */
  readonly evictAfterSeconds?: number
  /** Called when a flush fails. The counts stay pending and are flushed the next time. */
  readonly onError?: (error: unknown) => void
}

/** The counter of one quota owner in this process. */
interface QuotaCounter {
  readonly owner: string
  plan: Plan
  period: CalendarPeriod
  /** The total of all processes at the last flush. */
  storedTotal: number
  /** Counted and not yet flushed. */
  pending: number
  /** Being flushed. */
  inFlight: number
  /** When this many are pending, they are flushed without waiting for the interval. */
  lease: number
  second: number
  admittedInSecond: number
  /** Requests per second that other processes admitted before the last flush. */
  otherRate: number
  /** When `otherRate` was measured, the total at that time if known, and what was flushed from here since. */
  measuredAt: number
  measuredTotal: number | undefined
  sentSinceMeasured: number
  lastUsedAt: number
}

/** The share of the remaining quota that all processes together may admit between flushes. */
const LEASED_SHARE = 1 / 4

/** Requests that a process may admit beyond its lease while a flush is running. */
const LEASE_SLACK = 16

/**
 * Creates a meter over shared counters. No request waits for them: each process counts in memory and flushes once per
 * interval, and earlier when it has used its lease. The lease is an even share of a quarter of the remaining quota.
 *
 * The limits are bounds, not exact. P processes together admit at most Q + P x (Q / 4P + 16) requests of a quota of Q,
 * as each may hold that many unflushed ones when the quota ends. A rate is a fixed window of one second: each process
 * admits all of it until its first flush, then subtracts what the others admitted, but keeps at least an even share,
 * rounded up. A killed process loses what it has not flushed. While flushes fail, the last known totals apply.
 */
export function createMeter(store: QuotaCounters, options: MeterOptions): Meter {
  const {
    clock,
    processes: processCount = 1,
    flushIntervalMs = 1000,
    evictAfterSeconds = 300,
    onError,
    fixedRateShare,
  } = options
  const processes = typeof processCount === 'function' ? processCount : () => processCount
  const counters = new Map<string, QuotaCounter>()
  /** Unflushed counts of counters that were replaced, as their period ended. */
  let orphaned: QuotaDelta[] = []
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined
  let failing = false

  function currentCounter({ quotaOwner, plan }: MeteredKey, now: number): QuotaCounter {
    const existing = counters.get(quotaOwner)
    if (existing !== undefined && now < existing.period.end && now >= existing.period.start) {
      if (existing.plan === plan) return existing
      if (existing.plan.quota?.per === plan.quota?.per) {
        existing.plan = plan
        existing.lease = computeLease(plan, existing.storedTotal)
        return existing
      }
    }
    const period = quotaPeriod(plan.quota?.per ?? 'month', now)
    if (existing !== undefined) orphan(existing)
    const total = store.total(quotaOwner, period.name)
    const storedTotal = total ?? 0
    const fresh: QuotaCounter = {
      owner: quotaOwner,
      plan,
      period,
      storedTotal,
      pending: 0,
      inFlight: 0,
      lease: computeLease(plan, storedTotal),
      second: now,
      admittedInSecond: existing?.second === now ? existing.admittedInSecond : 0,
      otherRate: 0,
      measuredAt: now,
      measuredTotal: total,
      sentSinceMeasured: 0,
      lastUsedAt: now,
    }
    counters.set(quotaOwner, fresh)
    return fresh
  }

  /** Keeps the pending count of a counter that was replaced. */
  function orphan({ owner, period, pending }: QuotaCounter): void {
    if (pending !== 0) orphaned.push({ owner, period: period.name, requests: pending })
  }

  function computeLease({ quota }: Plan, storedTotal: number): number {
    if (quota === undefined || processes() === 1) return Number.POSITIVE_INFINITY
    return Math.max(1, Math.floor(((quota.requests - storedTotal) * LEASED_SHARE) / processes()))
  }

  function admit(key: MeteredKey, now: number): Admission {
    const counter = currentCounter(key, now)
    const { plan, period } = counter
    const resetsAt = period.end
    if (counter.second !== now) {
      counter.second = now
      counter.admittedInSecond = 0
    }
    counter.lastUsedAt = now
    const used = Math.max(0, counter.storedTotal + counter.inFlight + counter.pending)
    const periodSeconds = period.end - period.start
    const share = plan.rate === undefined ? undefined : rateShare(plan.rate, counter.otherRate)
    const rateRemaining = share === undefined ? undefined : Math.max(0, share - counter.admittedInSecond)
    if (plan.quota !== undefined && used >= plan.quota.requests) {
      const retryAfter = Math.max(1, resetsAt - now)
      return { plan, used, cost: 0, resetsAt, periodSeconds, rateRemaining, refusal: 'quota_exceeded', retryAfter }
    }
    if (rateRemaining === 0 || (counter.pending + counter.inFlight >= counter.lease + LEASE_SLACK && !failing)) {
      return { plan, used, cost: 0, resetsAt, periodSeconds, rateRemaining, refusal: 'rate_limited', retryAfter: 1 }
    }
    counter.pending++
    counter.admittedInSecond++
    if (counter.pending >= counter.lease && counter.inFlight === 0 && !failing) flushEarly(counter)
    const rateAfter = rateRemaining === undefined ? undefined : rateRemaining - 1
    return { plan, used: used + 1, cost: 1, resetsAt, periodSeconds, rateRemaining: rateAfter }
  }

  function charge(key: MeteredKey, admission: Admission, cost: number, now: number): Admission {
    const { plan, resetsAt } = admission
    const used = admission.used - admission.cost + cost
    if (plan.quota === undefined || used <= plan.quota.requests) {
      addPending(key, cost - admission.cost)
      return { ...admission, used, cost }
    }
    addPending(key, -admission.cost)
    const retryAfter = Math.max(1, resetsAt - now)
    return { ...admission, used: admission.used - admission.cost, cost: 0, refusal: 'quota_exceeded', retryAfter }
  }

  function addPending({ quotaOwner }: MeteredKey, requests: number): void {
    const counter = counters.get(quotaOwner)
    if (counter !== undefined) counter.pending += requests
  }

  function rateShare(rate: number, otherRate: number): number {
    return fixedRateShare?.(rate) ?? Math.max(Math.ceil(rate / processes()), Math.floor(rate - otherRate))
  }

  function flushEarly(counter: QuotaCounter): void {
    send([counter], []).catch((error) => onError?.(error))
  }

  /** Flushes the pending counts and stores the totals. If that fails, they are pending again. */
  async function send(sent: readonly QuotaCounter[], extra: readonly QuotaDelta[]): Promise<void> {
    const deltas = sent.map(({ owner, period, pending }) => ({ owner, period: period.name, requests: pending }))
    sent.forEach((counter) => {
      counter.inFlight += counter.pending
      counter.sentSinceMeasured += counter.pending
      counter.pending = 0
    })
    let totals: number[]
    try {
      totals = await store.add([...deltas, ...extra])
      failing = false
    } catch (error) {
      failing = true
      sent.forEach((counter, i) => {
        const { requests } = deltas[i] as QuotaDelta
        counter.inFlight -= requests
        counter.sentSinceMeasured -= requests
        counter.pending += requests
        if (counters.get(counter.owner) !== counter) orphan(counter)
      })
      orphaned.push(...extra)
      throw error
    }
    sent.forEach((counter, i) => {
      counter.inFlight -= (deltas[i] as QuotaDelta).requests
      counter.storedTotal = totals[i] as number
      counter.lease = computeLease(counter.plan, counter.storedTotal)
    })
  }

  async function flushOnce(): Promise<void> {
    const flushed = [...counters.values()]
    const extra = orphaned
    if (flushed.length === 0 && extra.length === 0) return
    orphaned = []
    await send(flushed, extra)
    const now = clock()
    for (const counter of flushed) {
      const elapsed = Math.max(1, now - counter.measuredAt)
      counter.otherRate =
        Math.max(0, counter.storedTotal - (counter.measuredTotal ?? counter.storedTotal) - counter.sentSinceMeasured) /
        elapsed
      counter.measuredAt = now
      counter.measuredTotal = counter.storedTotal
      counter.sentSinceMeasured = counter.inFlight
      const isIdle = counter.pending === 0 && counter.inFlight === 0 && now - counter.lastUsedAt > evictAfterSeconds
      if (isIdle && counters.get(counter.owner) === counter) counters.delete(counter.owner)
    }
  }

  function flush(): Promise<void> {
    flushing ??= flushOnce().finally(() => {
      flushing = undefined
    })
    return flushing
  }

  return {
    admit,
    peek(key, now) {
      const { storedTotal, inFlight, pending, period, plan } = currentCounter(key, now)
      const used = Math.max(
        0,
        Math.max(storedTotal, store.total(key.quotaOwner, period.name) ?? 0) + inFlight + pending,
      )
      return { ...(plan.quota !== undefined && { granted: plan.quota.requests }), used, reset: period.end }
    },
    charge,
    refund(key, { cost }) {
      addPending(key, -cost)
    },
    flush,
    start() {
      timer ??= setInterval(() => flush().catch((error) => onError?.(error)), flushIntervalMs).unref()
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
      await flushing?.catch(() => {})
      await flush()
    },
  }
}
