import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Catalog } from '../../catalog/catalog.ts'
import { openEnvironment } from '../../catalog/storage/environment.ts'
import { openDatabase } from '../../database/open-database.ts'
import { LocalTaskLock } from '../local-task-lock.ts'
import { type CopyOptions, copyCatalog } from './catalog-copy.ts'
import { isUnusable } from './is-unusable.ts'
import { readHead } from './ledger-head.ts'
import { CatalogOutdated, NodeCatalog, NotACopy } from './node-catalog.ts'

const LOOK_AGAIN_MS = 200

export interface OpenOptions extends CopyOptions {
  /** Called when a catalog has to be copied, with the reason. */
  readonly onCopy?: ((reason: string) => void) | undefined
}

/**
 * The data directory of a node, whose catalog is only a copy: where it is missing, damaged, of another form or too far
 * behind, it is made anew beside the old one, which serves meanwhile, and put in its place when it is whole.
 */
export class NodeDirectory {
  private readonly dataDirectory: string
  private readonly staging: string
  private readonly distrusted: string

  constructor(dataDirectory: string) {
    this.dataDirectory = dataDirectory
    this.staging = join(dataDirectory, 'copy')
    this.distrusted = join(dataDirectory, 'catalog-distrusted')
  }

  /** Sees to it that there is a catalog that can be opened, be it empty. Throws where there is one of its own. */
  async prepare(): Promise<void> {
    mkdirSync(this.dataDirectory, { recursive: true })
    const problem = await this.problem()
    if (problem !== undefined) rmSync(join(this.dataDirectory, 'catalog'), { recursive: true, force: true })
    await openEnvironment(this.dataDirectory).root.close()
  }

  /** Opens the catalog as one that can follow the ledger, copying it first if need be. */
  async open(url: string, options: OpenOptions = {}): Promise<NodeCatalog> {
    await this.prepare()
    const session = await openDatabase(url, { purpose: 'copy' })
    try {
      for (;;) {
        const reason = await this.whyCopy(() => readHead(session))
        if (reason === undefined) return new NodeCatalog(this.dataDirectory)
        await this.alone(async () => {
          // Another process of this machine may have made the copy while this one waited.
          if ((await this.whyCopy(() => readHead(session))) === undefined) return
          options.onCopy?.(reason)
          await copyCatalog(session, join(this.staging, 'new'), options)
          this.exchange()
        })
      }
    } finally {
      await session.close()
    }
  }

  /** Says that the catalog is not to be trusted: it is copied anew when it is next opened. */
  distrust(reason: string): void {
    writeFileSync(this.distrusted, `${reason}\n`)
  }

  private async whyCopy(head: () => ReturnType<typeof readHead>): Promise<string | undefined> {
    if (existsSync(this.distrusted)) return 'it is not to be trusted'
    const node = new NodeCatalog(this.dataDirectory)
    try {
      node.positionIn(await head())
      return undefined
    } catch (error) {
      if (error instanceof CatalogOutdated) return error.message
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
        if (catalog.logPosition() === undefined && catalog.version() > 0) throw new NotACopy()
      } finally {
        await environment.root.close()
      }
      return undefined
    } catch (error) {
      if (!isUnusable(error)) throw error
      return (error as Error).message
    }
  }

  /** Puts the copy in the catalog's place. Who has the old one open can go on reading it. */
  private exchange(): void {
    const catalog = join(this.dataDirectory, 'catalog')
    const old = join(this.staging, 'old')
    // A process that was killed here may have left it.
    rmSync(old, { recursive: true, force: true })
    renameSync(catalog, old)
    renameSync(join(this.staging, 'new', 'catalog'), catalog)
    rmSync(this.distrusted, { force: true })
    for (const part of [old, join(this.staging, 'new')]) rmSync(part, { recursive: true, force: true })
  }

  /** Lets one process of this machine copy at a time. */
  private async alone(work: () => Promise<void>): Promise<void> {
    const environment = openEnvironment(join(this.staging, 'lock'))
    const lock = new LocalTaskLock(environment)
    try {
      const since = Math.floor(Date.now() / 1000)
      while ((await lock.take('copy', since, 'the ledger')) !== undefined) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
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
