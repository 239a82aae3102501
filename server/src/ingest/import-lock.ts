import { hostname } from 'node:os'
import type { Ledger, TaskHolder } from '../ledger/ledger.ts'
import { UserError } from '../lib/user-error.ts'

/** Thrown when another process is importing and the caller did not want to wait. */
export class ImportLockedError extends UserError {
  override readonly name = 'ImportLocked'
  readonly holder: TaskHolder

  constructor(holder: TaskHolder) {
    super(`${describeHolder(holder)} has been importing ${holder.what} since ${formatInstant(holder.since)}`)
    this.holder = holder
  }
}

export interface ImportLockOptions {
  /** What is being imported, for others to see. */
  readonly what: string
  readonly now: number
  /** Called once if somebody else holds the lock; without it the lock is not waited for. */
  readonly onWait?: ((holder: TaskHolder) => void) | undefined
}

const POLL_MS = 200

/** Imports while nobody else does, on whatever machine, with a catalog that holds all that was imported before. */
export async function withImportLock<T>(
  ledger: Pick<Ledger, 'tasks' | 'refresh'>,
  { what, now, onWait }: ImportLockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const tryTake = () => ledger.tasks.acquire('import', now, what)
  let told = false
  for (let holder = await tryTake(); holder !== undefined; holder = await tryTake()) {
    if (onWait === undefined) throw new ImportLockedError(holder)
    if (!told) onWait(holder)
    told = true
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  try {
    await ledger.refresh()
    return await work()
  } finally {
    await ledger.tasks.release('import')
  }
}

/** Names the process that holds a task. */
export function describeHolder({ host, pid }: TaskHolder): string {
  return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`
}

function formatInstant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '')
}
