import type { Clock } from '../lib/clock.ts'
import { SECONDS_PER_DAY, startOfDay } from '../model/time.ts'
import type { KnownKey } from './key-store.ts'
import type { Plan, QuotaPeriod } from './plan.ts'
import type { QuotaCounts, QuotaDelta } from './quota-counts.ts'

/** What the meter has to know of a key. */
export type MeteredKey = Pick<KnownKey, 'countedFor' | 'plan'>

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
  settle(): Promise<void>
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
  readonly intervalMs?: number
  /** Keys unused for so long are dropped from memory; the store still has their counts. */
  readonly forgetAfterSeconds?: number
  /** Called when a settlement fails; the counts are kept and settled the next time. */
  readonly onError?: (error: unknown) => void
}

/** The counts of one owner of keys within one process. */
interface Count {
  readonly owner: string
  plan: Plan
  period: Period
  /** What the store held when last read. */
  settled: number
  /** Counted here and not yet sent to the store. */
  pending: number
  /** Sent to the store, which has not answered yet. */
  underWay: number
  /** How much may be pending before it is sent without waiting for the second to end. */
  lease: number
  second: number
  inSecond: number
  /** Requests a second that other processes admitted lately. */
  elsewhere: number
  /** When that was last reckoned, what the store held then, if that was known, and what was sent from here since. */
  reckonedAt: number
  reckonedTotal: number | undefined
  sentSince: number
  lastUsed: number
}

interface Period {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The part of what is left of a quota that all processes together may grant without telling each other. */
const LEASED_PART = 1 / 4

/** Requests that a process may grant beyond its lease while the store is answering. */
const SLACK = 16

/**
 * A meter on a shared store. No request waits for the store: each process counts in memory and settles about once a
 * second, and sooner when it has granted its lease, which is an even share of a quarter of what is left. The price is a
 * bound, not exactness: of a quota of Q, P processes together grant at most Q + P x (Q / 4P + 16), since each may have
 * that much in hand when the last of the quota is settled, and less the slower the requests come. Of a rate, each process can grant all of it until it has heard of the others; afterwards
 * each leaves room for what the others admitted, though never less than its even share, rounded up. A process that is
 * killed loses what it counted since it last settled. While the store fails, what is known of a quota goes on to count.
 */
export function createMeter(store: QuotaCounts, options: MeterOptions): Meter {
  const { clock, processes: given = 1, intervalMs = 1000, forgetAfterSeconds = 300, onError } = options
  const processes = typeof given === 'function' ? given : () => given
  const counts = new Map<string, Count>()
  /** Counts of periods that ended before they were settled. */
  let leftovers: QuotaDelta[] = []
  let timer: NodeJS.Timeout | undefined
  let settling: Promise<void> | undefined
  let failing = false

  function countOf({ countedFor, plan }: MeteredKey, now: number): Count {
    const known = counts.get(countedFor)
    if (known !== undefined && now < known.period.end && now >= known.period.start) {
      if (known.plan === plan) return known
      if (known.plan.quota?.per === plan.quota?.per) {
        known.plan = plan
        known.lease = leaseOf(plan, known.settled)
        return known
      }
    }
    const period = periodOf(plan.quota?.per ?? 'month', now)
    if (known !== undefined) leave(known)
    const total = store.total(countedFor, period.name)
    const settled = total ?? 0
    const fresh: Count = {
      owner: countedFor,
      plan,
      period,
      settled,
      pending: 0,
      underWay: 0,
      lease: leaseOf(plan, settled),
      second: now,
      inSecond: known?.second === now ? known.inSecond : 0,
      elsewhere: 0,
      reckonedAt: now,
      reckonedTotal: total,
      sentSince: 0,
      lastUsed: now,
    }
    counts.set(countedFor, fresh)
    return fresh
  }

  /** Keeps what is pending of a count that is no longer the present one. */
  function leave({ owner, period, pending }: Count): void {
    if (pending !== 0) leftovers.push({ owner, period: period.name, requests: pending })
  }

  function leaseOf({ quota }: Plan, settled: number): number {
    if (quota === undefined || processes() === 1) return Number.POSITIVE_INFINITY
    return Math.max(1, Math.floor(((quota.requests - settled) * LEASED_PART) / processes()))
  }

  function admit(key: MeteredKey, now: number): Admission {
    const count = countOf(key, now)
    const { plan, period } = count
    if (count.second !== now) {
      count.second = now
      count.inSecond = 0
    }
    count.lastUsed = now
    const used = Math.max(0, count.settled + count.underWay + count.pending)
    const window = period.end - period.start
    const share = plan.rate === undefined ? undefined : shareOfRate(plan.rate, count.elsewhere)
    const rateLeft = share === undefined ? undefined : Math.max(0, share - count.inSecond)
    if (plan.quota !== undefined && used >= plan.quota.requests) {
      const retryAfter = Math.max(1, period.end - now)
      return { plan, used, reset: period.end, window, rateLeft, refusal: 'quota_exceeded', retryAfter }
    }
    if (rateLeft === 0 || (count.pending + count.underWay >= count.lease + SLACK && !failing)) {
      return { plan, used, reset: period.end, window, rateLeft, refusal: 'rate_limited', retryAfter: 1 }
    }
    count.pending++
    count.inSecond++
    if (count.pending >= count.lease && count.underWay === 0 && !failing) settleEarly(count)
    const left = rateLeft === undefined ? undefined : rateLeft - 1
    return { plan, used: used + 1, reset: period.end, window, rateLeft: left }
  }

  function shareOfRate(rate: number, elsewhere: number): number {
    return Math.max(Math.ceil(rate / processes()), Math.floor(rate - elsewhere))
  }

  function settleEarly(count: Count): void {
    send([count], []).catch((error) => onError?.(error))
  }

  /** Sends what is pending of some counts, and takes over the totals. What cannot be sent is pending again. */
  async function send(sent: readonly Count[], extra: readonly QuotaDelta[]): Promise<void> {
    const deltas = sent.map(({ owner, period, pending }) => ({ owner, period: period.name, requests: pending }))
    sent.forEach((count) => {
      count.underWay += count.pending
      count.sentSince += count.pending
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
        count.underWay -= requests
        count.sentSince -= requests
        count.pending += requests
        if (counts.get(count.owner) !== count) leave(count)
      })
      leftovers.push(...extra)
      throw error
    }
    sent.forEach((count, i) => {
      count.underWay -= (deltas[i] as QuotaDelta).requests
      count.settled = totals[i] as number
      count.lease = leaseOf(count.plan, count.settled)
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
      const elapsed = Math.max(1, now - count.reckonedAt)
      count.elsewhere = Math.max(0, count.settled - (count.reckonedTotal ?? count.settled) - count.sentSince) / elapsed
      count.reckonedAt = now
      count.reckonedTotal = count.settled
      count.sentSince = count.underWay
      const idle = count.pending === 0 && count.underWay === 0 && now - count.lastUsed > forgetAfterSeconds
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
      const { settled, underWay, pending, period, plan } = countOf(key, now)
      const used = Math.max(0, Math.max(settled, store.total(key.countedFor, period.name) ?? 0) + underWay + pending)
      return { ...(plan.quota !== undefined && { granted: plan.quota.requests }), used, reset: period.end }
    },
    refund({ countedFor }) {
      const count = counts.get(countedFor)
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
