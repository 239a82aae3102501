import { statSync } from 'node:fs'
import type { Command } from 'commander'
import { readSettings } from '../../config.ts'
import type { GivenOptions, OpenFeed } from '../../connectors/framework/connector.ts'
import { openSource } from '../../connectors/framework/open-source.ts'
import { optionFlag } from '../../connectors/framework/options.ts'
import { CONNECTORS } from '../../connectors/framework/registry.ts'
import { checkFeed, type FeedSource, type ImportOptions, importFeed } from '../../ingest/import-feed.ts'
import { describeHolder, type ImportLockOptions, withImportLock } from '../../ingest/import-lock.ts'
import type { ImportReport } from '../../ingest/import-report.ts'
import { NOTICE_CODES, type NoticeCode } from '../../ingest/notice.ts'
import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import type { Ledger, TaskHolder } from '../../ledger/ledger.ts'
import { systemClock } from '../../lib/clock.ts'
import { describeSystemError } from '../../lib/system-error.ts'
import { isSourceName, SOURCE_NAME_RULE } from '../../model/source.ts'
import { openLedger, openLedgerForCheck } from '../../runtime/open-stores.ts'
import { formatCount, formatNumber, Progress } from '../../runtime/progress.ts'
import { INTERRUPTED_EXIT_CODE, InterruptedError, runInterruptibly } from '../terminal/command-errors.ts'
import { CommandError, printJson, printLines, printTable, stripControls } from '../terminal/output.ts'

interface FeedFlags {
  readonly source?: string
  readonly mode?: 'snapshot' | 'delta'
  readonly force?: boolean
  readonly dryRun?: boolean
  readonly wait?: boolean
  readonly format?: string
  readonly json?: boolean
}

const PHASES = { checking: 'checked', importing: 'imported' }

const INTERRUPTED = 'Interrupted. What was committed stays; import the feed again to complete it.'

/** How many notices of each code the summary spells out. */
const NOTICES_SHOWN = 5

/** Adds `marquee import` and `marquee validate`. */
export function addImportCommands(program: Command): void {
  addFeedOptions(program.command('import').description('import feeds into the catalog'))
    .option('--force', 'import a snapshot even if it removes more than a fifth of its source')
    .option('--dry-run', 'say what the import would do, and change nothing')
    .option('--no-wait', 'fail at once if another process is importing')
    .action((feeds: string[], flags: FeedFlags) => runFeeds(feeds, flags, flags.dryRun !== true))
  addFeedOptions(program.command('validate').description('check feeds against the catalog, and change nothing')).action(
    (feeds: string[], flags: FeedFlags) => runFeeds(feeds, flags, false),
  )
}

/** What both commands are told of feeds. */
function addFeedOptions(command: Command): Command {
  command
    .argument('<feed...>', 'files, or folders where the format is one of folders; - reads standard input')
    .option('--source <name>', "who says what the feeds hold; wins over the feed's header", parseSourceName)
    .option('--mode <mode>', "snapshot (the feed is all there is) or delta; wins over the feed's header", parseMode)
    .option('--format <name>', 'what the feeds are, one of those below (default: native, or csv with --mapping)')
    .option('--json', 'print one JSON object for each feed')
    .addHelpText('after', describeFormats())
  return addFormatOptions(command)
}

function parseSourceName(text: string): string {
  if (isSourceName(text)) return text
  throw new CommandError(`--source is ${JSON.stringify(text.slice(0, 40))}; it must be ${SOURCE_NAME_RULE}`)
}

function parseMode(text: string): 'snapshot' | 'delta' {
  if (text === 'snapshot' || text === 'delta') return text
  throw new CommandError(`--mode is "${text}"; it must be snapshot or delta`)
}

