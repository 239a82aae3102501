import { readFileSync } from 'node:fs'

/** Names a process so that it is not mistaken for a later one. */
export interface ProcessIdentity {
  readonly pid: number
  /** Tells the process from a later one with the same number, where the system allows that. */
  readonly started: string
}

/** The mark of this process. */
export function currentProcess(): ProcessIdentity {
  return { pid: process.pid, started: readStartTime(process.pid) }
}

/** Whether the very process that left a mark still runs. */
export function isRunning({ pid, started }: ProcessIdentity): boolean {
  return hasProcess(pid) && readStartTime(pid) === started
}

/** Whether some process has this number now. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * When a process was started, in the system's own count; empty where the system does not tell. One that has ended and
 * that its parent has not yet asked after counts as another.
 */
function readStartTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program stands in brackets and may hold spaces; the start is the 20th field behind it.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? 'ended' : (fields[18] ?? '')
  } catch {
    return ''
  }
}
