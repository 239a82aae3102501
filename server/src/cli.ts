import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { describeFailure, INTERRUPTED_EXIT_CODE, InterruptedError } from './commands/terminal/command-errors.ts'
import { stripControlsByLine } from './commands/terminal/output.ts'
import { describeSettings } from './config.ts'

type AddCommands = (program: Command) => void

/** What adds the commands, by the names that they are called by. Only what was called is loaded. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommands>>> = {
  serve: async () => (await import('./commands/service/serve-command.ts')).addServeCommand,
  import: async () => (await import('./commands/feeds/import-command.ts')).addImportCommands,
  validate: async () => (await import('./commands/feeds/import-command.ts')).addImportCommands,
  export: async () => (await import('./commands/catalog/export-commands.ts')).addExportCommand,
  backup: async () => (await import('./commands/catalog/export-commands.ts')).addBackupCommand,
  demo: async () => (await import('./commands/catalog/demo-command.ts')).addDemoCommand,
  keys: async () => (await import('./commands/accounts/keys-command.ts')).addKeysCommands,
  plans: async () => (await import('./commands/accounts/plans-command.ts')).addPlansCommands,
  accounts: async () => (await import('./commands/accounts/accounts-commands.ts')).addAccountsCommands,
  admin: async () => (await import('./commands/accounts/accounts-commands.ts')).addAccountsCommands,
  audit: async () => (await import('./commands/accounts/accounts-commands.ts')).addAuditCommand,
  status: async () => (await import('./commands/service/status-command.ts')).addStatusCommand,
  migrate: async () => (await import('./commands/catalog/migrate-command.ts')).addMigrateCommand,
  search: async () => (await import('./commands/service/search-commands.ts')).addSearchCommand,
  where: async () => (await import('./commands/service/search-commands.ts')).addWhereCommand,
  sync: async () => (await import('./commands/feeds/sync-command.ts')).addSyncCommand,
  sources: async () => (await import('./commands/feeds/sources-command.ts')).addSourcesCommands,
  openapi: async () => (await import('./commands/service/openapi-command.ts')).addOpenApiCommand,
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
const program = new Command('marquee')
  .description('A streaming catalog availability service: which shows can be watched where.')
  .version(version)
  .addHelpText('after', `\nSettings (environment variables, with what they are otherwise):\n${describeSettings()}`)
const called = process.argv[2] ?? ''
const wanted = Object.hasOwn(COMMANDS, called) ? [called] : Object.keys(COMMANDS)
for (const add of new Set(await Promise.all(wanted.map((name) => COMMANDS[name]?.())))) add?.(program)

pointToHelp(program, 'marquee')

process.stdout.on('error', (error) => process.exit(reportFailure(error, 'Standard output')))
try {
  await program.parseAsync(commandArguments(process.argv), { from: 'user' })
} catch (error) {
  process.exitCode = reportFailure(error)
}

/** What was asked for. Help on a command that does not exist is told like any use of one. */
function commandArguments([, , ...words]: readonly string[]): string[] {
  const [first, topic] = words
  return first === 'help' && topic !== undefined && !Object.hasOwn(COMMANDS, topic) ? [topic] : words
}

/** Has wrong usage answered by what is wrong and where help is: all of the help would push the first out of sight. */
function pointToHelp(command: Command, name: string): void {
  command.showHelpAfterError(`See \`${name} --help\`.`)
  for (const part of command.commands) pointToHelp(part, `${name} ${part.name()}`)
}

/** Says what went wrong, and which exit code that comes to. What nobody can mend is thrown, with its stack. */
function reportFailure(error: unknown, what?: string): number {
  if (error instanceof CommanderError) return error.exitCode
  // A reader that has seen enough (`marquee demo | head`) is no failure.
  if (Object(error).code === 'EPIPE') return 0
  const sentence = describeFailure(error, what)
  if (sentence === undefined) throw error
  process.stderr.write(`marquee: ${stripControlsByLine(sentence)}\n`)
  return error instanceof InterruptedError ? INTERRUPTED_EXIT_CODE : 1
}
