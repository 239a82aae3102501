import type { Logger } from 'pino'
import { Catalog } from '../catalog/catalog.ts'
import { openEnvironment } from '../catalog/environment.ts'
import type { Settings } from '../config.ts'
import { Keeper } from '../ingest/keeper.ts'
import { LocalLedger } from '../ledger/local-ledger.ts'
import { NodeDirectory } from '../ledger/postgres/node-directory.ts'
import { systemClock } from '../model/clock.ts'
import { catalogFile } from './node.ts'
import { NodeChild } from './node-child.ts'
import type { Workers } from './workers.ts'

/** What keeps the catalog of a running service up to date. */
export interface Upkeep {
  start(): void
  /** Goes on with the program as it is on disk now. */
  renew(): Promise<void>
  stop(): Promise<void>
}

/** Where the data directory is the system of record: the keeper, in this very process. */
export function localUpkeep(settings: Settings, logger: Logger): Upkeep {
  const ledger = new LocalLedger(settings.dataDir)
  const keeper = new Keeper(ledger, systemClock, {
    retentionDays: settings.retentionDays,
    onError: (error) => logger.error({ err: error }, 'the keeper failed'),
  })
  return {
    start: () => keeper.start(),
    renew: async () => {},
    stop: async () => {
      await keeper.stop()
      await ledger.close()
    },
  }
}

/** So many crashes of workers within this time, and the catalog is taken for damaged. */
const MOST_CRASHES = 3
const CRASH_WINDOW_MS = 60_000

/** Where PostgreSQL is: a process that follows it, and new workers whenever the catalog was copied anew. */
export function nodeUpkeep(settings: Settings, workers: Workers, logger: Logger): Upkeep {
  let served = catalogFile(settings.dataDir)
  let crashes: number[] = []
  const child = new NodeChild(logger, ({ catalogFile: file, ledger }) => {
    if (ledger !== undefined) workers.tell({ ledger })
    if (file === undefined || file === served) return
    served = file
    logger.info('the catalog was copied anew, and the workers are renewed to serve it')
    void workers.roll()
  })
  workers.onCrash = () => {
    const now = performance.now()
    crashes = [...crashes.filter((at) => now - at < CRASH_WINDOW_MS), now]
    if (crashes.length < MOST_CRASHES) return
    crashes = []
    logger.error('workers crash again and again: the catalog is taken for damaged, and copied anew')
    new NodeDirectory(settings.dataDir).distrust('workers crashed while they read it')
    void child.restart()
  }
  return {
    start: () => child.start(),
    renew: () => child.restart(),
    stop: () => child.stop(),
  }
}

/** The version of the catalog in a data directory. */
export async function catalogVersion(dataDir: string): Promise<number> {
  const environment = openEnvironment(dataDir)
  try {
    return new Catalog(environment).version()
  } finally {
    await environment.root.close()
  }
}
