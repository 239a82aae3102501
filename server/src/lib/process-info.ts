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

interface HangOptions {
  /** A process that is silent for this long hangs. */
  readonly maxSilenceMs: number
  /** A process that is not heard for this long after its start hangs, too; as `maxSilenceMs` by default. */
  readonly maxStartMs?: number
  /** How often `findHung` is called. */
  readonly checkMs: number
  /** A clock that never goes back, in milliseconds. */
  readonly clock?: () => number
}

/** Finds processes that no longer send heartbeats: they are stopped, or loop without an end. */
export class HangDetector<Id> {
  private readonly options: HangOptions
  private readonly clock: () => number
  private readonly heardAt = new Map<Id, number>()
  private readonly startedAt = new Map<Id, number>()
  private checkedAt: number

  constructor(options: HangOptions) {
    this.options = options
    this.clock = options.clock ?? (() => performance.now())
    this.checkedAt = this.clock()
  }

  /** Notes a process that was started, and is to send heartbeats soon. */
  expect(id: Id): void {
    this.startedAt.set(id, this.clock())
  }

  /** Notes a heartbeat. */
  beat(id: Id): void {
    this.startedAt.delete(id)
    this.heardAt.set(id, this.clock())
  }

  /** To be called when a process exits. */
  delete(id: Id): void {
    this.heardAt.delete(id)
    this.startedAt.delete(id)
  }

  /** How long a process has been silent; 0 before its first heartbeat. */
  silenceMs(id: Id): number {
    return this.clock() - (this.heardAt.get(id) ?? this.clock())
  }

  /** The processes that hang, each once. */
  findHung(): Id[] {
    const { maxSilenceMs, maxStartMs = maxSilenceMs, checkMs } = this.options
    const now = this.clock()
    const wasSuspended = now - this.checkedAt > 2 * checkMs + maxSilenceMs / 4
    this.checkedAt = now
    if (wasSuspended) {
      // This process itself did not run: heartbeats may wait in its channels.
      for (const times of [this.heardAt, this.startedAt]) for (const id of times.keys()) times.set(id, now)
      return []
    }
    const hung = [
      ...[...this.heardAt].filter(([, at]) => now - at > maxSilenceMs),
      ...[...this.startedAt].filter(([, at]) => now - at > maxStartMs),
    ].map(([id]) => id)
    for (const id of hung) this.delete(id)
    return hung
  }
}
