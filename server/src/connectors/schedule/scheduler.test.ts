import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { readScheduleStatus } from './schedule-status.ts'
import { Scheduler } from './scheduler.ts'
import { readSourceState, type SourceState, writeSourceState } from './source-state.ts'

const START = 1_794_700_000

/** A schedule whose clock the test sets, and whose runs end as the test says. */
function aSchedule(entries: readonly object[]) {
  const dataDirectory = temporaryFolder()
  const file = join(dataDirectory, 'sources.json')
  const logged: string[] = []
  const log = (_about: object, message: string) => void logged.push(message)
  let edits = 0
  const schedule = {
    now: START,
    file,
    dataDirectory,
    logged,
    fails: false,
    /** How many runs were under way at the same time, at most. */
    mostAtOnce: 0,
    state: (name: string) => readSourceState(dataDirectory, name),
    status: () => readScheduleStatus(file, dataDirectory, schedule.now).sources,
    write: (list: readonly object[]) => {
      writeFileSync(file, JSON.stringify(list))
      utimesSync(file, START, START + ++edits)
    },
    scheduler: undefined as unknown as Scheduler,
    /** Lets time pass, and returns what ran. */
    after: (seconds: number) => {
      schedule.now += seconds
      return schedule.scheduler.wake()
    },
  }
  let atOnce = 0
  schedule.write(entries)
  schedule.scheduler = new Scheduler({
    file,
    dataDirectory,
    clock: () => schedule.now,
    log: { info: log, warn: log, error: log },
    run: async ({ name }) => {
      schedule.mostAtOnce = Math.max(schedule.mostAtOnce, ++atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce--
      const before = schedule.state(name)
      const at = schedule.now
      const after: SourceState = schedule.fails
        ? { ...before, lastRunAt: at, lastOutcome: 'failed', failures: before.failures + 1, problem: 'no luck' }
        : { lastRunAt: at, lastOutcome: 'imported', lastSuccessAt: at, failures: 0 }
      writeSourceState(dataDirectory, name, after)
      return undefined
    },
  })
  return schedule
}

const hourly = (name: string) => ({ name, from: 'feed.ndjson', every: '1 hour' })

test('sources run when they are first seen, then after their span and a little, one at a time', async () => {
  const schedule = aSchedule([hourly('a'), hourly('b')])
  expect(await schedule.after(0)).toEqual(['a', 'b'])
  expect(await schedule.after(3_599)).toEqual([])
  expect((await schedule.after(361)).sort()).toEqual(['a', 'b'])
  expect(schedule.mostAtOnce).toBe(1)
  const due = schedule.status().map(({ nextRunAt }) => nextRunAt)
  // They do not come due at the same instant again.
  expect(new Set(due).size).toBe(2)
})

test('the longest overdue comes first', async () => {
  const schedule = aSchedule([hourly('a'), hourly('b')])
  writeSourceState(schedule.dataDirectory, 'a', { failures: 0, lastRunAt: START - 5_000 })
  writeSourceState(schedule.dataDirectory, 'b', { failures: 0, lastRunAt: START - 50_000 })
  expect(await schedule.after(0)).toEqual(['b', 'a'])
})

test('a source that fails is tried again soon, then less and less often, never less often than its span', async () => {
  const schedule = aSchedule([hourly('a')])
  schedule.fails = true
  await schedule.after(0)
  const waits: number[] = []
  for (let i = 0; i < 9; i++) {
    const next = schedule.scheduler.nextDueAt()
    waits.push(next - schedule.now)
    expect(await schedule.after(next - schedule.now)).toEqual(['a'])
  }
  for (const [i, wait] of waits.entries()) {
    const base = Math.min(60 * 2 ** i, 3_600)
    expect(wait).toBeGreaterThanOrEqual(base)
    expect(wait).toBeLessThanOrEqual(base * 1.1)
  }
  expect(schedule.state('a')).toMatchObject({ failures: 10, problem: 'no luck' })
  schedule.fails = false
  await schedule.after(4_000)
  expect(schedule.state('a')).toMatchObject({ failures: 0, lastOutcome: 'imported' })
})

test('a source that has not succeeded for too long is told of once, and again when it has', async () => {
  const schedule = aSchedule([{ ...hourly('a'), staleAfter: '2 hours' }])
  await schedule.after(0)
  schedule.fails = true
  for (let i = 0; i < 4; i++) await schedule.after(3_960)
  expect(schedule.logged.filter((message) => message === 'a source is stale')).toHaveLength(1)
  expect(schedule.status()).toMatchObject([{ name: 'a', stale: true, lastSuccessAt: START }])
  schedule.fails = false
  await schedule.after(3_960)
  expect(schedule.logged).toContain('a source is no longer stale')
  expect(schedule.status()).toMatchObject([{ stale: false, failures: 0 }])
})

test('the file is read anew when it changes, and one that cannot be used alters nothing', async () => {
  const schedule = aSchedule([hourly('a')])
  await schedule.after(0)
  writeFileSync(schedule.file, '[{"name":"a"')
  expect(await schedule.after(4_000)).toEqual(['a'])
  expect(schedule.logged).toContain('the schedule cannot be used; the former one goes on')
  schedule.write([hourly('b')])
  expect(await schedule.after(4_000)).toEqual(['b'])
  rmSync(schedule.file)
  expect(await schedule.after(40_000)).toEqual([])
})

test('a schedule goes on after a restart, and does not run everything anew', async () => {
  const schedule = aSchedule([hourly('a')])
  await schedule.after(0)
  const again = new Scheduler({
    file: schedule.file,
    dataDirectory: schedule.dataDirectory,
    clock: () => schedule.now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    run: async () => 'it should not run',
  })
  expect(await again.wake()).toEqual([])
})

test('a run that was killed counts as failed, though it could not say so', async () => {
  const schedule = aSchedule([hourly('a')])
  const scheduler = new Scheduler({
    file: schedule.file,
    dataDirectory: schedule.dataDirectory,
    clock: () => schedule.now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    run: async () => 'the run was ended by SIGKILL',
  })
  await scheduler.wake()
  expect(schedule.state('a')).toEqual({
    firstRunAt: START,
    failures: 1,
    lastOutcome: 'failed',
    lastRunAt: START,
    problem: 'the run was ended by SIGKILL',
  })
})

test('a source that ran while the clock was a year ahead is due as soon as it is right again', async () => {
  const schedule = aSchedule([hourly('a')])
  expect(await schedule.after(365 * 86_400)).toEqual(['a'])
  schedule.now = START
  expect(schedule.status()[0]).toMatchObject({ stale: true })
  expect(schedule.status()[0]).not.toHaveProperty('nextRunAt')
  expect(await schedule.after(0)).toEqual(['a'])
  expect(schedule.status()[0]).toMatchObject({ lastRunAt: START, stale: false })
  expect(await schedule.after(60)).toEqual([])
})
