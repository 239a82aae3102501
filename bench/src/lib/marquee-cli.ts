import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Memory, PeakMemory } from './memory.ts'
import { logProgress } from './output.ts'
import { readOutput, startProcess } from './processes.ts'

const PROGRAM = fileURLToPath(new URL('../../../server/bin/marquee.js', import.meta.url))

/** Starts a command of the built program on a data directory. */
export function startMarquee(args: readonly string[], data: string, settings: NodeJS.ProcessEnv = {}): ChildProcess {
  const { DATABASE_URL: _, ...environment } = process.env
  return startProcess(process.execPath, [PROGRAM, ...args], {
    env: { ...environment, MARQUEE_DATA: data, LOG_LEVEL: 'warn', ...settings },
  })
}

/** Runs a command to completion and returns its output. */
export async function runMarquee(args: readonly string[], data: string): Promise<string> {
  return await readOutput(startMarquee(args, data), `marquee ${args.join(' ')}`)
}

/** Creates an API key on a plan. */
export async function createKey(plan: string, data: string): Promise<string> {
  const output = await runMarquee(['keys', 'create', '--plan', plan, '--name', 'bench', '--json'], data)
  return (JSON.parse(output) as { key: string }).key
}

/** Duration and peak memory of an import. */
export interface TimedImport {
  readonly name: string
  readonly shows: number
  readonly offers: number
  readonly seconds: number
  readonly memory: Memory
}

/** Imports a feed into a data directory, or into the PostgreSQL database that the settings name. */
export async function timeImport(
  name: string,
  feed: string,
  data: string,
  settings: NodeJS.ProcessEnv = {},
): Promise<TimedImport> {
  logProgress(`import: ${name}`)
  const startedAt = performance.now()
  const child = startMarquee(['import', feed, '--json'], data, settings)
  const peak = new PeakMemory(child.pid!)
  const { shows, offers } = JSON.parse(await readOutput(child, 'marquee import')) as { shows: number; offers: number }
  const seconds = (performance.now() - startedAt) / 1000
  return { name, shows, offers, seconds, memory: peak.stop() }
}