async function runFeeds(feeds: readonly string[], flags: FeedFlags, apply: boolean): Promise<void> {
  const settings = readSettings(process.env)
  const options = pickFormatOptions(flags)
  const format = resolveFormat(flags.format, options)
  checkPaths(feeds)
  const ledger = apply ? await openLedger(settings, 'import') : await openLedgerForCheck(settings)
  let failed = false
  try {
    for (const path of feeds) {
      const feed = await openSource({ path, format, options }, { catalog: ledger.catalog })
      const progress = new Progress()
      let reached: [phase: keyof typeof PHASES, shows: number] = ['checking', 0]
      const feedProgress = new FeedProgress(feed)
      const part = () => feedProgress.part(reached[1])
      const show = () => progress.update(`shows ${PHASES[reached[0]]}`, reached[1], part)
      // Some formats have to be read to their end before the first show comes out.
      const waiting = setInterval(show, 1_000)
      const importOptions: ImportOptions = {
        clock: systemClock,
        source: flags.source,
        mode: flags.mode,
        force: flags.force,
        onProgress: (...now) => {
          reached = now
          show()
        },
      }
      const interrupt = () => {
        progress.end()
        process.stderr.write(`marquee: ${apply ? INTERRUPTED : 'Interrupted. Nothing was changed.'}\n`)
        process.exit(INTERRUPTED_EXIT_CODE)
      }
      process.on('SIGINT', interrupt)
      try {
        const { lines } = feedProgress
        const into = withInterruptibleCommits(ledger, interrupt)
        const report = apply
          ? await withImportLock(ledger, lockOptions(path, flags), () => importFeed(lines, into, importOptions))
          : await checkFeed(lines, ledger, importOptions)
        progress.end()
        if (flags.json === true) printJson(jsonReport(report))
        else printReport(path, report, apply)
        if (report.refused !== undefined || !report.complete) failed = true
      } finally {
        process.off('SIGINT', interrupt)
        clearInterval(waiting)
        await feed.dispose()
      }
    }
  } finally {
    await ledger.close()
  }
  if (failed) process.exitCode = 1
}

/** Refuses what cannot be read before anything is imported, all of it at once. */
function checkPaths(feeds: readonly string[]): void {
  const problems = feeds.flatMap((path) => {
    if (path === '-') return []
    try {
      const about = statSync(path)
      return about.isFile() && about.size === 0 ? [`The feed ${path} cannot be read: it is empty`] : []
    } catch (error) {
      return [`The feed ${path} cannot be read: ${describeSystemError(error) ?? (error as Error).message}`]
    }
  })
  if (feeds.filter((path) => path === '-').length > 1)
    problems.push('Standard input can be read only once: - is given twice')
  if (problems.length === 0) return
  if (feeds.length > 1) problems.push('Nothing was imported')
  throw new CommandError(problems.join('\n'))
}

/** The same ledger, whose commits Ctrl-C breaks off: they take seconds, in which nothing else is heard. */
function withInterruptibleCommits(ledger: Ledger, interrupt: () => void): Ledger {
  const commit: Ledger['commit'] = async (make) => {
    try {
      return await runInterruptibly(() => ledger.commit(make), INTERRUPTED)
    } catch (error) {
      // The transaction that was broken off is still open, so nothing else can be done with the catalog.
      if (error instanceof InterruptedError) interrupt()
      throw error
    }
  }
  return Object.create(ledger, { commit: { value: commit } }) as Ledger
}

function lockOptions(path: string, flags: FeedFlags): ImportLockOptions {
  const onWait = (holder: TaskHolder) => {
    const who = describeHolder(holder)
    process.stderr.write(`${stripControls(`P${who.slice(1)} is importing ${holder.what}; waiting for it to end.`)}\n`)
  }
  return { what: path, now: systemClock(), onWait: flags.wait === false ? undefined : onWait }
}

function jsonReport({ noticeList, ...report }: ImportReport): object {
  return { ...report, noticeList }
}

function printReport(path: string, report: ImportReport, applied: boolean): void {
  const { source, mode, shows, offers, created, altered, unchanged, changes, refused } = report
  if (refused?.reason === 'no_records') {
    process.stderr.write(`marquee: The feed ${path} holds no records; nothing was imported\n`)
    printNotices(report)
    return
  }
  const verb = refused !== undefined ? 'refused' : applied ? 'imported' : 'checked'
  printLines(
    `${path}: ${verb}, a ${mode} of ${source} with ${formatCount(shows, 'show')} and ${formatCount(offers, 'offer')}`,
    `  shows    ${formatNumber(created)} new, ${formatNumber(altered)} altered, ${formatNumber(unchanged)} as they were`,
    `  changes  ${formatNumber(changes.new)} new, ${formatNumber(changes.updated)} updated, ${formatNumber(changes.removed)} removed`,
  )
  printPlaces(report)
  printNotices(report)
}

