import { readFileSync } from 'node:fs'
import type { Catalog } from '../catalog/catalog.ts'

/** Who is importing. */
export interface LockHolder {
  readonly pid: number
  /** Tells the process from a later one with the same number, where the system allows that. */
  readonly started: string
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
  const own: LockHolder = { pid: process.pid, started: startOf(process.pid), since: options.now, what: options.what }
  const tryTake = (): LockHolder | undefined =>
    root.transactionSync(() => {
      const holder = meta.get(KEY) as LockHolder | undefined
      if (holder !== undefined && isAlive(holder)) return holder
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
  return holder !== undefined && isAlive(holder) ? holder : undefined
}

function isAlive({ pid, started }: LockHolder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return startOf(pid) === started
}

/** When a process was started, in the system's own count; empty where the system does not tell. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program stands in brackets and may hold spaces; the start is the 20th field behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '')
}
