import { hostname } from 'node:os'
import type { Ledger, TaskHolder } from '../ledger/ledger.ts'
import { systemTimer } from '../lib/clock.ts'
import { UserError } from '../lib/errors.ts'

/** Thrown when another process is importing and the caller does not wait. */
export class ImportLockedError extends UserError {
  override readonly name = 'ImportLockedError'
  readonly holder: TaskHolder

  constructor(holder: TaskHolder) {
    super(`${describeHolder(holder)} has been importing ${holder.what} since ${formatInstant(holder.since)}`)
    this.holder = holder
  }
}

export interface ImportLockOptions {
  /** What is being imported; shown to processes that wait. */
  readonly what: string
  readonly now: number
  /** Called once if another process holds the lock. Without it, a held lock is an error. */
  readonly onWait?: ((holder: TaskHolder) => void) | undefined
  /** Called at every attempt while the lock is held; what it throws ends the waiting. */
  readonly checkpoint?: (() => void) | undefined
}

const POLL_MS = 200

/**
 * Runs an import under the ledger's import lock, which one process on all nodes holds at a time: what a snapshot removes
 * depends on all of it. The catalog is up to date with earlier imports when `work` starts.
 */
export async function withImportLock<T>(
  ledger: Pick<Ledger, 'tasks' | 'refresh'>,
  { what, now, onWait, checkpoint }: ImportLockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const tryAcquire = () => ledger.tasks.acquire('import', now, what)
  let hasReported = false
  for (let holder = await tryAcquire(); holder !== undefined; holder = await tryAcquire()) {
    if (onWait === undefined) throw new ImportLockedError(holder)
    if (!hasReported) onWait(holder)
    hasReported = true
    checkpoint?.()
    await systemTimer.sleep(POLL_MS)
  }
  try {
    await ledger.refresh()
    return await work()
  } finally {
    await ledger.tasks.release('import')
  }
}

/** Says who imports, since when, and that the caller waits: the beginning of a line, so in upper case. */
export function describeImportWait(holder: TaskHolder): string {
  const who = describeHolder(holder)
  return `P${who.slice(1)} has been importing ${holder.what} since ${formatInstant(holder.since)}; waiting for it to end.`
}

/** The process that holds a task, for a message. */
export function describeHolder({ host, pid }: TaskHolder): string {
  return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`
}

function formatInstant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '')
}
