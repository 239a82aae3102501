import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ScheduledSource } from '../../connectors/schedule/sources-file.ts'
import { stopChild } from '../cluster/follower-process.ts'

const PROGRAM = fileURLToPath(new URL('../../../bin/marquee.js', import.meta.url))

/** So much of what a run complains about is kept. */
const MAX_STDERR_CHARS = 2_000

/** Runs scheduled sources in processes of their own: an import takes a whole core while it lasts. */
export class ScheduledRuns {
  private child: ChildProcess | undefined

  /** Runs a source; returns why its process ended otherwise than it should, if it did. */
  async run({ name, timeout }: ScheduledSource): Promise<string | undefined> {
    const child = spawn(process.execPath, [PROGRAM, 'sources', 'run', name, '--json'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.child = child
    let complaint = ''
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk).slice(-MAX_STDERR_CHARS)
    })
    let late = false
    const patience = setTimeout(() => {
      late = true
      void stopChild(child)
    }, timeout * 1000)
    try {
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
      if (late) return `the run took longer than ${timeout} seconds and was ended`
      if (signal !== null) return `the run was ended by ${signal}`
      return code === 0 ? undefined : complaint.trim() || `the run ended with ${code}`
    } catch (error) {
      return `the run could not be started: ${(error as Error).message}`
    } finally {
      clearTimeout(patience)
      this.child = undefined
    }
  }

  /** Ends the run that is under way, if there is one; the next run goes on where that is possible. */
  async stop(): Promise<void> {
    if (this.child !== undefined) await stopChild(this.child)
  }
}
