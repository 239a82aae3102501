import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ScheduledSource } from '../../connectors/schedule/sources-file.ts'
import { stopChild } from './follower-process.ts'

const PROGRAM = fileURLToPath(new URL('../../../bin/marquee.js', import.meta.url))

/** How much of the standard error of a run is kept, from its end. */
const MAX_STDERR_CHARS = 2_000

/** Runs scheduled sources as child processes (`marquee sources run`), because an import uses a whole core. */
export class ScheduledRuns {
  private child: ChildProcess | undefined

  /** Runs a source. Returns why its process failed, or undefined if it succeeded. */
  async run({ name, timeout }: ScheduledSource): Promise<string | undefined> {
    const child = spawn(process.execPath, [PROGRAM, 'sources', 'run', name, '--json'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.child = child
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk).slice(-MAX_STDERR_CHARS)
    })
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      void stopChild(child)
    }, timeout * 1000)
    try {
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
      if (timedOut) return `the run took longer than ${timeout} seconds and was stopped`
      if (signal !== null) return `the run was ended by ${signal}`
      return code === 0 ? undefined : stderr.trim() || `the run ended with exit code ${code}`
    } catch (error) {
      return `the run could not be started: ${(error as Error).message}`
    } finally {
      clearTimeout(timer)
      this.child = undefined
    }
  }

  /** Stops the current run, if there is one. A sync resumes with its next run. */
  async stop(): Promise<void> {
    if (this.child !== undefined) await stopChild(this.child)
  }
}
