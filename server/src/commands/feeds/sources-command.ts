import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { AuditAction } from '../../accounts/store/account-tables.ts'
import { Catalog } from '../../catalog/catalog.ts'
import { hasCatalog } from '../../catalog/storage/environment.ts'
import { readSettings } from '../../config.ts'
import {
  controlSource,
  readScheduleStatus,
  type ScheduledSourceStatus,
} from '../../connectors/schedule/schedule-status.ts'
import { ALL_FIELDS, readSourceRanks, writeSourceRanks } from '../../connectors/schedule/source-ranks-file.ts'
import { readSourceControl, trySource } from '../../connectors/schedule/source-state.ts'
import { formatDuration, parseSources, type ScheduledSource } from '../../connectors/schedule/sources-file.ts'
import { systemClock } from '../../lib/clock.ts'
import { describeSystemError, systemErrorCode, UserError } from '../../lib/errors.ts'
import { stripControls, stripControlsByLine } from '../../lib/text/printable.ts'
import {
  isRankedField,
  isSourceName,
  NO_RANKS,
  RANKED_FIELDS,
  SOURCE_NAME_RULE,
  type SourceRanks,
} from '../../model/source-ranks.ts'
import { withAccounts } from '../../runtime/open-accounts.ts'
import { openExistingCatalog, QUICK_PAGE_CHECK_MS } from '../../runtime/open-ledger.ts'
import { formatCount } from '../../runtime/progress.ts'
import type { JsonFlag } from '../terminal/flags.ts'
import { formatIsoInstant, printJson, printLines, printTable } from '../terminal/output.ts'
import { addRemoveCommand } from './remove-command.ts'

/** Adds `marquee sources`. */
export function addSourcesCommands(program: Command): void {
  const sources = program
    .command('sources')
    .description('check, list, run and pause the scheduled sources, rank sources, and remove one with all it has said')
  sources
    .command('check')
    .description(
      'validate sources.json, and try each source: is its file there, does its address answer, is its key set',
    )
    .option('--json', 'print one JSON object')
    .action(async (flags: JsonFlag) => {
      const { sourcesFile, privateSources } = readSettings(process.env)
      const read = readSourcesFile(sourcesFile)
      const context = { env: process.env, allowPrivate: privateSources === 'allow' }
      const tried = await Promise.all(read.map((source) => trySource(source, context)))
      if (flags.json === true) printJson({ file: sourcesFile, sources: read, tried })
      else {
        printLines(`${sourcesFile} is valid; it has ${formatCount(read.length, 'source')}`)
        for (const { name, isReady, detail } of tried)
          printLines(`${name}: ${isReady ? 'ready' : 'not ready'}; ${detail}`)
      }
      if (!tried.every(({ isReady }) => isReady)) process.exitCode = 1
    })
  sources
    .command('list')
    .description('list the last run, its outcome and the next run of each source')
    .option('--json', 'print one JSON object')
    .action((flags: JsonFlag) => {
      const { sourcesFile, dataDir } = readSettings(process.env)
      readSourcesFile(sourcesFile)
      const status = readScheduleStatus(sourcesFile, dataDir, systemClock())
      if (flags.json === true) printJson(status)
      else printSchedule(status.sources)
    })
  sources
    .command('run')
    .description('run one source now, due or not')
    .argument('<name>', 'its name in sources.json')
    .option('--json', 'print one JSON object')
    .action(async (name: string, flags: JsonFlag) => {
      const settings = readSettings(process.env)
      const source = findSource(settings.sourcesFile, name)
      const { runSource } = await import('./run-source.ts')
      await recordAction('source.run', name)
      const { lastOutcome, problem } = await runSource(settings, source)
      if (flags.json === true) printJson({ name, outcome: lastOutcome, ...(problem !== undefined && { problem }) })
      else if (lastOutcome !== 'failed') printLines(`${name}: ${lastOutcome}`)
      if (problem !== undefined && flags.json !== true)
        process.stderr.write(`marquee: ${stripControlsByLine(`${name}: ${problem}`)}\n`)
      if (lastOutcome === 'failed') process.exitCode = 1
    })
  for (const verb of ['pause', 'resume'] as const) {
    sources
      .command(verb)
      .description(
        verb === 'pause'
          ? 'let the service run a source no more until it is resumed; what it has said stays'
          : 'let the service run a paused source again',
      )
      .argument('<name>', 'its name in sources.json')
      .option('--json', 'print one JSON object')
      .action(async (name: string, flags: JsonFlag) => {
        const { sourcesFile, dataDir } = readSettings(process.env)
        findSource(sourcesFile, name)
        await recordAction(verb === 'pause' ? 'source.paused' : 'source.resumed', name)
        controlSource(sourcesFile, dataDir, { name, action: verb, now: systemClock() })
        if (flags.json === true) printJson({ name, ...readSourceControl(dataDir, name) })
        else printLines(`${name}: ${verb === 'pause' ? 'paused' : 'resumed'}`)
      })
  }
  addRankCommand(sources)
  addRemoveCommand(sources)
}

/** Puts an action into the audit log. */
async function recordAction(action: AuditAction, name: string): Promise<void> {
  await withAccounts(({ audit }, context) => audit.record(context, action, name))
}

/** Reads sources.json; throws a `UserError` if it is missing or invalid. */
function readSourcesFile(file: string): ScheduledSource[] {
  try {
    return parseSources(readFileSync(file, 'utf8'), file)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') {
      throw new UserError(`There is no ${file}; docs/first-catalog.md describes it`)
    }
    const reason = describeSystemError(error)
    throw reason === undefined ? error : new UserError(`${file} cannot be read: ${reason}`)
  }
}

