import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Which core serves, which one asks, and which one is left for other work; undefined where it cannot be said. */
export interface Cores {
  readonly serving: string
  readonly asking: string
  readonly other: string | undefined
}

/** The cores to pin to, or undefined if there is no `taskset` or only one core. */
export function coresToPin(): Cores | undefined {
  if (availableParallelism() < 2 || spawnSync('taskset', ['--version']).status !== 0) return undefined
  return { serving: '0', asking: '1', other: availableParallelism() > 2 ? '2' : undefined }
}

/** Pins processes and all that they have started to one core. What they start later inherits it. */
export function pin(pids: readonly number[], core: string): void {
  for (const pid of pids.flatMap(withChildren)) {
    const { status, stderr } = spawnSync('taskset', ['-a', '-c', '-p', core, String(pid)])
    if (status !== 0) throw new Error(`Process ${pid} could not be pinned: ${stderr}`)
  }
}

/** A process and all that it has started, and those in turn. */
export function withChildren(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return [pid, ...children.flatMap(withChildren)]
}
