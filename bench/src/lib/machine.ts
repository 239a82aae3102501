import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'

/** The machine that figures were measured on. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryBytes: number
  readonly node: string
  readonly date: string
}

/** Describes this machine, with the Node.js version and today's date. */
export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model || process.arch,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.versions.node,
    date: new Date().toISOString().slice(0, 10),
  }
}

/** Whether a command can be started. */
export function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version']).error === undefined
}

/** CPU cores for the servers, the load generator and any third process; `spare` is undefined on two cores. */
export interface Cores {
  readonly server: string
  readonly loadGenerator: string
  readonly spare: string | undefined
}

/** The cores to pin processes to; undefined without `taskset` or with a single core. */
export function chooseCores(): Cores | undefined {
  if (availableParallelism() < 2 || spawnSync('taskset', ['--version']).status !== 0) return undefined
  return { server: '0', loadGenerator: '1', spare: availableParallelism() > 2 ? '2' : undefined }
}

/** Pins processes and all their descendants to one core. Processes that they start later inherit it. */
export function pinToCore(pids: readonly number[], core: string): void {
  for (const pid of pids.flatMap(processTree)) {
    const { status, stderr } = spawnSync('taskset', ['-a', '-c', '-p', core, String(pid)])
    if (status !== 0) throw new Error(`Cannot pin process ${pid} to core ${core}: ${stderr}`)
  }
}

/** Process ids of the direct children of a process. */
export function childPids(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

function processTree(pid: number): number[] {
  return [pid, ...childPids(pid).flatMap(processTree)]
}
