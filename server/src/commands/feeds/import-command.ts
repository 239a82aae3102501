import { statSync } from 'node:fs'
import type { Command } from 'commander'
import { readSettings } from '../../config.ts'
import { type GivenOptions, type OpenFeed, optionFlag } from '../../connectors/connector.ts'
import { CONNECTORS, openSource } from '../../connectors/registry.ts'
import { readSourceRanks } from '../../connectors/schedule/source-ranks-file.ts'
import { importAsOf } from '../../ingest/import-as-of.ts'
import { checkFeed, type FeedSource, type ImportOptions, importFeed } from '../../ingest/import-feed.ts'
import { type ImportLockOptions, withImportLock } from '../../ingest/import-lock.ts'
import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { systemClock } from '../../lib/clock.ts'
import { describeSystemError, UserError } from '../../lib/errors.ts'
import { openLedger, openLedgerForCheck } from '../../runtime/open-ledger.ts'
import { Progress } from '../../runtime/progress.ts'
import { InterruptWatch } from '../terminal/command-exit.ts'
import { type JsonFlag, parseAsOf, parseMode, parseSourceName } from '../terminal/flags.ts'
import { printImportReport, printImportWait, printJson, toJsonReport } from '../terminal/output.ts'

interface FeedFlags extends JsonFlag {
  readonly source?: string
  readonly mode?: 'snapshot' | 'delta'
  readonly force?: boolean
  readonly dryRun?: boolean
  readonly wait?: boolean
  readonly format?: string
  readonly guess?: boolean
  readonly yes?: boolean
  readonly asOf?: string
}

/** What the shows of each phase have been, for the progress line. */
const PHASES = { checking: 'checked', importing: 'imported' }

const INTERRUPTED = 'Interrupted. What was committed stays; import the feed again to complete it.'

/** Adds `marquee import` and `marquee validate`. */
export function addImportCommands(program: Command): void {
  addFeedOptions(program.command('import').description('import feeds into the catalog'))
    .option('--force', 'import a snapshot even if it removes more than a fifth of its source')
    .option('--dry-run', 'report what the import would do, and change nothing')
    .option(
      '--as-of <date>',
      'the feeds are snapshots of that day: fill the history from them, and change nothing else',
    )
    .option('--no-wait', 'fail immediately if another process is importing')
    .option('--yes', 'with --guess: import without asking')
    .action((feeds: string[], flags: FeedFlags) => runFeeds(feeds, flags, flags.dryRun !== true))
  addFeedOptions(program.command('validate').description('check feeds against the catalog, and change nothing')).action(
    (feeds: string[], flags: FeedFlags) => runFeeds(feeds, flags, false),
  )
}

/** Adds the arguments and options that both commands have. */
function addFeedOptions(command: Command): Command {
  command
    .argument('<feed...>', 'files, or folders for a format of folders; - reads standard input')
    .option('--source <name>', "the source that the feeds belong to; overrides the feed's header", parseSourceName)
    .option('--mode <mode>', "snapshot (the feed is complete) or delta; overrides the feed's header", parseMode)
    .option('--format <name>', 'the format of the feeds, see below (default: native, or csv for tables)')
    .option('--guess', 'csv: make the mapping from the headings and the first rows, show it, and ask')
    .option('--json', 'print one JSON object for each feed')
    .addHelpText('after', describeFormats())
  return addFormatOptions(command)
}

async function runFeeds(feeds: readonly string[], flags: FeedFlags, apply: boolean): Promise<void> {
  const settings = readSettings(process.env)
  checkPaths(feeds)
  const asOf = flags.asOf === undefined ? undefined : parseAsOf(flags.asOf, systemClock(), settings.historyDays)
  const ranks = readSourceRanks(settings.sourcesFile)
  const ledger = apply ? await openLedger(settings, 'import') : await openLedgerForCheck(settings)
  let failed = false
  try {
    for (const path of feeds) {
      if (!(await runFeed(path, { ...flags, asOf, ranks }, ledger, apply))) failed = true
    }
  } finally {
    await ledger.close()
  }
  if (failed) process.exitCode = 1
}

