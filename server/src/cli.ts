import { Command } from 'commander'
import { reportFailure } from './commands/terminal/command-exit.ts'
import { describeSettings, loadEnvFile, readSettings } from './config.ts'
import { keepFilesPrivate } from './lib/files.ts'
import { describeVersion, lowerPriority } from './lib/process-info.ts'

type AddCommands = (program: Command) => void

/** The modules of the commands, by command name. Only the module of the called command is loaded. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommands>>> = {
  serve: async () => addServeCommand,
  import: async () => (await import('./commands/feeds/import-command.ts')).addImportCommands,
  validate: async () => (await import('./commands/feeds/import-command.ts')).addImportCommands,
  export: async () => (await import('./commands/catalog/export-commands.ts')).addExportCommand,
  backup: async () => (await import('./commands/catalog/backup-commands.ts')).addBackupCommand,
  restore: async () => (await import('./commands/catalog/backup-commands.ts')).addRestoreCommand,
  verify: async () => (await import('./commands/catalog/verify-command.ts')).addVerifyCommand,
  demo: async () => (await import('./commands/catalog/demo-command.ts')).addDemoCommand,
  keys: async () => (await import('./commands/accounts/keys-command.ts')).addKeysCommands,
  webhooks: async () => (await import('./commands/accounts/webhooks-command.ts')).addWebhooksCommands,
  plans: async () => (await import('./commands/accounts/plans-command.ts')).addPlansCommands,
  accounts: async () => (await import('./commands/accounts/accounts-commands.ts')).addAccountsCommands,
  admin: async () => (await import('./commands/accounts/accounts-commands.ts')).addAccountsCommands,
  audit: async () => (await import('./commands/accounts/accounts-commands.ts')).addAuditCommand,
  status: async () => (await import('./commands/service/status-command.ts')).addStatusCommand,
  doctor: async () => (await import('./commands/catalog/doctor-command.ts')).addDoctorCommand,
  migrate: async () => (await import('./commands/catalog/migrate-command.ts')).addMigrateCommand,
  search: async () => (await import('./commands/service/search-commands.ts')).addSearchCommand,
  where: async () => (await import('./commands/service/search-commands.ts')).addWhereCommand,
  similar: async () => (await import('./commands/service/search-commands.ts')).addSimilarCommand,
  history: async () => (await import('./commands/service/search-commands.ts')).addHistoryCommand,
  config: async () => (await import('./commands/service/status-command.ts')).addConfigCommand,
  mcp: async () => (await import('./commands/service/mcp-command.ts')).addMcpCommand,
  mirror: async () => (await import('./commands/service/mirror-command.ts')).addMirrorCommand,
  sync: async () => (await import('./commands/sync/sync-commands.ts')).addSyncCommand,
  identities: async () => (await import('./commands/catalog/identities-command.ts')).addIdentitiesCommands,
  sources: async () => (await import('./commands/feeds/sources-command.ts')).addSourcesCommands,
  openapi: async () => addOpenApiCommand,
  completion: async () => (await import('./commands/terminal/shell-commands.ts')).addShellCommands,
  man: async () => (await import('./commands/terminal/shell-commands.ts')).addShellCommands,
}

/** The commands that describe all others. */
const DESCRIBING_COMMANDS: readonly string[] = ['completion', 'man']

/** The commands that import. Their phases can be traced, and the service has precedence over them. */
const IMPORTING_COMMANDS: readonly string[] = ['import', 'validate', 'sync', 'sources']

/** The settings that have a flag. */
const SETTING_FLAGS = { data: 'MARQUEE_DATA', port: 'PORT', host: 'HOST' } as const

const program = new Command('marquee')
  .description('A streaming catalog availability service: which shows can be watched where.')
  .version(describeVersion())
  .configureHelp({ showGlobalOptions: true })
  .option('--data <folder>', 'folder that holds the catalog and the accounts, instead of MARQUEE_DATA')
  .addHelpText(
    'after',
    `\nSettings (environment variables, or lines of a file .env in the current folder):\n${describeSettings()}`,
  )
