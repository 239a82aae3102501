import { readdirSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

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
