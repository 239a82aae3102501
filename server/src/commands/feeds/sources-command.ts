import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { readSettings } from '../../config.ts'
import { readScheduleStatus, type ScheduledSourceStatus } from '../../connectors/schedule/schedule-status.ts'
import { formatDuration, parseSources, type ScheduledSource } from '../../connectors/schedule/sources-file.ts'
import { systemClock } from '../../lib/clock.ts'
import { describeSystemError, systemErrorCode } from '../../lib/system-error.ts'
import { formatCount } from '../../runtime/progress.ts'
import { CommandError, printJson, printLines, printTable, stripControlsByLine } from '../terminal/output.ts'
import { runSource } from './run-source.ts'

/** Adds `marquee sources`. */
export function addSourcesCommands(program: Command): void {
  const sources = program.command('sources').description('look after the sources that the service feeds itself from')
  sources
    .command('check')
    .description('say whether sources.json can be used, and everything that is wrong with it')
    .option('--json', 'print one JSON object')
    .action((flags: { json?: boolean }) => {
      const { sourcesFile } = readSettings(process.env)
      const read = readSourcesFile(sourcesFile)
      if (flags.json === true) printJson({ file: sourcesFile, sources: read })
      else process.stdout.write(`${sourcesFile} is in order; it has ${formatCount(read.length, 'source')}\n`)
    })
  sources
    .command('list')
    .description('say when each source ran, what came of it, and when it is due')
    .option('--json', 'print one JSON object')
    .action((flags: { json?: boolean }) => {
      const { sourcesFile, dataDir } = readSettings(process.env)
      readSourcesFile(sourcesFile)
      const status = readScheduleStatus(sourcesFile, dataDir, systemClock())
      if (flags.json === true) printJson(status)
      else printSchedule(status.sources)
    })
  sources
    .command('run')
    .description('run one source now, whether it is due or not')
    .argument('<name>', 'its name in sources.json')
    .option('--json', 'print one JSON object')
    .action(async (name: string, flags: { json?: boolean }) => {
      const settings = readSettings(process.env)
      const all = readSourcesFile(settings.sourcesFile)
      const source = all.find((one) => one.name === name)
      if (source === undefined) {
        const names = all.map((one) => one.name).join(', ')
        throw new CommandError(`There is no source "${name}" in ${settings.sourcesFile}; there are ${names || 'none'}`)
      }
      const { lastOutcome, problem } = await runSource(settings, source)
      if (flags.json === true) printJson({ name, outcome: lastOutcome, ...(problem !== undefined && { problem }) })
      else if (lastOutcome !== 'failed') printLines(`${name}: ${lastOutcome}`)
      if (problem !== undefined && flags.json !== true)
        process.stderr.write(`marquee: ${name}: ${stripControlsByLine(problem)}\n`)
      if (lastOutcome === 'failed') process.exitCode = 1
    })
}

/** The sources of the file, or the command's failure if it is not there or cannot be used. */
function readSourcesFile(file: string): ScheduledSource[] {
  try {
    return parseSources(readFileSync(file, 'utf8'), file)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') {
      throw new CommandError(`There is no ${file}; docs/first-catalog.md says what to write there`)
    }
    const reason = describeSystemError(error)
    throw reason === undefined ? error : new CommandError(`${file} cannot be read: ${reason}`)
  }
}

/** Prints how scheduled sources are doing, a line each. */
export function printSchedule(sources: readonly ScheduledSourceStatus[]): void {
  printTable(
    ['scheduled', 'every', 'last run', 'outcome', 'next run', 'state'],
    sources.map((source) => [
      source.name,
      formatDuration(source.every),
      formatIsoInstant(source.lastRunAt) ?? 'never',
      source.lastOutcome ?? '',
      formatIsoInstant(source.nextRunAt) ?? 'at once',
      describeSourceState(source),
    ]),
  )
  for (const { name, problem } of sources) if (problem !== undefined) printLines('', `${name}: ${problem}`)
}

function describeSourceState({ running, stale, failures }: ScheduledSourceStatus): string {
  const words = [
    ...(running ? ['running'] : []),
    ...(failures > 0 ? [failures === 1 ? 'failed once' : `failed ${failures} times`] : []),
    ...(stale ? ['stale'] : []),
  ]
  return words.join(', ') || 'in order'
}

function formatIsoInstant(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString().replace('.000', '')
}
