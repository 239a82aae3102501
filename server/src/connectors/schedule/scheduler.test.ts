import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { controlSource, readScheduleStatus } from './schedule-status.ts'
import { Scheduler } from './scheduler.ts'
import { readSourceState, type SourceState, writeSourceState } from './source-state.ts'

const START = 1_794_700_000

/** A schedule with a manual clock, whose runs succeed or fail as the test sets. */
function aSchedule(entries: readonly object[]) {
  const dataDirectory = temporaryFolder()
  const file = join(dataDirectory, 'sources.json')
  const logged: string[] = []
  const log = (fields: object) => void logged.push((fields as { event: string }).event)
  let edits = 0
  const schedule = {
    now: START,
    file,
    dataDirectory,
    logged,
    fails: false,
    /** The highest number of concurrent runs. */
    maxConcurrent: 0,
    state: (name: string) => readSourceState(dataDirectory, name),
    status: () => readScheduleStatus(file, dataDirectory, schedule.now).sources,
    write: (list: readonly object[]) => {
      writeFileSync(file, JSON.stringify(list))
      utimesSync(file, START, START + ++edits)
    },
    scheduler: undefined as unknown as Scheduler,
    /** Advances the clock, and returns the names of the sources that ran. */
    advance: (seconds: number) => {
      schedule.now += seconds
      return schedule.scheduler.runDue()
    },
  }
  let concurrent = 0
  schedule.write(entries)
  schedule.scheduler = new Scheduler({
    file,
    dataDirectory,
    clock: () => schedule.now,
    log: { info: log, warn: log, error: log },
    run: async ({ name }) => {
      schedule.maxConcurrent = Math.max(schedule.maxConcurrent, ++concurrent)
      await new Promise((resolve) => setImmediate(resolve))
      concurrent--
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

test('sources run at once, then after their interval plus jitter, one at a time', async () => {
  const schedule = aSchedule([hourly('a'), hourly('b')])
  expect(await schedule.advance(0)).toEqual(['a', 'b'])
  expect(await schedule.advance(3_599)).toEqual([])
  expect((await schedule.advance(361)).sort()).toEqual(['a', 'b'])
  expect(schedule.maxConcurrent).toBe(1)
  const due = schedule.status().map(({ nextRunAt }) => nextRunAt)
  // The jitter separates their next runs.
  expect(new Set(due).size).toBe(2)
})

test('the longest overdue source runs first', async () => {
  const schedule = aSchedule([hourly('a'), hourly('b')])
  writeSourceState(schedule.dataDirectory, 'a', { failures: 0, lastRunAt: START - 5_000 })
  writeSourceState(schedule.dataDirectory, 'b', { failures: 0, lastRunAt: START - 50_000 })
  expect(await schedule.advance(0)).toEqual(['b', 'a'])
})

test('a failing source is retried with exponential backoff up to its interval', async () => {
  const schedule = aSchedule([hourly('a')])
  schedule.fails = true
  await schedule.advance(0)
  const waits: number[] = []
  for (let i = 0; i < 9; i++) {
    const next = schedule.scheduler.nextDueAt()
    waits.push(next - schedule.now)
    expect(await schedule.advance(next - schedule.now)).toEqual(['a'])
  }
  for (const [i, wait] of waits.entries()) {
    const base = Math.min(60 * 2 ** i, 3_600)
    expect(wait).toBeGreaterThanOrEqual(base)
    expect(wait).toBeLessThanOrEqual(base * 1.1)
  }
  expect(schedule.state('a')).toMatchObject({ failures: 10, problem: 'no luck' })
  schedule.fails = false
  await schedule.advance(4_000)
  expect(schedule.state('a')).toMatchObject({ failures: 0, lastOutcome: 'imported' })
})

test('a stale source is logged once, and once more when it recovers', async () => {
  const schedule = aSchedule([{ ...hourly('a'), staleAfter: '2 hours' }])
  await schedule.advance(0)
  schedule.fails = true
  for (let i = 0; i < 4; i++) await schedule.advance(3_960)
  expect(schedule.logged.filter((event) => event === 'source_stale')).toHaveLength(1)
  expect(schedule.status()).toMatchObject([{ name: 'a', stale: true, lastSuccessAt: START }])
  schedule.fails = false
  await schedule.advance(3_960)
  expect(schedule.logged).toContain('source_recovered')
  expect(schedule.status()).toMatchObject([{ stale: false, failures: 0 }])
})

test('the file is loaded again when it changes, and an invalid one leaves the schedule as it is', async () => {
  const schedule = aSchedule([hourly('a')])
  await schedule.advance(0)
  writeFileSync(schedule.file, '[{"name":"a"')
  expect(await schedule.advance(4_000)).toEqual(['a'])
  expect(schedule.logged).toContain('schedule_invalid')
  schedule.write([hourly('b')])
  expect(await schedule.advance(4_000)).toEqual(['b'])
  rmSync(schedule.file)
  expect(await schedule.advance(40_000)).toEqual([])
})

test('after a restart only due sources run', async () => {
  const schedule = aSchedule([hourly('a')])
  await schedule.advance(0)
  const again = new Scheduler({
    file: schedule.file,
    dataDirectory: schedule.dataDirectory,
    clock: () => schedule.now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    run: async () => 'it should not run',
  })
  expect(await again.runDue()).toEqual([])
})

test('a killed run counts as failed', async () => {
  const schedule = aSchedule([hourly('a')])
  const scheduler = new Scheduler({
    file: schedule.file,
    dataDirectory: schedule.dataDirectory,
    clock: () => schedule.now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    run: async () => 'the run was ended by SIGKILL',
  })
  await scheduler.runDue()
  expect(schedule.state('a')).toEqual({
    firstRunAt: START,
    failures: 1,
    lastOutcome: 'failed',
    lastRunAt: START,
    problem: 'the run was ended by SIGKILL',
  })
})

test('a source that ran while the clock was a year ahead is due once the clock is right', async () => {
  const schedule = aSchedule([hourly('a')])
  expect(await schedule.advance(365 * 86_400)).toEqual(['a'])
  schedule.now = START
  expect(schedule.status()[0]).toMatchObject({ stale: true })
  expect(schedule.status()[0]).not.toHaveProperty('nextRunAt')
  expect(await schedule.advance(0)).toEqual(['a'])
  expect(schedule.status()[0]).toMatchObject({ lastRunAt: START, stale: false })
  expect(await schedule.advance(60)).toEqual([])
})

test('a paused source does not run and is not stale, until it is resumed or a run is asked for', async () => {
  const schedule = aSchedule([{ name: 'a', from: './a.ndjson', every: '1 hour', staleAfter: '2 hours' }])
  expect(await schedule.advance(0)).toEqual(['a'])
  const control = (name: string, action: 'run' | 'pause' | 'resume') =>
    controlSource(schedule.file, schedule.dataDirectory, { name, action, now: schedule.now })
  expect([control('b', 'run'), control('a', 'pause')]).toEqual([false, true])
  expect(await schedule.advance(10 * 3_600)).toEqual([])
  expect(schedule.status()).toMatchObject([{ name: 'a', pausedAt: START, stale: false }])
  expect(schedule.status()[0]).not.toHaveProperty('nextRunAt')
  expect(schedule.logged).not.toContain('source_stale')
  control('a', 'pause')
  control('a', 'run')
  expect(await schedule.advance(1)).toEqual(['a'])
  expect(await schedule.advance(10 * 3_600)).toEqual([])
  control('a', 'resume')
  expect(await schedule.advance(1)).toEqual(['a'])
  expect(schedule.status()[0]).not.toHaveProperty('pausedAt')
})
