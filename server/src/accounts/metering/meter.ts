import type { Clock } from '../../lib/clock.ts'
import { SECONDS_PER_DAY, startOfDay } from '../../model/time.ts'
import type { ResolvedKey } from '../keys/key-store.ts'
import type { Plan, QuotaPeriod } from '../plans/plan.ts'
import type { QuotaCounters, QuotaDelta } from './quota-counters.ts'

/** What the meter has to know of a key. */
export type MeteredKey = Pick<ResolvedKey, 'quotaOwner' | 'plan'>

/** Why a request was not admitted. */
export type Refusal = 'quota_exceeded' | 'rate_limited'

/** What the meter says of one request, refused or not. */
export interface Admission {
  readonly plan: Plan
  /** Requests counted in the period, this one included if it was admitted. */
  readonly used: number
  /** The instant at which the count starts anew. */
  readonly resetsAt: number
  /** Length of the period in seconds. */
  readonly periodSeconds: number
  /** Requests left in this second; undefined where the plan has no rate. */
  readonly rateRemaining: number | undefined
  readonly refusal?: Refusal
  /** Seconds after which a refused request may be tried again. */
  readonly retryAfter?: number
}

/** How far a quota is used up; `granted` is absent where there is no limit. */
export interface QuotaState {
  readonly granted?: number
  readonly used: number
  readonly reset: number
}

/** Counts requests by key and says which exceed the plan. */
export interface Meter {
  /** Counts one request, unless it exceeds the plan. */
  admit(key: MeteredKey, now: number): Admission
  /** What is left at the moment, without counting anything. */
  peek(key: MeteredKey, now: number): QuotaState
  /** Takes an admitted request back from the quota; the rate still holds it. */
  refund(key: MeteredKey): void
  /** Adds what was counted since the last time to the shared store, and reads the totals of all processes. */
  flush(): Promise<void>
  /** Settles about once a second from now on. */
  start(): void
  /** Settles a last time and ends. */
  stop(): Promise<void>
}

/** What a meter can be told. */
export interface MeterOptions {
  readonly clock: Clock
  /** How many processes share the store, as far as is known at the moment; 1 by default. */
  readonly processes?: number | (() => number)
  readonly flushIntervalMs?: number
  /** Keys unused for so long are dropped from memory; the store still has their counts. */
  readonly evictAfterSeconds?: number
  /** Called when a settlement fails; the counts are kept and settled the next time. */
  readonly onError?: (error: unknown) => void
}

/** The counts of one owner of keys within one process. */
interface QuotaCounter {
  readonly owner: string
  plan: Plan
  period: Period
  /** What the store held when last read. */
  storedTotal: number
  /** AttemptCounter here and not yet sent to the store. */
  pending: number
  /** Sent to the store, which has not answered yet. */
  inFlight: number
  /** How much may be pending before it is sent without waiting for the second to end. */
  lease: number
  second: number
  admittedInSecond: number
  /** Requests a second that other processes admitted lately. */
  otherRate: number
  /** When that was last reckoned, what the store held then, if that was known, and what was sent from here since. */
  measuredAt: number
  measuredTotal: number | undefined
  sentSinceMeasured: number
  lastUsedAt: number
}