/** Imports or checks one feed and prints the report. Returns whether the feed was complete and not refused. */
async function runFeed(
  path: string,
  flags: Omit<FeedFlags, 'asOf'> & Pick<ImportOptions, 'ranks'> & { readonly asOf: number | undefined },
  ledger: Ledger,
  apply: boolean,
): Promise<boolean> {
  const given = pickFormatOptions(flags)
  const format = resolveFormat(path, flags, given)
  const guessed = flags.guess === true ? await guessOptions(path, flags, given, ledger, apply) : undefined
  if (flags.guess === true && guessed === undefined) return false
  const options = guessed?.options ?? given
  const feed = await openSource({ path, format, options }, { catalog: ledger.catalog })
  const progress = new Progress()
  const feedProgress = new FeedProgress(feed)
  let phase: keyof typeof PHASES = 'checking'
  let shows = 0
  const showProgress = () => progress.update(`shows ${PHASES[phase]}`, shows, () => feedProgress.fraction(shows))
  // Some formats are read to the end before the first show comes out.
  const progressTimer = setInterval(showProgress, 1_000)
  const interrupts = new InterruptWatch(apply ? INTERRUPTED : 'Interrupted. Nothing was changed.')
  const checkpoint = () => interrupts.check()
  const importOptions: ImportOptions = {
    checkpoint,
    clock: systemClock,
    ranks: flags.ranks,
    source: flags.source,
    mode: flags.mode,
    force: flags.force,
    onProgress: (currentPhase, done) => {
      phase = currentPhase
      shows = done
      showProgress()
    },
  }
  try {
    const { lines } = feedProgress
    const { asOf } = flags
    const run = () => {
      if (asOf !== undefined) return importAsOf(lines, ledger, { ...importOptions, asOf, dryRun: !apply })
      return apply ? importFeed(lines, ledger, importOptions) : checkFeed(lines, ledger, importOptions)
    }
    const report = apply ? await withImportLock(ledger, lockOptions(path, flags, checkpoint), run) : await run()
    await interrupts.stop()
    progress.end()
    if (flags.json === true) printJson({ ...toJsonReport(report), ...guessed?.report })
    else printImportReport(path, report, apply)
    return report.refused === undefined && report.complete
  } finally {
    progress.end()
    await interrupts.stop()
    clearInterval(progressTimer)
    await feed.dispose()
  }
}

/** The options of a table with a guessed mapping, and what the report says of it; undefined if it is not wanted. */
async function guessOptions(
  path: string,
  flags: Pick<FeedFlags, 'yes' | 'json'>,
  given: GivenOptions,
  ledger: Ledger,
  apply: boolean,
) {
  const { mapping: mappingFile, ...others } = given
  const { guessFeedMapping, terminalAsk } = await import('./guess-feed.ts')
  const accepted = await guessFeedMapping(path, others, ledger.catalog, {
    mappingFile: typeof mappingFile === 'string' ? mappingFile : undefined,
    apply,
    yes: flags.yes === true,
    json: flags.json === true,
    ask: terminalAsk(),
  })
  if (accepted === undefined) return undefined
  const { mapping, file } = accepted
  return {
    options: { ...others, mapping: JSON.stringify(mapping) },
    report: { mapping, ...(file !== undefined && { mappingFile: file }) },
  }
}

/** Throws, before anything is imported, if a feed cannot be read; names all such feeds at once. */
function checkPaths(feeds: readonly string[]): void {
  const problems = feeds.flatMap((path) => {
    if (path === '-') return []
    try {
      const stats = statSync(path)
      return stats.isFile() && stats.size === 0 ? [`The feed ${path} cannot be read: it is empty`] : []
    } catch (error) {
      return [`The feed ${path} cannot be read: ${describeSystemError(error) ?? (error as Error).message}`]
    }
  })
  if (feeds.filter((path) => path === '-').length > 1)
    problems.push('Standard input can be read only once: - is given twice')
  if (problems.length === 0) return
  if (feeds.length > 1) problems.push('Nothing was imported')
  throw new UserError(problems.join('\n'))
}