const neededNames = findNeededCommands(process.argv[2])
for (const addCommands of await loadCommands(neededNames)) addCommands(program)
addHelpHints(program, 'marquee')
/** Sends the spans of a command that imports; there are none without OTEL_EXPORTER_OTLP_ENDPOINT. */
let endTraces = async () => {}
program.hook('preAction', async (_, called) => {
  overrideSettings(called.optsWithGlobals())
  if (!IMPORTING_COMMANDS.includes(process.argv[2] ?? '')) return
  lowerPriority()
  endTraces = await traceImports()
})

keepFilesPrivate()
process.stdout.on('error', (error) => process.exit(reportFailure(error, 'Standard output')))
try {
  loadEnvFile(process.env)
  await program.parseAsync(commandArguments(process.argv), { from: 'user' }).finally(() => endTraces())
} catch (error) {
  process.exitCode = reportFailure(error)
}

/** The commands to load for the first argument: the one that it names, none for the version, all of them for the help. */
function findNeededCommands(argument = ''): readonly string[] {
  if (Object.hasOwn(COMMANDS, argument) && !DESCRIBING_COMMANDS.includes(argument)) return [argument]
  return argument === '--version' || argument === '-V' ? [] : Object.keys(COMMANDS)
}

/** Loads the modules of commands. A native module that Node cannot load ends the program with one line. */
async function loadCommands(names: readonly string[]): Promise<Set<AddCommands>> {
  try {
    const loaded = await Promise.all(names.map((name) => COMMANDS[name]?.()))
    return new Set(loaded.filter((addCommands) => addCommands !== undefined))
  } catch (error) {
    process.exit(reportFailure(error))
  }
}

/** Adds `marquee serve`. The composition root of the service, `main.ts`, is loaded when it is called. */
function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('serve the catalog of the data directory over HTTP')
    .option('--demo', 'make the demo catalog first if there is none, and print keys to try it with')
    .option('--port <number>', 'TCP port to listen on, instead of PORT')
    .option('--host <address>', 'address to listen on, instead of HOST')
    .action(async (flags: { demo?: boolean }) => {
      const settings = readSettings(process.env)
      const { createLogger } = await import('./serving/startup/process-lifecycle.ts')
      const { WorkerPool } = await import('./serving/cluster/worker-pool.ts')
      const logger = createLogger(settings)
      // The workers load their modules while this process loads its own, and prepares the data directory.
      const workers = new WorkerPool(settings.workers, logger)
      try {
        const { serve } = await import('./main.ts')
        await serve({ settings, demo: flags.demo === true, workers, logger })
      } catch (error) {
        await workers.stop()
        throw error
      }
    })
}

/** Starts the traces of this command, if there is a collector. */
async function traceImports(): Promise<() => Promise<void>> {
  if ((process.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '') === '') return async () => {}
  const { traceCommand } = await import('./runtime/tracing.ts')
  return traceCommand(readSettings(process.env).traceCollector, describeVersion())
}

/** Puts flags that stand for settings into the environment, which the other processes of the service read, too. */
function overrideSettings(flags: Readonly<Record<string, unknown>>): void {
  for (const [flag, variable] of Object.entries(SETTING_FLAGS)) {
    const value = flags[flag]
    if (typeof value === 'string') process.env[variable] = value
  }
}

/** Adds `marquee openapi`. */
function addOpenApiCommand(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI document of the service')
    .option('--errors', 'print the table of error codes instead, as JSON')
    .action(async (flags: { errors?: boolean }) => {
      const { openApiDocument } = await import('./http/api/openapi.ts')
      const { listErrors } = await import('./http/exchange/errors.ts')
      const printed = flags.errors === true ? listErrors() : openApiDocument(readSettings({}))
      process.stdout.write(`${JSON.stringify(printed, null, 2)}\n`)
    })
}

/** The arguments of the program. `help` on an unknown command becomes a call of it, which suggests the right name. */
function commandArguments([, , ...words]: readonly string[]): string[] {
  const [first, topic] = words
  return first === 'help' && topic !== undefined && !Object.hasOwn(COMMANDS, topic) ? [topic] : words
}

/** Makes usage errors point to the help of their command; the full help would push the error out of sight. */
function addHelpHints(command: Command, name: string): void {
  command.showHelpAfterError(`See \`${name} --help\`.`)
  for (const subcommand of command.commands) addHelpHints(subcommand, `${name} ${subcommand.name()}`)
}
