import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

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

const manifest = new URL('../../package.json', import.meta.url)

/** Written by the build, from a repository. */
const commitFile = new URL('../commit.txt', import.meta.url)

/** The version of the program, as its package states it. */
export const PROGRAM_VERSION = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version

/** The version with the commit that the program was built from, if that is known. */
export function describeVersion(): string {
  const commit = readCommit()
  return commit === '' ? PROGRAM_VERSION : `${PROGRAM_VERSION} (${commit})`
}

function readCommit(): string {
  try {
    return readFileSync(commitFile, 'utf8').trim()
  } catch {
    return ''
  }
}

/** Added to the nice value: whoever wakes up to answer a request runs first, and still a quarter is left when all are busy. */
const NICE_STEP = 5
const MAX_NICE = 19

/**
 * Lowers the priority of a process that works for long beside the service, so that requests are answered first. It runs as
 * fast as ever while a processor is free. A process that has ended, or may not be changed, is left alone.
 */
export function lowerPriority(pid: number = process.pid): void {
  try {
    const nice = Math.min(MAX_NICE, getPriority(pid) + NICE_STEP)
    for (const thread of listThreads(pid)) setPriority(thread, nice)
  } catch {
    // It may have ended.
  }
}

/** The threads of a process, which Linux schedules one by one: those of the garbage collector are there from the start. */
function listThreads(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}
