import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Catalog, CatalogFormatError } from '../../catalog/catalog.ts'
import { CatalogDamagedError, openEnvironment } from '../../catalog/storage/environment.ts'
import { openDatabase } from '../../lib/postgres/migrations.ts'
import { LocalTaskLock } from '../local-ledger.ts'
import { type BootstrapOptions, bootstrapCatalog } from './bootstrap-catalog.ts'
import { readHead } from './log-head.ts'
import { CatalogOutdatedError, NotAReplicaError, ReplicaCatalog } from './replica-catalog.ts'

const LOCK_POLL_MS = 200

export interface ReplicaOptions extends BootstrapOptions {
  /** Called when a catalog has to be copied, with the reason. */
  readonly onBootstrap?: ((reason: string) => void) | undefined
}

/**
 * The data directory of a node, whose catalog is only a copy: where it is missing, damaged, of another form or too far
 * behind, it is made anew beside the old one, which serves meanwhile, and put in its place when it is whole.
 */
export class ReplicaDirectory {
  private readonly dataDirectory: string
  private readonly staging: string
  private readonly invalidatedMarker: string

  constructor(dataDirectory: string) {
    this.dataDirectory = dataDirectory
    this.staging = join(dataDirectory, 'copy')
    this.invalidatedMarker = join(dataDirectory, 'catalog-distrusted')
  }

  /** Sees to it that there is a catalog that can be opened, be it empty. Throws where there is one of its own. */
  async prepare(): Promise<void> {
    mkdirSync(this.dataDirectory, { recursive: true })
    const findDamage = await this.problem()
    if (findDamage !== undefined) rmSync(join(this.dataDirectory, 'catalog'), { recursive: true, force: true })
    await openEnvironment(this.dataDirectory).root.close()
  }

  /** Opens the catalog as one that can follow the ledger, copying it first if need be. */
  async open(url: string, options: ReplicaOptions = {}): Promise<ReplicaCatalog> {
    await this.prepare()
    const session = await openDatabase(url, { purpose: 'copy' })
    try {
      for (;;) {
        const reason = await this.findBootstrapReason(() => readHead(session))
        if (reason === undefined) return new ReplicaCatalog(this.dataDirectory)
        await this.runExclusive(async () => {
          // Another process of this machine may have made the copy while this one waited.
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

  /** Says that the catalog is not to be trusted: it is copied anew when it is next opened. */
  invalidate(reason: string): void {
    writeFileSync(this.invalidatedMarker, `${reason}\n`)
  }

  private async findBootstrapReason(head: () => ReturnType<typeof readHead>): Promise<string | undefined> {
    if (existsSync(this.invalidatedMarker)) return 'it is not to be trusted'
    const node = new ReplicaCatalog(this.dataDirectory)
    try {
      node.positionIn(await head())
      return undefined
    } catch (error) {
      if (error instanceof CatalogOutdatedError) return error.message
      throw error
    } finally {
      await node.close()
    }
  }

  /** What is wrong with the data of the catalog, if anything is. */
  private async problem(): Promise<string | undefined> {
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

  /** Puts the copy in the catalog's place. Who has the old one open can go on reading it. */
  private swapCatalog(): void {
    const catalog = join(this.dataDirectory, 'catalog')
    const old = join(this.staging, 'old')
    // A process that was killed here may have left it.
    rmSync(old, { recursive: true, force: true })
    renameSync(catalog, old)
    renameSync(join(this.staging, 'new', 'catalog'), catalog)
    rmSync(this.invalidatedMarker, { force: true })
    for (const part of [old, join(this.staging, 'new')]) rmSync(part, { recursive: true, force: true })
  }

  /** Lets one process of this machine copy at a time. */
  private async runExclusive(work: () => Promise<void>): Promise<void> {
    const environment = openEnvironment(join(this.staging, 'lock'))
    const lock = new LocalTaskLock(environment)
    try {
      const since = Math.floor(Date.now() / 1000)
      while ((await lock.acquire('copy', since, 'the ledger')) !== undefined) {
        await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS))
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

/** What LMDB says of a file that is damaged or of another form, by its error codes. */
const LMDB_DAMAGE_CODES: ReadonlySet<unknown> = new Set([
  -30_797, // MDB_PAGE_NOTFOUND
  -30_796, // MDB_CORRUPTED
  -30_794, // MDB_VERSION_MISMATCH
  -30_793, // MDB_INVALID
  -30_784, // MDB_INCOMPATIBLE
])

/**
 * Whether an error that opening a catalog ended with is the fault of its data. Too many open files or readers, missing
 * rights or a full disk are not: the data may be as good as ever.
 */
export function isDataDamaged(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  const kinds = [CatalogDamagedError, CatalogFormatError, SyntaxError]
  return kinds.some((kind) => error instanceof kind) || LMDB_DAMAGE_CODES.has(code)
}
