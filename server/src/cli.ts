import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { AccountProblem } from './accounts/account-problem.ts'
import { AccountsFormatError } from './accounts/account-tables.ts'
import { CannotMoveAccounts } from './accounts/postgres/move-accounts.ts'
import { CatalogFormatError } from './catalog/catalog.ts'
import { addAccountsCommands } from './commands/accounts-command.ts'
import { addAuditCommand } from './commands/audit-command.ts'
import { addBackupCommand } from './commands/backup-command.ts'
import { addBenchCommand } from './commands/bench-command.ts'
import { addDemoCommand } from './commands/demo-command.ts'
import { addExportCommand } from './commands/export-command.ts'
import { addImportCommands } from './commands/import-command.ts'
import { addKeysCommands } from './commands/keys-command.ts'
import { addMigrateCommand } from './commands/migrate-command.ts'
import { addOpenApiCommand } from './commands/openapi-command.ts'
import { CommandError } from './commands/output.ts'
import { addPlansCommands } from './commands/plans-command.ts'
import { addSearchCommand } from './commands/search-command.ts'
import { addServeCommand } from './commands/serve-command.ts'
import { addSourcesCommands } from './commands/sources-command.ts'
import { addStatusCommand } from './commands/status-command.ts'
import { addSyncCommand } from './commands/sync-command.ts'
import { addWhereCommand } from './commands/where-command.ts'
import { describeSettings, SettingsError } from './config.ts'
import { ConnectorError } from './connectors/connector.ts'
import { SchemaTooNew } from './database/migrations.ts'
import { DatabaseUnavailable } from './database/session.ts'
import { ImportLocked } from './ingest/import-lock.ts'
import { CatalogIsACopy } from './ledger/local-ledger.ts'
import { LedgerFilling } from './ledger/postgres/ledger-head.ts'
import { CannotMove } from './ledger/postgres/move-in.ts'
import { NotACopy } from './ledger/postgres/node-catalog.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Failures that are the user's to mend: shown as a sentence, without a stack. */
const EXPECTED = [
  CannotMove,
  CannotMoveAccounts,
  CommandError,
  ConnectorError,
  SettingsError,
  CatalogFormatError,
  AccountsFormatError,
  AccountProblem,
  CatalogIsACopy,
  ImportLocked,
  LedgerFilling,
  DatabaseUnavailable,
  NotACopy,
  SchemaTooNew,
]

const program = new Command('marquee')
  .description('A streaming catalog availability service: which shows can be watched where.')
  .version(version)
  .showHelpAfterError()
  .addHelpText('after', `\nSettings (environment variables, with what they are otherwise):\n${describeSettings()}`)
addServeCommand(program)
addImportCommands(program)
addExportCommand(program)
addBackupCommand(program)
addDemoCommand(program)
addKeysCommands(program)
addPlansCommands(program)
addAccountsCommands(program)
addAuditCommand(program)
addStatusCommand(program)
addMigrateCommand(program)
addSearchCommand(program)
addWhereCommand(program)
addSyncCommand(program)
addSourcesCommands(program)
addBenchCommand(program)
addOpenApiCommand(program)

// A reader that has seen enough (`marquee demo | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode
  else if (EXPECTED.some((kind) => error instanceof kind)) {
    process.stderr.write(`marquee: ${(error as Error).message}\n`)
    process.exitCode = 1
  } else if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exitCode = 0
  else throw error
}
