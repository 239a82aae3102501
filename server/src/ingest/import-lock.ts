import type { Catalog } from '../catalog/catalog.ts'
import { isRunning, type ProcessMark, thisProcess } from './process-mark.ts'

/** Who is importing. */
export interface LockHolder extends ProcessMark {
  readonly since: number
  readonly what: string
}

/** Thrown when another process is importing and the caller did not want to wait. */
export class ImportLocked extends Error {
  override readonly name = 'ImportLocked'
  readonly holder: LockHolder

  constructor(holder: LockHolder) {
    super(`process ${holder.pid} has been importing ${holder.what} since ${instant(holder.since)}`)
    this.holder = holder
  }
}

export interface LockOptions {
  /** What is being imported, for others to see. */
  readonly what: string
  readonly now: number
  /** Called once if somebody else holds the lock; without it the lock is not waited for. */
  readonly onWait?: ((holder: LockHolder) => void) | undefined
}

const LOOK_AGAIN_MS = 200
const KEY = 'importer'

/**
 * Does work that only one process may do at a time. The holder is noted in the catalog itself, in a transaction, so
 * two can never both believe to hold it; the note of a process that died counts for nothing.
 */
export async function withImportLock<T>(catalog: Catalog, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const { meta, root } = catalog.environment
  const own: LockHolder = { ...thisProcess(), since: options.now, what: options.what }
  const tryTake = (): LockHolder | undefined =>
    root.transactionSync(() => {
      const holder = meta.get(KEY) as LockHolder | undefined
      if (holder !== undefined && isRunning(holder)) return holder
      meta.putSync(KEY, own)
      return undefined
    })
  let told = false
  for (let holder = tryTake(); holder !== undefined; holder = tryTake()) {
    if (options.onWait === undefined) throw new ImportLocked(holder)
    if (!told) options.onWait(holder)
    told = true
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
  try {
    return await work()
  } finally {
    root.transactionSync(() => meta.removeSync(KEY))
  }
}

/** Who is importing into the catalog right now, if anybody is. */
export function importHolder(catalog: Catalog): LockHolder | undefined {
  const holder = catalog.environment.meta.get(KEY) as LockHolder | undefined
  return holder !== undefined && isRunning(holder) ? holder : undefined
}

function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '')
}