function printPlaces({ changesByPlace }: ImportReport): void {
  const places = Object.entries(changesByPlace)
  if (places.length === 0) return
  const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0)
  const shown = places.sort(([, a], [, b]) => total(b) - total(a)).slice(0, 15)
  process.stdout.write('\n')
  printTable(
    ['country', 'service', 'new', 'updated', 'removed'],
    shown.map(([place, counts]) => [...place.split(' '), counts.new, counts.updated, counts.removed]),
  )
  if (places.length > shown.length) process.stdout.write(`and ${formatNumber(places.length - shown.length)} more\n`)
}

function printNotices({ notices, noticeList }: ImportReport): void {
  for (const [code, total] of Object.entries(notices)) {
    const [severity, meaning] = NOTICE_CODES[code as NoticeCode]
    process.stdout.write(`\n${severity} ${code} (${formatNumber(total)}): ${meaning}\n`)
    const list = noticeList.filter((notice) => notice.code === code).slice(0, NOTICES_SHOWN)
    for (const { line, record, message } of list) {
      const place = [line === undefined ? '' : `line ${line}`, record ?? ''].filter((part) => part !== '').join(', ')
      printLines(`  ${place === '' ? '' : `${place}: `}${message}`)
    }
    if (total > list.length) process.stdout.write(`  and ${formatNumber(total - list.length)} more\n`)
  }
}

/**
 * How far an import has come in its feed. Lines are read ahead of the shows that are taken from them, thousands at a
 * time, so how much of the file was read says little: what counts is where the line of the latest show was.
 */
export class FeedProgress {
  private readonly feed: OpenFeed
  /** Where the reading was at some lines: at each at which it was further than before. */
  private marks: { readonly line: number; readonly part: number }[] = []

  constructor(feed: OpenFeed) {
    this.feed = feed
  }

  /** The lines of the feed, watched in each reading. */
  readonly lines: FeedSource = () => this.watchLines()

  /** How much of the feed so many shows are, from 0 to 1. Until lines come, how much of the source was read. */
  part(shows: number): number {
    if (this.marks.length === 0) return this.feed.progress()
    // Nearly every line is a show.
    while (this.marks.length > 1 && (this.marks[1]?.line ?? 0) <= shows) this.marks.shift()
    return this.marks[0]?.part ?? 0
  }

  private async *watchLines(): AsyncGenerator<FeedLine> {
    this.marks = []
    let line = 0
    for await (const one of this.feed.lines()) {
      const part = this.feed.progress()
      if (part !== this.marks.at(-1)?.part) this.marks.push({ line, part })
      line++
      yield one
    }
  }
}

/** The names of all options that any format has. */
const FORMAT_OPTION_NAMES = new Set(CONNECTORS.flatMap(({ options }) => Object.keys(options)))

/** Adds the options of every format; which of them a format takes is said by `describeFormats`. */
export function addFormatOptions(command: Command): Command {
  for (const name of FORMAT_OPTION_NAMES) {
    const having = CONNECTORS.filter(({ options }) => name in options)
    const [option] = having.flatMap(({ options }) => options[name] ?? [])
    const formats = having.map((connector) => connector.name).join(', ')
    command.option(optionFlag(name, option?.value), `${formats}: ${option?.description}`)
  }
  return command
}

/** The formats and the options that each takes, as a help text. */
export function describeFormats(): string {
  const width = Math.max(...CONNECTORS.map(({ name }) => name.length))
  const lines = CONNECTORS.map(({ name, summary, options }) => {
    const flags = Object.entries(options).map(([option, { value, required }]) =>
      required === true ? optionFlag(option, value) : `[${optionFlag(option, value)}]`,
    )
    return `  ${name.padEnd(width)}  ${summary}${flags.length === 0 ? '' : `; ${flags.join(' ')}`}`
  })
  return `\nFormats:\n${lines.join('\n')}`
}

/** Those of a command's flags that are options of formats. */
export function pickFormatOptions(flags: object): GivenOptions {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => FORMAT_OPTION_NAMES.has(name)))
}

/** The format that is meant: a mapping alone says that the feed is a table. */
export function resolveFormat(format: string | undefined, options: GivenOptions): string {
  return format ?? ('mapping' in options ? 'csv' : 'native')
}
