import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { outputOf, start } from './child.ts'

const PROGRAM = fileURLToPath(new URL('../../../server/bin/marquee.js', import.meta.url))

/** Starts a command of the built program on a data directory. */
export function startMarquee(args: readonly string[], data: string, settings: NodeJS.ProcessEnv = {}): ChildProcess {
  const { DATABASE_URL: _, ...environment } = process.env
  return start(process.execPath, [PROGRAM, ...args], {
    env: { ...environment, MARQUEE_DATA: data, LOG_LEVEL: 'warn', ...settings },
  })
}

/** Runs a command to its end; returns what it printed. */
export async function marquee(args: readonly string[], data: string): Promise<string> {
  return await outputOf(startMarquee(args, data), `marquee ${args.join(' ')}`)
}
