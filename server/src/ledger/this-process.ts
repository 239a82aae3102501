import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { TaskHolder } from './task-lock.ts'

/** This process as the holder of a task. */
export function thisProcess(since: number, what: string): TaskHolder {
  return { host: hostname(), pid: process.pid, started: startOf(process.pid), since, what }
}

/** Whether a process of this machine still runs. */
export function isAlive({ pid, started }: TaskHolder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return startOf(pid) === started
}

/** When a process was started, in the system's own count; empty where the system does not tell. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program stands in brackets and may hold spaces; the start is the 20th field behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
