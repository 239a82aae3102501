import { join } from 'node:path'
import type { Command } from 'commander'
import { moveAccountsToFolder, moveAccountsToPostgres } from '../../accounts/postgres/move-accounts.ts'
import { readSettings, type Settings } from '../../config.ts'
import { LocalLedger } from '../../ledger/local-ledger.ts'
import { type MigrationResult, migrateToDirectory, migrateToLedger } from '../../ledger/postgres/migrate-catalog.ts'
import { systemClock } from '../../lib/clock.ts'
import { openDatabase } from '../../lib/postgres/migrations.ts'
import { openExistingCatalog } from '../../runtime/open-stores.ts'
import { formatCount, Progress } from '../../runtime/progress.ts'
import { CommandError, printJson } from '../terminal/output.ts'

/** Adds `marquee migrate`. */
export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('move the catalog and the accounts into PostgreSQL, or back into a folder')
    .requiredOption(
      '--to <target>',
      'a postgres:// URL, the word DATABASE_URL for the one of the settings, or a folder',
    )
    .option('--json', 'print one JSON object')
    .action(async ({ to, json }: { to: string; json?: boolean }) => {
      const settings = readSettings(process.env)
      const inward = to === 'DATABASE_URL' || /^postgres(ql)?:\/\//.test(to)
      const { position, ...moved } = inward ? await moveIntoPostgres(settings, to) : await moveIntoFolder(settings, to)
      if (json === true) printJson({ ...moved, ...position })
      else process.stdout.write(inward ? describeInward(settings, moved) : describeOutward(to, moved))
    })
}

async function moveIntoPostgres(settings: Settings, to: string): Promise<AllMoved> {
  const url = to === 'DATABASE_URL' ? settings.databaseUrl : readSettings({ DATABASE_URL: to }).databaseUrl
  if (url === undefined) throw new CommandError('DATABASE_URL is not set; set it, or name the URL itself with --to')
  await openExistingCatalog(settings.dataDir).root.close()
  const ledger = new LocalLedger(settings.dataDir)
  try {
    const importer = await ledger.tasks.acquire('import', systemClock(), 'into PostgreSQL')
    if (importer !== undefined) throw new CommandError(`Process ${importer.pid} is importing; wait for it to end`)
    const session = await openDatabase(url, { purpose: 'migrate' })
    const progress = new Progress()
    try {
      const moved = await migrateToLedger(session, ledger.catalog, (done, total) =>
        progress.update('shows moved', done, () => done / total),
      )
      const keys = await moveAccountsToPostgres(session, join(settings.dataDir, 'accounts'), moved.position.ledger)
      // Only now, with all of it there, does the folder become a copy.
      const { root, meta } = ledger.catalog.environment
      root.transactionSync(() => meta.putSync('position', moved.position))
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

async function moveIntoFolder({ databaseUrl }: Settings, folder: string): Promise<AllMoved> {
  if (databaseUrl === undefined)
    throw new CommandError('DATABASE_URL is not set: there is nothing to move into a folder')
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

interface AllMoved extends MigrationResult {
  readonly keys: number
}

type Figures = Omit<AllMoved, 'position'>

function describeInward({ dataDir }: Settings, { shows, changes, keys, digest }: Figures): string {
  return `${formatCount(shows, 'show')}, ${formatCount(changes, 'change')} and ${formatCount(keys, 'key')} are in PostgreSQL; every document was compared (${digest.slice(0, 12)}).
Set DATABASE_URL from now on: ${dataDir} is a copy that follows the database.
`
}

function describeOutward(folder: string, { shows, changes, keys, digest }: Figures): string {
  return `${formatCount(shows, 'show')}, ${formatCount(changes, 'change')} and ${formatCount(keys, 'key')} are in ${folder}; every document was compared (${digest.slice(0, 12)}).
Unset DATABASE_URL and set MARQUEE_DATA=${folder} to serve them; the database stays as it is.
`
}
