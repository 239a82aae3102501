import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { type Accounts, openAccounts } from '../accounts.ts'
import { bucketUpperBound, latencyBucket, percentile, UsageRecorder } from './usage-recorder.ts'
import { buildUsageReport } from './usage-report.ts'

const NOON = Date.UTC(2026, 2, 15, 12) / 1000
const DAY = 86_400

let accounts: Accounts
let now: number
let recorder: UsageRecorder
beforeEach(() => {
  accounts = openAccounts(temporaryFolder())
  now = NOON
  recorder = new UsageRecorder(accounts.usage, () => now)
  onTestFinished(() => accounts.close())
})

const report = (span: 'hour' | 'day', spans: number, ...keyIds: string[]) =>
  buildUsageReport(accounts.usage, {
    keyIds,
    span,
    from: now + 1 - spans * (span === 'day' ? DAY : 3_600),
    to: now + 1,
  })

test('requests are reported by hour and by day, endpoint and status', async () => {
  for (let i = 0; i < 3; i++) recorder.record('a', 'getShow', 200, 1, undefined)
  recorder.record('a', 'getShow', 404, 1, undefined)
  recorder.record('b', 'getGenres', 200, 1, undefined)
  await recorder.flush()
  now += 3_600
  recorder.record('a', 'getChanges', 304, 1, 'https://app.example')
  await recorder.flush()

  const hours = report('hour', 2, 'a')
  expect(hours.spans.map(({ requests }) => requests)).toEqual([0, 4, 1].slice(-hours.spans.length))
  const days = report('day', 2, 'a', 'b')
  expect(days.requests).toBe(6)
  expect(days.spans.at(-1)).toMatchObject({ start: NOON - DAY / 2, requests: 6, statuses: { 200: 4, 304: 1, 404: 1 } })
  expect(days.endpoints.map(({ endpoint, requests }) => [endpoint, requests])).toEqual([
    ['getShow', 4],
    ['getChanges', 1],
    ['getGenres', 1],
  ])
  expect(accounts.usage.lastUse('a')).toMatchObject({ at: now, origin: 'https://app.example' })
})

test('the latest errors are kept, newest first', async () => {
  for (let i = 0; i < 60; i++) {
    recorder.recordFailure('a', { at: now, endpoint: 'getShow', status: 404, code: `c${i}` })
    if (i % 10 === 9) await recorder.flush()
    now++
  }
  const { failures } = report('day', 1, 'a')
  expect(failures).toHaveLength(50)
  expect(failures[0]).toMatchObject({ keyId: 'a', code: 'c59' })
})

test('while flushes fail, memory grows with keys and hours, not with seconds', async () => {
  let away = true
  const sent: number[] = []
  const flaky = new UsageRecorder(
    {
      ...accounts.usage,
      add: (deltas) => {
        sent.push(deltas.length)
        return away ? Promise.reject(new Error('away')) : accounts.usage.add(deltas)
      },
    },
    () => now,
  )
  now = NOON + 3_500
  for (let i = 0; i < 200; i++) {
    for (const key of ['a', 'b']) flaky.record(key, 'getShow', 200, 1, i === 0 ? 'https://app.example' : undefined)
    flaky.recordFailure('a', { at: now, endpoint: 'getShow', status: 404, code: `c${i}` })
    await expect(flaky.flush()).rejects.toThrow('away')
    now++
  }
  away = false
  await flaky.flush()
  expect(sent.at(-1)).toBe(4)
  expect(
    report('hour', 2, 'a')
      .spans.map(({ requests }) => requests)
      .slice(-2),
  ).toEqual([100, 100])
  expect(report('hour', 2, 'b').requests).toBe(200)
  expect(
    report('day', 1, 'a')
      .failures.map(({ code }) => code)
      .slice(0, 2),
  ).toEqual(['c199', 'c198'])
  expect(accounts.usage.lastUse('a')).toMatchObject({ at: now - 1, origin: 'https://app.example' })
})

test('what cannot be flushed is flushed the next time', async () => {
  let fail = true
  const flaky = new UsageRecorder(
    { ...accounts.usage, add: (deltas) => (fail ? Promise.reject(new Error('away')) : accounts.usage.add(deltas)) },
    () => now,
  )
  flaky.record('a', 'getShow', 200, 1, undefined)
  await expect(flaky.flush()).rejects.toThrow('away')
  fail = false
  flaky.record('a', 'getShow', 200, 1, undefined)
  await flaky.flush()
  expect(report('day', 1, 'a').requests).toBe(2)
})

test('hours are retained for five weeks and days for thirteen months', async () => {
  recorder.record('a', 'getShow', 200, 1, undefined)
  await recorder.flush()
  const kept = async (days: number) => {
    await accounts.prune(NOON + days * DAY)
    return (['hour', 'day'] as const).map((span) => [...accounts.usage.read(span, 'a', 0, NOON + 1)].length)
  }
  expect(await kept(34)).toEqual([1, 1])
  expect(await kept(36)).toEqual([0, 1])
  expect(await kept(396)).toEqual([0, 1])
  expect(await kept(401)).toEqual([0, 0])
})

describe('latencies', () => {
  test('every latency is within the bounds of its bucket', () => {
    for (let ms = 0.06; ms < 50_000; ms *= 1.01) {
      const step = latencyBucket(ms)
      expect(ms).toBeLessThanOrEqual(bucketUpperBound(step) * 1.000001)
      expect(ms).toBeGreaterThan(bucketUpperBound(step - 1) * 0.999999)
    }
  })

  test('percentiles are within half an octave of the true ones', () => {
    const counts: Record<number, number> = {}
    const add = (ms: number) => (counts[latencyBucket(ms)] = (counts[latencyBucket(ms)] ?? 0) + 1)
    for (let i = 1; i <= 1_000; i++) add(i / 10)
    for (const [part, truth] of [
      [0.5, 50],
      [0.95, 95],
      [0.99, 99],
    ] as const) {
      expect(percentile(counts, part)).toBeGreaterThan(truth / 1.42)
      expect(percentile(counts, part)).toBeLessThan(truth * 1.42)
    }
    expect(percentile({}, 0.5)).toBeUndefined()
  })
})
