import type { ProcessMark } from './process-mark.ts'

/** Work that only one process may do at a time, on all machines that share a ledger. */
export type Task = 'import' | 'keep' | 'copy'

/** Who does a task. */
export interface TaskHolder extends ProcessMark {
  readonly host: string
  readonly since: number
  readonly what: string
}

/** Gives tasks to one process at a time. Those of a process that died are free again. */
export interface TaskLock {
  /** Takes a task. Gives who has it where that is somebody else, and undefined where it is now ours. */
  take(task: Task, since: number, what: string): Promise<TaskHolder | undefined>
  release(task: Task): Promise<void>
  /** Who does a task at the moment, if anybody does. */
  holder(task: Task): Promise<TaskHolder | undefined>
}
