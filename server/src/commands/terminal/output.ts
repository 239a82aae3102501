import type { SyncReport } from '../../connectors/sync/title-sync.ts'
import { describeImportWait } from '../../ingest/import-lock.ts'
import { type ImportReport, NOTICE_CODES, type Notice, type NoticeCode } from '../../ingest/import-report.ts'
import type { TaskHolder } from '../../ledger/ledger.ts'
import { escapeControlsInJson, stripControls, stripControlsByLine } from '../../lib/text/printable.ts'
import { formatTime } from '../../model/time.ts'
import { formatCount, formatNumber } from '../../runtime/progress.ts'

/** Prints a value as one line of JSON. */
export function printJson(value: unknown): void {
  process.stdout.write(`${escapeControlsInJson(JSON.stringify(value))}\n`)
}

/** Prints lines of text, without control characters. */
export function printLines(...lines: readonly string[]): void {
  process.stdout.write(`${stripControlsByLine(lines.join('\n'))}\n`)
}

/** A cell of a table: a number, text from any source, or text that went through `styled`. */
type Cell = string | number | { readonly styled: string }

/** Prints rows in columns. Numbers are aligned to the right. */
export function printTable(head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const cells = rows.map((row) => row.map(formatCell))
  const widths = head.map((title, i) => Math.max(title.length, ...cells.map((row) => textWidth(row[i] ?? ''))))
  const formatRow = (row: readonly string[], isHead: boolean) =>
    row
      .map((cell, i) => {
        const alignRight = !isHead && typeof rows[0]?.[i] === 'number'
        const padding = ' '.repeat((widths[i] as number) - textWidth(cell))
        return alignRight ? padding + cell : cell + padding
      })
      .join('  ')
      .trimEnd()
  process.stdout.write(`${[formatRow(head, true), ...cells.map((row) => formatRow(row, false))].join('\n')}\n`)
}

function formatCell(cell: Cell): string {
  if (typeof cell === 'number') return formatNumber(cell)
  return typeof cell === 'string' ? stripControls(cell) : cell.styled
}

/** An instant as tables show it: UTC, to the minute. Empty if there is none. */
export function formatInstant(seconds: number | undefined): string {
  return seconds === undefined ? '' : new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')
}

/** An instant in ISO 8601, to the second. */
export function formatIsoInstant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '')
}

/** Text styles, by the SGR codes that turn them on and off. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const

/** A text style of the terminal. */
export type Style = keyof typeof STYLES

/** Text without control characters, and styled if the stream is a terminal with colours and NO_COLOR is not set. */
export function styled(text: string, style: Style, stream: NodeJS.WriteStream = process.stdout): string {
  const plain = stripControls(text)
  if (plain === '' || !supportsColor(stream)) return plain
  const [on, off] = STYLES[style]
  return `\x1b[${on}m${plain}\x1b[${off}m`
}

function supportsColor(stream: NodeJS.WriteStream): boolean {
  // no-color.org: any value that is not empty turns colours off.
  if (process.env.NO_COLOR) return false
  return stream.isTTY === true && stream.hasColors()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with a control character.
const ESCAPE_SEQUENCES = /\x1b\[\d+m/g
/** Characters of zero width, and those that take two columns. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u
const DOUBLE_WIDTH =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u

/** The number of terminal columns that a text takes. Escape sequences take none. */
export function textWidth(text: string): number {
  let width = 0
  for (const letter of text.replace(ESCAPE_SEQUENCES, '')) {
    width += ZERO_WIDTH.test(letter) ? 0 : DOUBLE_WIDTH.test(letter) ? 2 : 1
  }
  return width
}

/** How many notices of each code are printed in full. */
const MAX_NOTICES_SHOWN = 5

/** How many countries and services are printed, those with the most changes first. */
const MAX_PLACES_SHOWN = 15

/** How many titles that could not be fetched are printed. */
const MAX_FAILURES_SHOWN = 10

/** Says that the command waits for another process that imports. */
export function printImportWait(holder: TaskHolder): void {
  process.stderr.write(`${stripControls(describeImportWait(holder))}\n`)
}

/** The report of an import as `--json` prints it: the long list last. */
export function toJsonReport({ noticeList, ...report }: ImportReport): object {
  return { ...report, noticeList }
}

/** Prints the report of one feed: counts, changes by country and service, and notices. */
export function printImportReport(path: string, report: ImportReport, applied: boolean): void {
  const { source, mode, shows, offers, refused } = report
  if (refused?.reason === 'no_records') {
    process.stderr.write(`marquee: The feed ${stripControls(path)} holds no records; nothing was imported\n`)
    printNotices(report)
    return
  }
  const { asOf } = report
  const verb = refused !== undefined ? 'refused' : applied ? 'imported' : 'checked'
  const into = asOf === undefined ? '' : ` into the history as of ${formatTime(asOf)}`
  printLines(
    `${path}: ${verb}${into}, a ${mode} of ${source} with ${formatCount(shows, 'show')} and ${formatCount(offers, 'offer')}`,
    formatShowCounts(report),
    ...(asOf === undefined ? [formatChangeCounts(report)] : []),
  )
  printPlaces(report)
  printNotices(report)
}

function formatShowCounts({ created, altered, unchanged }: ShowCounts): string {
  return `  shows    ${formatNumber(created)} new, ${formatNumber(altered)} changed, ${formatNumber(unchanged)} unchanged`
}

function formatChangeCounts({ changes }: Pick<ImportReport, 'changes'>): string {
  const { new: added, updated, removed } = changes
  return `  changes  ${formatNumber(added)} new, ${formatNumber(updated)} updated, ${formatNumber(removed)} removed`
}

type ShowCounts = Pick<ImportReport, 'created' | 'altered' | 'unchanged'>

function printPlaces({ changesByPlace }: ImportReport): void {
  const places = Object.entries(changesByPlace)
  if (places.length === 0) return
  const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0)
  const shown = places.sort(([, a], [, b]) => total(b) - total(a)).slice(0, MAX_PLACES_SHOWN)
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
    const list = noticeList.filter((notice) => notice.code === code).slice(0, MAX_NOTICES_SHOWN)
    for (const notice of list) printLines(`  ${formatPlace(notice)}${notice.message}`)
    const shown = list.reduce((sum, { count = 1 }) => sum + count, 0)
    if (total > shown) process.stdout.write(`  and ${formatNumber(total - shown)} more\n`)
  }
}

