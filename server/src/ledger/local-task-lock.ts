import type { Environment } from '../catalog/storage/environment.ts'
import { isRunning } from './process-mark.ts'
import type { Task, TaskHolder, TaskLock } from './task-lock.ts'
import { thisHolder } from './this-holder.ts'

/**
 * Tasks on one machine. The holder is noted in the catalog itself, in a transaction, so two can never both believe to
 * hold a task; the note of a process that died counts for nothing.
 */
export class LocalTaskLock implements TaskLock {
  private readonly environment: Environment

  constructor(environment: Environment) {
    this.environment = environment
  }

  async take(task: Task, since: number, what: string): Promise<TaskHolder | undefined> {
    const { meta, root } = this.environment
    return root.transactionSync(() => {
      const holder = this.living(task)
      if (holder === undefined) meta.putSync(keyOf(task), thisHolder(since, what))
      return holder
    })
  }

  async release(task: Task): Promise<void> {
    const { meta, root } = this.environment
    root.transactionSync(() => meta.removeSync(keyOf(task)))
  }

  async holder(task: Task): Promise<TaskHolder | undefined> {
    return this.living(task)
  }

  private living(task: Task): TaskHolder | undefined {
    const holder = this.environment.meta.get(keyOf(task)) as TaskHolder | undefined
    return holder !== undefined && isRunning(holder) ? holder : undefined
  }
}

function keyOf(task: Task): string {
  return `task ${task}`
}
