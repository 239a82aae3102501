import { availableParallelism } from 'node:os'

/** Whether a thread beside the main one is of use: there are cores for two, and the program is built, as threads need it. */
export function canUseThreads(): boolean {
  return availableParallelism() > 1 && import.meta.url.endsWith('.js')
}