/** Where a notice is from: a column with the number of its cells, or a line and a record. */
function formatPlace({ line, record, column, count }: Notice): string {
  const parts =
    column === undefined
      ? [line === undefined ? '' : `line ${line}`, record ?? '']
      : [`column ${column}`, count === undefined ? '' : formatCount(count, 'cell')]
  const place = parts.filter((part) => part !== '').join(', ')
  return place === '' ? '' : `${place}: `
}

/** The report of a sync as `--json` prints it: its imports are summed up. */
export function toJsonSyncReport({ imports, ...report }: SyncReport): object {
  return { ...report, ...sumReports(imports) }
}

/** Prints the report of a sync: counts, notices, and the titles that could not be fetched. */
export function printSyncReport(report: SyncReport): void {
  const { source, resumed, requests, fetched, gone, failures, imports, paused } = report
  const sums = sumReports(imports)
  const reached = paused === undefined ? 'is up to date' : 'is not complete yet'
  const state = resumed ? `resumed and ${reached}` : reached
  printLines(
    `${source} ${state}: ${formatCount(fetched, 'title')} in ${formatCount(requests, 'request')}`,
    `${formatShowCounts(sums)}; ${formatCount(sums.offers, 'offer')}`,
    formatChangeCounts(sums),
    ...(gone === 0 ? [] : [`  gone     ${formatCount(gone, 'title')} that are no longer there`]),
    ...Object.entries(sums.notices).map(([code, number]) => `  notice   ${code} (${formatNumber(number)})`),
    ...(paused === undefined ? [] : ['', describePause(paused)]),
    ...(failures.length === 0
      ? []
      : ['', `${formatCount(failures.length, 'title')} could not be fetched; the next sync tries again:`]),
    ...failures.slice(0, MAX_FAILURES_SHOWN).map(({ key, problem }) => `  ${key}: ${problem}`),
  )
}

/** Says why a sync stopped before its end, and when to run it again. */
export function describePause({ reason, resumesAt }: NonNullable<SyncReport['paused']>): string {
  const when = resumesAt === undefined ? '' : ` after ${formatIsoInstant(resumesAt)}`
  return `${reason}. Sync again${when} to go on from here.`
}

/** Adds up the counts of all imports of a sync. */
function sumReports(imports: readonly ImportReport[]) {
  const sum = (count: (report: ImportReport) => number) => imports.reduce((total, report) => total + count(report), 0)
  const notices: Record<string, number> = {}
  for (const report of imports) {
    for (const [code, number] of Object.entries(report.notices)) notices[code] = (notices[code] ?? 0) + number
  }
  return {
    shows: sum(({ shows }) => shows),
    offers: sum(({ offers }) => offers),
    created: sum(({ created }) => created),
    altered: sum(({ altered }) => altered),
    unchanged: sum(({ unchanged }) => unchanged),
    changes: {
      new: sum(({ changes }) => changes.new),
      updated: sum(({ changes }) => changes.updated),
      removed: sum(({ changes }) => changes.removed),
    },
    notices,
  }
}
