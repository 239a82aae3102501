import { hostname } from 'node:os'
import { thisProcess } from './process-mark.ts'
import type { TaskHolder } from './task-lock.ts'

/** This process as the holder of a task. */
export function thisHolder(since: number, what: string): TaskHolder {
  return { host: hostname(), ...thisProcess(), since, what }
}
