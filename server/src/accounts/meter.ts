import { type Clock, SECONDS_PER_DAY, startOfDay } from '../model/clock.ts'
import type { KeyRecord } from './key-store.ts'
import { type Plan, planNamed, type QuotaPeriod } from './plan.ts'
import type { UsageDelta, UsageStore } from './usage-store.ts'

/** Why a request was not admitted. */
export type Refusal = 'quota_exceeded' | 'rate_limited'

/** What the meter says of one request, refused or not. */
export interface Admission {
  readonly plan: Plan
  /** Requests counted in the period, this one included if it was admitted. */
  readonly used: number
  /** The instant at which the count starts anew. */
  readonly reset: number
  /** Length of the period in seconds. */
  readonly window: number
  /** Requests left in this second; undefined where the plan has no rate. */
  readonly rateLeft: number | undefined
  readonly refusal?: Refusal
  /** Seconds after which a refused request may be tried again. */
  readonly retryAfter?: number
}

/** Counts requests by key and says which exceed the plan. */
export interface Meter {
  /** Counts one request, unless it exceeds the plan. */
  admit(record: KeyRecord, now: number): Admission
  /** Takes an admitted request back from the quota; the rate still holds it. */
  refund(record: KeyRecord): void
  /** Adds what was counted since the last time to the shared store, and reads the totals of all processes. */
  settle(): Promise<void>
  /** Settles about once a second from now on. */
  start(): void
  /** Settles a last time and ends. */
  stop(): Promise<void>
}

/** What a meter can be told. */
export interface MeterOptions {
  readonly clock: Clock
  /** How many processes share the store; 1 by default. */
  readonly processes?: number
  readonly intervalMs?: number
  /** Called when a settlement fails; the counts are kept and settled the next time. */
  readonly onError?: (error: unknown) => void
}

/** A key's counts within one process. */
interface Count {
  readonly keyId: string
  readonly plan: Plan
  period: Period
  /** What the store held when last read. */
  settled: number
  /** Counted here and not yet settled. */
  pending: number
  second: number
  inSecond: number
  /** Requests a second that other processes admitted between the last two settlements. */
  elsewhere: number
  settledAt: number
  lastUsed: number
}

interface Period {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Keys unused for this long are dropped from memory; the store still has their counts. */
const FORGET_AFTER_SECONDS = 300

/**
 * A meter on a shared store. No request waits for the store: each process counts in memory and settles about once a
 * second. The price is a bound, not exactness. One process learns what another admitted after both have settled, so
 * within about two intervals; of a quota, the processes together can grant about (processes - 1) x rate x two intervals
 * too much. Of a rate, each process can grant all of it until then; afterwards each leaves room for what the others
 * admitted, though never less than its even share, rounded up. A process that is killed loses its unsettled counts.
 */
export function createMeter(store: UsageStore, options: MeterOptions): Meter {
  const { clock, processes = 1, intervalMs = 1000, onError } = options
  const counts = new Map<string, Count>()
  /** Counts of periods that ended before they were settled. */
  let leftovers: UsageDelta[] = []
  let timer: NodeJS.Timeout | undefined
  let settling: Promise<void> | undefined

  function countOf(record: KeyRecord, now: number): Count {
    const known = counts.get(record.id)
    if (known !== undefined && now < known.period.end && now >= known.period.start) return known
    const plan = planNamed(record.plan)
    const period = periodOf(plan.quota?.per ?? 'month', now)
    if (known !== undefined && known.pending !== 0) {
      leftovers.push({ keyId: known.keyId, period: known.period.name, requests: known.pending })
    }
    const fresh: Count = {
      keyId: record.id,
      plan,
      period,
      settled: store.total(record.id, period.name),
      pending: 0,
      second: now,
      inSecond: known?.second === now ? known.inSecond : 0,
      elsewhere: 0,
      settledAt: now,
      lastUsed: now,
    }
    counts.set(record.id, fresh)
    return fresh
  }

  function admit(record: KeyRecord, now: number): Admission {
    const count = countOf(record, now)
    const { plan, period } = count
    if (count.second !== now) {
      count.second = now
      count.inSecond = 0
    }
    count.lastUsed = now
    const used = Math.max(0, count.settled + count.pending)
    const window = period.end - period.start
    const share = plan.rate === undefined ? undefined : shareOfRate(plan.rate, count.elsewhere)
    const rateLeft = share === undefined ? undefined : Math.max(0, share - count.inSecond)
    if (plan.quota !== undefined && used >= plan.quota.requests) {
      const retryAfter = Math.max(1, period.end - now)
      return { plan, used, reset: period.end, window, rateLeft, refusal: 'quota_exceeded', retryAfter }
    }
    if (rateLeft === 0) {
      return { plan, used, reset: period.end, window, rateLeft, refusal: 'rate_limited', retryAfter: 1 }
    }
    count.pending++
    count.inSecond++
    const left = rateLeft === undefined ? undefined : rateLeft - 1
    return { plan, used: used + 1, reset: period.end, window, rateLeft: left }
  }

  function shareOfRate(rate: number, elsewhere: number): number {
    return Math.max(Math.ceil(rate / processes), Math.floor(rate - elsewhere))
  }

  async function settleOnce(): Promise<void> {
    const now = clock()
    const touched = [...counts.values()]
    const sent = touched.map((count) => ({ keyId: count.keyId, period: count.period.name, requests: count.pending }))
    const sentLeftovers = leftovers
    if (sent.length === 0 && sentLeftovers.length === 0) return
    leftovers = []
    let totals: number[]
    try {
      totals = await store.add([...sent, ...sentLeftovers])
    } catch (error) {
      leftovers = [...sentLeftovers, ...leftovers]
      throw error
    }
    touched.forEach((count, i) => {
      const { requests, period } = sent[i] as UsageDelta
      const total = totals[i] as number
      if (counts.get(count.keyId) !== count) {
        // The period ended meanwhile, and all that was pending went to the leftovers: what was just sent is taken out.
        leftovers.push({ keyId: count.keyId, period, requests: -requests })
        return
      }
      const elapsed = Math.max(1, now - count.settledAt)
      count.elsewhere = Math.max(0, total - count.settled - requests) / elapsed
      count.settled = total
      count.settledAt = now
      count.pending -= requests
      if (count.pending === 0 && now - count.lastUsed > FORGET_AFTER_SECONDS) counts.delete(count.keyId)
    })
  }

  function settle(): Promise<void> {
    settling ??= settleOnce().finally(() => {
      settling = undefined
    })
    return settling
  }

  return {
    admit,
    refund(record) {
      const count = counts.get(record.id)
      if (count !== undefined) count.pending--
    },
    settle,
    start() {
      timer ??= setInterval(() => settle().catch((error) => onError?.(error)), intervalMs).unref()
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
export function periodOf(per: QuotaPeriod, now: number): Period {
  const iso = new Date(now * 1000).toISOString()
  if (per === 'day') {
    return { name: iso.slice(0, 10), start: startOfDay(now), end: startOfDay(now) + SECONDS_PER_DAY }
  }
  const year = Number(iso.slice(0, 4))
  const month = Number(iso.slice(5, 7))
  return { name: iso.slice(0, 7), start: Date.UTC(year, month - 1) / 1000, end: Date.UTC(year, month) / 1000 }
}
