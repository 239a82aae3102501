import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Catalog, CatalogFormatError } from '../../catalog/catalog.ts'
import { DamagedCatalogError, openEnvironment } from '../../catalog/storage/environment.ts'
import { systemTimer } from '../../lib/clock.ts'
import { makeFolder } from '../../lib/files.ts'
import { DamagedFileError, isLmdbDamage } from '../../lib/lmdb/lmdb-file.ts'
import { type ClusterCheck, openDatabase } from '../../lib/postgres/database.ts'
import { LocalTaskLock } from '../local-ledger.ts'
import { type BootstrapOptions, bootstrapCatalog } from './bootstrap-catalog.ts'
import { readHead } from './log-rows.ts'
import { CatalogOutdatedError, NotAReplicaError, ReplicaCatalog } from './replica-catalog.ts'

const LOCK_POLL_MS = 200

interface ReplicaOptions extends BootstrapOptions {
  /** Called before a bootstrap, with its reason. */
  readonly onBootstrap?: ((reason: string) => void) | undefined
}

/**
 * The data directory of a replica. If the replica is missing, damaged, of another format or too far behind the log, a
 * new one is bootstrapped in a staging folder, while workers read the old one, and swapped in when it is complete.
 */
export class ReplicaDirectory {
  private readonly dataDirectory: string
  /** Where a new replica is bootstrapped. */
  private readonly staging: string
  private readonly invalidatedMarker: string

  constructor(dataDirectory: string) {
    this.dataDirectory = dataDirectory
    this.staging = join(dataDirectory, 'copy')
    this.invalidatedMarker = join(dataDirectory, 'catalog-distrusted')
  }

  /**
   * Ensures that there is a catalog that opens, if only an empty one. Throws if there is one that is not a replica.
   * @param knownDamage damage of the catalog that was found before: it is not opened any more
   */
  async prepare(knownDamage?: string): Promise<void> {
    makeFolder(this.dataDirectory)
    const damage = knownDamage ?? (await this.findDamage())
    if (damage !== undefined) rmSync(join(this.dataDirectory, 'catalog'), { recursive: true, force: true })
    await openEnvironment(this.dataDirectory).root.close()
  }

  /** Whether the catalog is a copy of a ledger. */
  async hasCopy(): Promise<boolean> {
    return (await this.readCluster()).isKnown()
  }

  /** Opens a replica that can follow the log, after a bootstrap if it needs one. */
  async open(url: string, options: ReplicaOptions = {}): Promise<ReplicaCatalog> {
    await this.prepare()
    const session = await openDatabase(url, { purpose: 'copy', cluster: await this.readCluster() })
    try {
      for (;;) {
        const reason = await this.findBootstrapReason(() => readHead(session))
        if (reason === undefined) return new ReplicaCatalog(this.dataDirectory)
        await this.runExclusive(async () => {
          // Another process of this machine may have done it while this one waited for the lock.
          if ((await this.findBootstrapReason(() => readHead(session))) === undefined) return
          options.onBootstrap?.(reason)
          await bootstrapCatalog(session, join(this.staging, 'new'), options)
          this.swapCatalog()
        })
      }
    } finally {
      await session.close()
    }
  }

  /** Which ledger the catalog is a copy of; nothing if it is none yet. */
  private async readCluster(): Promise<ClusterCheck> {
    const environment = openEnvironment(this.dataDirectory)
    try {
      const position = new Catalog(environment).logPosition()
      return { isKnown: () => position !== undefined, isSame: (id) => position?.ledger === id }
    } finally {
      await environment.root.close()
    }
  }

  /** Marks the replica as invalid: it is bootstrapped again when it is next opened. */
  invalidate(reason: string): void {
    writeFileSync(this.invalidatedMarker, `${reason}\n`)
  }

  /** Why the replica must be bootstrapped; undefined if it can follow the log. */
  private async findBootstrapReason(head: () => ReturnType<typeof readHead>): Promise<string | undefined> {
    if (existsSync(this.invalidatedMarker)) return 'it was marked as invalid'
    const replica = new ReplicaCatalog(this.dataDirectory)
    try {
      replica.positionIn(await head())
      return undefined
    } catch (error) {
      if (error instanceof CatalogOutdatedError) return error.message
      throw error
    } finally {
      await replica.close()
    }
  }

  /** Describes the damage of the catalog's data; undefined if there is none. */
  private async findDamage(): Promise<string | undefined> {
    const file = join(this.dataDirectory, 'catalog', 'data.mdb')
    if (!existsSync(file)) return undefined
    try {
      const environment = openEnvironment(this.dataDirectory)
      try {
        const catalog = new Catalog(environment)
        if (catalog.logPosition() === undefined && catalog.version() > 0) throw new NotAReplicaError()
      } finally {
        await environment.root.close()
      }
      return undefined
    } catch (error) {
      if (!isDataDamaged(error)) throw error
      return (error as Error).message
    }
  }

  /** Replaces the catalog by the staged one. Processes that have the old one open can still read it. */
  private swapCatalog(): void {
    const catalog = join(this.dataDirectory, 'catalog')
    const old = join(this.staging, 'old')
    // A process that was killed during an earlier swap leaves this folder.
    rmSync(old, { recursive: true, force: true })
    renameSync(catalog, old)
    renameSync(join(this.staging, 'new', 'catalog'), catalog)
    rmSync(this.invalidatedMarker, { force: true })
    for (const part of [old, join(this.staging, 'new')]) rmSync(part, { recursive: true, force: true })
  }

  /** Runs `work` while no other process of this machine bootstraps. */
  private async runExclusive(work: () => Promise<void>): Promise<void> {
    const environment = openEnvironment(join(this.staging, 'lock'))
    const lock = new LocalTaskLock(environment)
    try {
      const since = Math.floor(Date.now() / 1000)
      while ((await lock.acquire('copy', since, 'the ledger')) !== undefined) {
        await systemTimer.sleep(LOCK_POLL_MS)
      }
      try {
        await work()
      } finally {
        await lock.release('copy')
      }
    } finally {
      await environment.root.close()
    }
  }
}

/**
 * Whether a catalog failed to open because of its data. Too many open files or readers, missing permissions and a full
 * disk say nothing about the data.
 */
export function isDataDamaged(error: unknown): boolean {
  const kinds = [DamagedFileError, DamagedCatalogError, CatalogFormatError, SyntaxError]
  return kinds.some((kind) => error instanceof kind) || isLmdbDamage(error)
}