function lockOptions(path: string, flags: Pick<FeedFlags, 'wait'>, checkpoint: () => void): ImportLockOptions {
  return { what: path, now: systemClock(), onWait: flags.wait === false ? undefined : printImportWait, checkpoint }
}

/**
 * Estimates how much of a feed has been imported. Lines are read thousands ahead of the shows that are made from them,
 * so the bytes read say little: the estimate is the position in the source of the line of the latest show.
 */
export class FeedProgress {
  private readonly feed: OpenFeed
  /** Line numbers at which the fraction read of the source increased. */
  private marks: { readonly line: number; readonly fraction: number }[] = []

  constructor(feed: OpenFeed) {
    this.feed = feed
  }

  /** The lines of the feed; every pass over them records marks from the start. */
  readonly lines: FeedSource = () => this.watchLines()

  /** The fraction of the feed, 0 to 1, that so many shows are. Before the first line: the fraction read of the source. */
  fraction(shows: number): number {
    if (this.marks.length === 0) return this.feed.progress()
    // Nearly every line is a show, so the number of shows is about the line number.
    while (this.marks.length > 1 && (this.marks[1]?.line ?? 0) <= shows) this.marks.shift()
    return this.marks[0]?.fraction ?? 0
  }

  private async *watchLines(): AsyncGenerator<FeedLine> {
    this.marks = []
    let line = 0
    for await (const feedLine of this.feed.lines()) {
      const fraction = this.feed.progress()
      if (fraction !== this.marks.at(-1)?.fraction) this.marks.push({ line, fraction })
      line++
      yield feedLine
    }
  }
}

/** The names of all options that any format has. */
const FORMAT_OPTION_NAMES = new Set(CONNECTORS.flatMap(({ options }) => Object.keys(options)))

/** Adds the options of all formats. `describeFormats` lists which format takes which. */
function addFormatOptions(command: Command): Command {
  for (const name of FORMAT_OPTION_NAMES) {
    const connectors = CONNECTORS.filter(({ options }) => name in options)
    const [option] = connectors.flatMap(({ options }) => options[name] ?? [])
    const formats = connectors.map((connector) => connector.name).join(', ')
    command.option(optionFlag(name, option?.value), `${formats}: ${option?.description}`)
  }
  return command
}

/** Help text: the formats and the options of each. */
function describeFormats(): string {
  const width = Math.max(...CONNECTORS.map(({ name }) => name.length))
  const lines = CONNECTORS.map(({ name, summary, options }) => {
    const flags = Object.entries(options).map(([option, { value, required }]) =>
      required === true ? optionFlag(option, value) : `[${optionFlag(option, value)}]`,
    )
    return `  ${name.padEnd(width)}  ${summary}${flags.length === 0 ? '' : `; ${flags.join(' ')}`}`
  })
  return `\nFormats:\n${lines.join('\n')}`
}

/** The flags of a command that are options of formats. */
function pickFormatOptions(flags: object): GivenOptions {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => FORMAT_OPTION_NAMES.has(name)))
}

/** The format of a feed: the given one, csv for tables, otherwise native. */
function resolveFormat(
  path: string,
  { format, guess }: Pick<FeedFlags, 'format' | 'guess'>,
  options: GivenOptions,
): string {
  if (guess === true && format !== undefined && format !== 'csv') {
    throw new UserError(`--guess makes mappings of tables; the format ${format} needs none`)
  }
  const isTable = guess === true || 'mapping' in options || /\.(csv|tsv)(\.gz)?$/i.test(path)
  return format ?? (isTable ? 'csv' : 'native')
}
