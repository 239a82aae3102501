import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { Catalog } from '../../src/catalog/catalog.ts'
import { openEnvironment } from '../../src/catalog/environment.ts'
import { SECONDS_PER_DAY } from '../../src/model/clock.ts'
import { marquee, startMarquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/marquee.js', import.meta.url))

/** Begins to make the demo catalog and is killed when its first feeds have been imported. */
async function killedWhileSeeding(env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--demo'], {
    env: { ...process.env, HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const days = new Set<string>()
  child.stdout.on('data', (chunk: Buffer) => {
    for (const [, day] of String(chunk).matchAll(/feed of (\S+)/g)) days.add(day as string)
    if (days.size >= 4) child.kill('SIGTERM')
  })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGTERM')
}

/** The lines of an export, with which a catalog can be compared. */
async function exported(env: Record<string, string>): Promise<string[]> {
  const { stdout } = await marquee(['export'], env)
  return stdout.trim().split('\n')
}

async function newestDemoFeed(folder: string): Promise<number> {
  const environment = openEnvironment(folder, { readOnly: true })
  try {
    return new Catalog(environment).source('demo')?.lastImport?.at ?? 0
  } finally {
    await environment.root.close()
  }
}

it('a demo whose making was interrupted is finished by the next start', async () => {
  const env = { MARQUEE_DATA: temporaryFolder(), MARQUEE_WORKERS: '1', PORT: '0' }
  await killedWhileSeeding(env)
  const mark = join(env.MARQUEE_DATA, 'demo-unfinished.json')
  const { baseUrl } = JSON.parse(readFileSync(mark, 'utf8')) as { baseUrl: string }
  // The port that the system chose was known before the first link was made.
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
  const service = await startMarquee({ ...env, MARQUEE_PUBLIC_URL: baseUrl }, ['--demo'])
  await service.stop()
  expect(existsSync(mark)).toBe(false)
  const age = Date.now() / 1000 - (await newestDemoFeed(env.MARQUEE_DATA))
  expect(age).toBeLessThan(2 * SECONDS_PER_DAY)
  const lines = await exported(env)
  expect(lines.filter((line) => line.startsWith('{"kind":"show"')).length).toBeGreaterThanOrEqual(2_000)
  expect([...new Set(lines.join('\n').match(/http:\/\/127\.0\.0\.1:\d+/g))]).toEqual([baseUrl])
}, 180_000)
