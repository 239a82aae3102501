import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasCatalog } from '../catalog/storage/environment.ts'
import type { Settings } from '../config.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { LocalLedger } from '../ledger/local-ledger.ts'
import { PostgresLedger } from '../ledger/postgres/postgres-ledger.ts'
import { ReplicaDirectory } from '../ledger/postgres/replica-directory.ts'
import { Progress } from './progress.ts'

type LedgerSettings = Pick<Settings, 'dataDir' | 'databaseUrl'>

/** The ledger that the settings name, with the catalog of the data directory brought up to date. */
export async function openLedger({ dataDir, databaseUrl }: LedgerSettings, purpose: string): Promise<Ledger> {
  if (databaseUrl === undefined) return new LocalLedger(dataDir)
  const progress = new Progress()
  const node = await new ReplicaDirectory(dataDir).open(databaseUrl, {
    onProgress: (done, total) => progress.update('shows copied from PostgreSQL', done, () => done / total),
  })
  progress.end()
  const ledger = new PostgresLedger(node, databaseUrl, purpose)
  await ledger.refresh()
  return ledger
}

/** A ledger to check feeds against: the one that the settings name, or an empty one where there is none yet. */
export async function openLedgerToCheck(settings: LedgerSettings): Promise<Ledger> {
  const { dataDir, databaseUrl } = settings
  return databaseUrl !== undefined || hasCatalog(dataDir) ? openLedger(settings, 'check') : new ImaginedLedger()
}

/** An empty ledger that leaves nothing behind. */
class ImaginedLedger extends LocalLedger {
  private readonly folder: string

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'marquee-check-'))
    super(folder)
    this.folder = folder
  }

  override async close(): Promise<void> {
    await super.close()
    rmSync(this.folder, { recursive: true })
  }
}
