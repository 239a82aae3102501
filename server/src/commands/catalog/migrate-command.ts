import { join } from 'node:path'
import type { Command } from 'commander'
import { moveAccountsToFolder, moveAccountsToPostgres } from '../../accounts/postgres/move-accounts.ts'
import { Catalog } from '../../catalog/catalog.ts'
import { CATALOG_FORMAT } from '../../catalog/storage/environment.ts'
import { readSettings, type Settings } from '../../config.ts'
import { LocalLedger } from '../../ledger/local-ledger.ts'
import { type MigrationResult, migrateToDirectory, migrateToLedger } from '../../ledger/postgres/migrate-catalog.ts'
import { systemClock } from '../../lib/clock.ts'
import { UserError } from '../../lib/errors.ts'
import { openDatabase } from '../../lib/postgres/database.ts'
import { describeMigration, migrateFormat, openExistingCatalog } from '../../runtime/open-ledger.ts'
import { formatCount, Progress } from '../../runtime/progress.ts'
import { assertNotServed } from '../../runtime/service-claim.ts'
import type { JsonFlag } from '../terminal/flags.ts'
import { printJson, printLines } from '../terminal/output.ts'

interface MoveResult extends MigrationResult {
  readonly keys: number
}

/** Adds `marquee migrate`. */
export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the catalog to the current format; or move it with the accounts into PostgreSQL, or back')
    .option('--to <target>', 'a postgres:// URL, the word DATABASE_URL to use that setting, or a folder')
    .option('--json', 'print one JSON object')
    .action(async ({ to, json }: { to?: string } & JsonFlag) => {
      const settings = readSettings(process.env)
      if (to === undefined) {
        await migrateInPlace(settings, json === true)
        return
      }
      const toPostgres = to === 'DATABASE_URL' || /^postgres(ql)?:\/\//.test(to)
      const { position, ...figures } = await (toPostgres ? moveToPostgres(settings, to) : moveToFolder(settings, to))
      if (json === true) printJson({ ...figures, ...position })
      else process.stdout.write(describeMove(figures, toPostgres ? undefined : to, settings))
    })
}

/** Brings the catalog of the data folder to the current format. */
async function migrateInPlace({ dataDir, databaseUrl }: Settings, json: boolean): Promise<void> {
  if (databaseUrl !== undefined) {
    throw new UserError('DATABASE_URL is set: a node copies its catalog in the current format when it is started')
  }
  await openExistingCatalog(dataDir).root.close()
  const migrated = await migrateFormat(dataDir, { at: systemClock() })
  if (migrated === undefined) {
    // Throws if the format is one that cannot be migrated.
    const format = await readFormat(dataDir)
    if (json) printJson({ format })
    else printLines(`The catalog in ${dataDir} has format ${format}, the current one`)
    return
  }
  const { formerFormat, version, shows, offers, changes, previous } = migrated
  if (json) printJson({ format: CATALOG_FORMAT, formerFormat, version, shows, offers, changes, previous })
  else printLines(describeMigration(dataDir, migrated))
}

async function readFormat(dataDir: string): Promise<number> {
  const environment = openExistingCatalog(dataDir)
  try {
    return new Catalog(environment).format()
  } finally {
    await environment.root.close()
  }
}

/** Copies a local catalog and its accounts into PostgreSQL; the folder becomes a replica. */
async function moveToPostgres(settings: Settings, to: string): Promise<MoveResult> {
  const url = to === 'DATABASE_URL' ? settings.databaseUrl : readSettings({ DATABASE_URL: to }).databaseUrl
  if (url === undefined) throw new UserError('DATABASE_URL is not set; set it, or name the URL itself with --to')
  await openExistingCatalog(settings.dataDir).root.close()
  await assertNotServed(settings.dataDir)
  const ledger = new LocalLedger(settings.dataDir)
  try {
    const importer = await ledger.tasks.acquire('import', systemClock(), 'into PostgreSQL')
    if (importer !== undefined) throw new UserError(`Process ${importer.pid} is importing; wait for it to end`)
    const session = await openDatabase(url, { purpose: 'migrate' })
    const progress = new Progress()
    try {
      const moved = await migrateToLedger(session, ledger.catalog, (done, total) =>
        progress.update('shows moved', done, () => done / total),
      )
      const keys = await moveAccountsToPostgres(session, join(settings.dataDir, 'accounts'), moved.position.ledger)
      // Written last: from here on the folder is a replica at this log position.
      ledger.catalog.setLogPosition(moved.position)
      return { ...moved, keys }
    } finally {
      progress.end()
      await session.close()
      await ledger.tasks.release('import')
    }
  } finally {
    await ledger.close()
  }
}

/** Copies the catalog and the accounts of PostgreSQL into a folder, which is then a local system of record. */
async function moveToFolder({ databaseUrl }: Settings, folder: string): Promise<MoveResult> {
  if (databaseUrl === undefined) throw new UserError('DATABASE_URL is not set: there is nothing to move into a folder')
  const session = await openDatabase(databaseUrl, { purpose: 'migrate' })
  const progress = new Progress()
  try {
    const keys = await moveAccountsToFolder(session, join(folder, 'accounts'))
    const moved = await migrateToDirectory(session, folder, (done, total) =>
      progress.update('shows moved', done, () => done / total),
    )
    return { ...moved, keys }
  } finally {
    progress.end()
    await session.close()
  }
}

function describeMove(
  { shows, changes, keys, digest }: Omit<MoveResult, 'position'>,
  folder: string | undefined,
  { dataDir }: Settings,
): string {
  const counts = `${formatCount(shows, 'show')}, ${formatCount(changes, 'change')} and ${formatCount(keys, 'key')}`
  const verified = `every document was compared (${digest.slice(0, 12)})`
  return folder === undefined
    ? `${counts} are in PostgreSQL; ${verified}.
Set DATABASE_URL from now on: ${dataDir} is a replica that follows the database.
`
    : `${counts} are in ${folder}; ${verified}.
Unset DATABASE_URL and set MARQUEE_DATA=${folder} to serve them; the database stays as it is.
`
}