/** The entry of a name in sources.json; throws a `UserError` if there is none. */
function findSource(file: string, name: string): ScheduledSource {
  const all = readSourcesFile(file)
  const source = all.find((one) => one.name === name)
  if (source !== undefined) return source
  const names = all.map((one) => one.name).join(', ')
  throw new UserError(`There is no source "${name}" in ${file}; there are ${names || 'none'}`)
}

/** Prints the state of the scheduled sources as a table. */
export function printSchedule(sources: readonly ScheduledSourceStatus[]): void {
  printTable(
    ['scheduled', 'every', 'last run', 'outcome', 'next run', 'state'],
    sources.map((source) => [
      source.name,
      formatDuration(source.every),
      source.lastRunAt === undefined ? 'never' : formatIsoInstant(source.lastRunAt),
      source.lastOutcome ?? '',
      describeNextRun(source),
      describeSourceState(source),
    ]),
  )
  for (const { name, problem } of sources) if (problem !== undefined) printLines('', `${name}: ${problem}`)
}

function describeNextRun({ nextRunAt, pausedAt, runRequestedAt }: ScheduledSourceStatus): string {
  if (runRequestedAt === undefined && pausedAt !== undefined) return ''
  return nextRunAt === undefined || runRequestedAt !== undefined ? 'now' : formatIsoInstant(nextRunAt)
}

function describeSourceState({ running, stale, failures, pausedAt }: ScheduledSourceStatus): string {
  const states = [
    ...(pausedAt !== undefined ? [`paused since ${formatIsoInstant(pausedAt)}`] : []),
    ...(running ? ['running'] : []),
    ...(failures > 0 ? [failures === 1 ? 'failed once' : `failed ${failures} times`] : []),
    ...(stale ? ['stale'] : []),
  ]
  return states.join(', ') || 'ok'
}

interface RankFlags extends JsonFlag {
  readonly field?: string
  readonly clear?: boolean
}

/** Adds `marquee sources rank`. */
export function addRankCommand(sources: Command): void {
  sources
    .command('rank')
    .description('show or set which sources have precedence for titles, overviews, people and other details')
    .argument('[source...]', 'the sources, best first; they replace the known order. Without any, the order is printed')
    .option('--field <name>', `only for this field: ${RANKED_FIELDS.join(', ')}`)
    .option('--clear', 'remove the order: of the field, or of all fields')
    .option('--json', 'print one JSON object')
    .action(async (names: string[], flags: RankFlags) => {
      const { sourcesFile, dataDir } = readSettings(process.env)
      const before = readSourceRanks(sourcesFile)
      checkFlags(names, flags)
      const isSet = names.length > 0 || flags.clear === true
      const ranks = isSet ? changeRanks(before, names, flags) : before
      if (isSet) writeSourceRanks(sourcesFile, ranks)
      const unknown = isSet ? await findUnknown(names, dataDir) : []
      if (flags.json === true) printJson({ file: sourcesFile, ...ranks, ...(isSet && { unknown }) })
      else printRanks(ranks, isSet)
      if (unknown.length === 0 || flags.json === true) return
      process.stderr.write(
        stripControls(`marquee: Nothing was imported from ${unknown.join(', ')} so far`).concat('\n'),
      )
    })
}

function checkFlags(names: readonly string[], { field, clear }: RankFlags): void {
  if (field !== undefined && !isRankedField(field)) {
    throw new UserError(`--field is "${field}"; it must be one of ${RANKED_FIELDS.join(', ')}`)
  }
  if (clear === true && names.length > 0) throw new UserError('Give either sources or --clear')
  const invalid = names.find((name) => !isSourceName(name))
  if (invalid !== undefined) {
    throw new UserError(`The source is ${JSON.stringify(invalid.slice(0, 40))}; it must be ${SOURCE_NAME_RULE}`)
  }
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new UserError(`The source "${twice}" is given twice`)
}

function changeRanks(before: SourceRanks, names: readonly string[], { field, clear }: RankFlags): SourceRanks {
  if (field === undefined) return clear === true ? NO_RANKS : { ...before, all: names }
  const others = Object.entries(before.fields).filter(([name]) => name !== field)
  const fields = Object.fromEntries(clear === true ? others : [...others, [field, names]])
  return { ...before, fields }
}

/** The named sources that the catalog does not know: they may be misspelt, or imported later. */
async function findUnknown(names: readonly string[], dataDir: string): Promise<string[]> {
  if (names.length === 0 || !hasCatalog(dataDir)) return [...names]
  const environment = openExistingCatalog(dataDir, { pageCheckMs: QUICK_PAGE_CHECK_MS })
  try {
    const catalog = new Catalog(environment)
    const known = new Set([
      ...catalog.sources().map(({ name }) => name),
      ...Object.keys(catalog.counts().offersBySource),
    ])
    return names.filter((name) => !known.has(name))
  } finally {
    await environment.root.close()
  }
}

function printRanks({ all, fields }: SourceRanks, isSet: boolean): void {
  const rows = [...(all.length > 0 ? [[ALL_FIELDS, all] as const] : []), ...Object.entries(fields)]
  if (rows.length === 0) printLines('No source is ranked: the latest record of a show decides its details.')
  else
    printTable(
      ['field', 'sources, best first'],
      rows.map(([field, names]) => [field, names.join(', ')]),
    )
  if (isSet) printLines('', 'It applies from the next import of each source on.')
}
