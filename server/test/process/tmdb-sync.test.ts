import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { marquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aStandIn } from '../support/tmdb/sync-with.ts'
import { STAND_IN_TOKEN, type TmdbStandIn } from '../support/tmdb/tmdb-stand-in.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/marquee.js', import.meta.url))
const ARGUMENTS = ['sync', 'tmdb', '--countries', 'us,gb', '--rate', '1000', '--json']

const settings = (standIn: TmdbStandIn, folder: string) => ({
  MARQUEE_DATA: folder,
  TMDB_TOKEN: STAND_IN_TOKEN,
  TMDB_API: standIn.address,
  TMDB_FILES: standIn.address,
})

/** Runs the sync and kills it by SIGKILL at the given request. */
async function syncKilledAt(requests: number, standIn: TmdbStandIn, folder: string): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...ARGUMENTS], {
    env: { ...process.env, ...settings(standIn, folder) },
    stdio: 'ignore',
  })
  standIn.onRequest = (count) => {
    if (count === requests) child.kill('SIGKILL')
  }
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
}

test('a sync that is killed repeatedly resumes, and ends like one that was not killed', async () => {
  const standIn = await aStandIn({ movies: 140, series: 20 })
  const folder = temporaryFolder()
  for (const requests of [40, 80, 120]) await syncKilledAt(requests, standIn, folder)
  const { code, stdout } = await marquee(ARGUMENTS, settings(standIn, folder))
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ resumed: true, failures: [] })
  // The plan was made once; only titles in flight at a kill were requested again.
  expect(standIn.count(/^\/p\/exports\//)).toBe(4)
  expect(standIn.count(/^\/3\/watch\/providers\//)).toBe(4)
  const titles = standIn.requests.map((path) => /^\/3\/((movie|tv)\/\d+)\?.*language/.exec(path)?.[1])
  const times = new Map<string, number>()
  for (const title of titles) if (title !== undefined) times.set(title, (times.get(title) ?? 0) + 1)
  expect(times.size).toBe(159)
  const repeated = [...times.values()].reduce((sum, count) => sum + count - 1, 0)
  expect(repeated).toBeLessThanOrEqual(3 * 40)

  const clean = temporaryFolder()
  await marquee(ARGUMENTS, settings(standIn, clean))
  const statusOf = async (data: string) =>
    JSON.parse((await marquee(['status', '--json'], { MARQUEE_DATA: data })).stdout)
  const { shows, offers, services } = await statusOf(folder)
  expect(await statusOf(clean)).toMatchObject({ shows, offers, services })
})

test('a sync can be scheduled', async () => {
  const standIn = await aStandIn({ movies: 8, series: 2 })
  const folder = temporaryFolder()
  const entry = {
    name: 'movies',
    source: 'tmdb',
    sync: 'tmdb',
    every: '1 day',
    countries: ['us'],
    only: 'movies',
    rate: 1000,
  }
  writeFileSync(join(folder, 'sources.json'), JSON.stringify([entry]))
  const { code, stdout } = await marquee(['sources', 'run', 'movies', '--json'], settings(standIn, folder))
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, name: 'movies', outcome: 'imported' })
  const { shows, sources } = JSON.parse((await marquee(['status', '--json'], settings(standIn, folder))).stdout)
  expect(shows).toBe(8)
  expect(sources).toMatchObject([{ name: 'tmdb' }])
})

test('a second sync at the same time is refused, and names the process of the first', async () => {
  const standIn = await aStandIn({ movies: 20, series: 0 })
  const folder = temporaryFolder()
  standIn.fault = () => ({ kind: 'drip' })
  const first = spawn(process.execPath, [PROGRAM, ...ARGUMENTS], {
    env: { ...process.env, ...settings(standIn, folder) },
    stdio: 'ignore',
  })
  await new Promise<void>((resolve) => {
    standIn.onRequest = () => resolve()
  })
  const { code, stderr } = await marquee(ARGUMENTS, settings(standIn, folder))
  first.kill('SIGKILL')
  expect(code).toBe(1)
  expect(stderr).toMatch(new RegExp(`process ${first.pid} is running the sync`))
})

test('one error names every invalid flag, and a missing token comes with instructions', async () => {
  const folder = temporaryFolder()
  const bad = ['sync', 'tmdb', '--countries', 'usa', '--limit', 'many', '--only', 'songs']
  const wrong = await marquee(bad, { MARQUEE_DATA: folder, TMDB_TOKEN: 'x' })
  expect(wrong.code).toBe(1)
  for (const flag of ['--countries is "usa"', '--limit is "many"', '--only is "songs"']) {
    expect(wrong.stderr).toContain(flag)
  }
  const { code, stderr } = await marquee(['sync', 'tmdb', '--countries', 'us'], {
    MARQUEE_DATA: folder,
    TMDB_TOKEN: '',
  })
  expect(code).toBe(1)
  expect(stderr).toContain('TMDB_TOKEN is not set')
})
