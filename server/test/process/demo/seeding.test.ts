import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { openEnvironment } from '../../../src/catalog/storage/environment.ts'
import { SECONDS_PER_DAY } from '../../../src/model/time.ts'
import { eventually, marquee } from '../../support/marquee-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const SEEDING = fileURLToPath(new URL('../../support/seeding-child.mjs', import.meta.url))
const SHOWS = '60'

type Env = Readonly<Record<'MARQUEE_DATA' | 'PORT', string>>

function startSeeding(env: Env) {
  const child = spawn(process.execPath, [SEEDING, SHOWS], { env: { ...process.env, ...env }, stdio: 'ignore' })
  return { child, ended: once(child, 'exit') as Promise<[code: number | null, signal: string | null]> }
}

async function exported(env: Env): Promise<string[]> {
  const { stdout } = await marquee(['export'], env)
  return stdout.trim().split('\n')
}

async function newestFeed(folder: string): Promise<number> {
  const environment = openEnvironment(folder, { readOnly: true })
  try {
    return new Catalog(environment).source('demo')?.lastImport?.at ?? 0
  } finally {
    await environment.root.close()
  }
}

it('the next start completes an interrupted seeding', async () => {
  const env: Env = { MARQUEE_DATA: temporaryFolder(), PORT: '8099' }
  const mark = join(env.MARQUEE_DATA, 'demo-unfinished.json')
  const { child, ended } = startSeeding(env)
  await eventually(async () => (await newestFeed(env.MARQUEE_DATA)) || undefined)
  child.kill('SIGTERM')
  expect([(await ended)[1], existsSync(mark)]).toEqual(['SIGTERM', true])
  expect(await startSeeding(env).ended).toEqual([0, null])
  expect(existsSync(mark)).toBe(false)
  const lines = await exported(env)
  expect(lines.filter((line) => line.startsWith('{"kind":"show"')).length).toBeGreaterThanOrEqual(Number(SHOWS))
  expect(lines.join('\n').includes('http://127.0.0.1:8099/watch/')).toBe(true)
  expect(Date.now() / 1_000 - (await newestFeed(env.MARQUEE_DATA))).toBeLessThan(2 * SECONDS_PER_DAY)
})