interface Period {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The part of what is left of a quota that all processes together may grant without telling each other. */
const LEASED_SHARE = 1 / 4

/** Requests that a process may grant beyond its lease while the store is answering. */
const LEASE_SLACK = 16

/**
 * A meter on a shared store. No request waits for the store: each process counts in memory and settles about once a
 * second, and sooner when it has granted its lease, which is an even share of a quarter of what is left. The price is a
 * bound, not exactness: of a quota of Q, P processes together grant at most Q + P x (Q / 4P + 16), since each may have
 * that much in hand when the last of the quota is settled, and less the slower the requests come. Of a rate, each process can grant all of it until it has heard of the others; afterwards
 * each leaves room for what the others admitted, though never less than its even share, rounded up. A process that is
 * killed loses what it counted since it last settled. While the store fails, what is known of a quota goes on to count.
 */
export function createMeter(store: QuotaCounters, options: MeterOptions): Meter {
  const { clock, processes: given = 1, flushIntervalMs = 1000, evictAfterSeconds = 300, onError } = options
  const processes = typeof given === 'function' ? given : () => given
  const counts = new Map<string, QuotaCounter>()
  /** Counts of periods that ended before they were settled. */
  let leftovers: QuotaDelta[] = []
  let timer: NodeJS.Timeout | undefined
  let settling: Promise<void> | undefined
  let failing = false

  function countOf({ quotaOwner, plan }: MeteredKey, now: number): QuotaCounter {
    const known = counts.get(quotaOwner)
    if (known !== undefined && now < known.period.end && now >= known.period.start) {
      if (known.plan === plan) return known
      if (known.plan.quota?.per === plan.quota?.per) {
        known.plan = plan
        known.lease = leaseOf(plan, known.storedTotal)
        return known
      }
    }
    const period = quotaPeriod(plan.quota?.per ?? 'month', now)
    if (known !== undefined) leave(known)
    const total = store.total(quotaOwner, period.name)
    const settled = total ?? 0
    const fresh: QuotaCounter = {
      owner: quotaOwner,
      plan,
      period,
      storedTotal: settled,
      pending: 0,
      inFlight: 0,
      lease: leaseOf(plan, settled),
      second: now,
      admittedInSecond: known?.second === now ? known.admittedInSecond : 0,
      otherRate: 0,
      measuredAt: now,
      measuredTotal: total,
      sentSinceMeasured: 0,
      lastUsedAt: now,
    }
    counts.set(quotaOwner, fresh)
    return fresh
  }

  /** Keeps what is pending of a count that is no longer the present one. */
  function leave({ owner, period, pending }: QuotaCounter): void {
    if (pending !== 0) leftovers.push({ owner, period: period.name, requests: pending })
  }

  function leaseOf({ quota }: Plan, settled: number): number {
    if (quota === undefined || processes() === 1) return Number.POSITIVE_INFINITY
    return Math.max(1, Math.floor(((quota.requests - settled) * LEASED_SHARE) / processes()))
  }

  function admit(key: MeteredKey, now: number): Admission {
    const count = countOf(key, now)
    const { plan, period } = count
    if (count.second !== now) {
      count.second = now
      count.admittedInSecond = 0
    }
    count.lastUsedAt = now
    const used = Math.max(0, count.storedTotal + count.inFlight + count.pending)
    const window = period.end - period.start
    const share = plan.rate === undefined ? undefined : shareOfRate(plan.rate, count.otherRate)
    const rateLeft = share === undefined ? undefined : Math.max(0, share - count.admittedInSecond)
    if (plan.quota !== undefined && used >= plan.quota.requests) {
      const retryAfter = Math.max(1, period.end - now)
      return {
        plan,
        used,
        resetsAt: period.end,
        periodSeconds: window,
        rateRemaining: rateLeft,
        refusal: 'quota_exceeded',
        retryAfter,
      }
    }
    if (rateLeft === 0 || (count.pending + count.inFlight >= count.lease + LEASE_SLACK && !failing)) {
      return {
        plan,
        used,
        resetsAt: period.end,
        periodSeconds: window,
        rateRemaining: rateLeft,
        refusal: 'rate_limited',
        retryAfter: 1,
      }
    }
    count.pending++
    count.admittedInSecond++
    if (count.pending >= count.lease && count.inFlight === 0 && !failing) settleEarly(count)
    const left = rateLeft === undefined ? undefined : rateLeft - 1
    return { plan, used: used + 1, resetsAt: period.end, periodSeconds: window, rateRemaining: left }
  }

  function shareOfRate(rate: number, elsewhere: number): number {
    return Math.max(Math.ceil(rate / processes()), Math.floor(rate - elsewhere))
  }

  function settleEarly(count: QuotaCounter): void {
    send([count], []).catch((error) => onError?.(error))
  }

  /** Sends what is pending of some counts, and takes over the totals. What cannot be sent is pending again. */
  async function send(sent: readonly QuotaCounter[], extra: readonly QuotaDelta[]): Promise<void> {
    const deltas = sent.map(({ owner, period, pending }) => ({ owner, period: period.name, requests: pending }))
    sent.forEach((count) => {
      count.inFlight += count.pending
      count.sentSinceMeasured += count.pending
      count.pending = 0
    })
    let totals: number[]
    try {
      totals = await store.add([...deltas, ...extra])
      failing = false
    } catch (error) {
      failing = true
      sent.forEach((count, i) => {
        const { requests } = deltas[i] as QuotaDelta
        count.inFlight -= requests
        count.sentSinceMeasured -= requests
        count.pending += requests
        if (counts.get(count.owner) !== count) leave(count)
      })
      leftovers.push(...extra)
      throw error
    }
    sent.forEach((count, i) => {
      count.inFlight -= (deltas[i] as QuotaDelta).requests
      count.storedTotal = totals[i] as number
      count.lease = leaseOf(count.plan, count.storedTotal)
    })
  }

  async function settleOnce(): Promise<void> {
    const touched = [...counts.values()]
    const extra = leftovers
    if (touched.length === 0 && extra.length === 0) return
    leftovers = []
    await send(touched, extra)
    const now = clock()
    for (const count of touched) {
      const elapsed = Math.max(1, now - count.measuredAt)
      count.otherRate =
        Math.max(0, count.storedTotal - (count.measuredTotal ?? count.storedTotal) - count.sentSinceMeasured) / elapsed
      count.measuredAt = now
      count.measuredTotal = count.storedTotal
      count.sentSinceMeasured = count.inFlight
      const idle = count.pending === 0 && count.inFlight === 0 && now - count.lastUsedAt > evictAfterSeconds
      if (idle && counts.get(count.owner) === count) counts.delete(count.owner)
    }
  }

  function settle(): Promise<void> {
    settling ??= settleOnce().finally(() => {
      settling = undefined
    })
    return settling
  }

  return {
    admit,
    peek(key, now) {
      const { storedTotal, inFlight, pending, period, plan } = countOf(key, now)
      const used = Math.max(
        0,
        Math.max(storedTotal, store.total(key.quotaOwner, period.name) ?? 0) + inFlight + pending,
      )
      return { ...(plan.quota !== undefined && { granted: plan.quota.requests }), used, reset: period.end }
    },
    refund({ quotaOwner }) {
      const count = counts.get(quotaOwner)
      if (count !== undefined) count.pending--
    },
    flush: settle,
    start() {
      timer ??= setInterval(() => settle().catch((error) => onError?.(error)), flushIntervalMs).unref()
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
      await settling?.catch(() => {})
      await settle()
    },
  }
}

/** The calendar month or day, in UTC, that holds the instant. */
export function quotaPeriod(per: QuotaPeriod, now: number): Period {
  const iso = new Date(now * 1000).toISOString()
  if (per === 'day') {
    return { name: iso.slice(0, 10), start: startOfDay(now), end: startOfDay(now) + SECONDS_PER_DAY }
  }
  const year = Number(iso.slice(0, 4))
  const month = Number(iso.slice(5, 7))
  return { name: iso.slice(0, 7), start: Date.UTC(year, month - 1) / 1000, end: Date.UTC(year, month) / 1000 }
}
