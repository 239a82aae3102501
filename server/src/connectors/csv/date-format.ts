import { fold } from '../../catalog/index/analyzer.ts'
import { OUTPUT_LANGUAGES } from '../../model/language.ts'

/** Names of formats that are no pattern. */
const NAMED_FORMATS = ['iso', 'unix', 'unix-ms', 'excel'] as const

/** Years outside of this range are misread dates. */
const [MIN_YEAR, MAX_YEAR] = [1880, 2200]

/** Two digits stand for a year up to this one, or else of the century before. */
const LAST_SHORT_YEAR = 2068

/** The parts of a pattern, the longest first. */
const TOKENS = /YYYY|YY|MMMM|MMM|MM|M|DD|D/g

/** Days from the first day of Excel's calendar to that of Unix. */
const EXCEL_EPOCH_DAYS = 25_569

const SECONDS_PER_DAY = 86_400

/** A time of day after a date, with an optional zone. */
const TIME = /^[T ,]*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([ap]\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i

/** Describes a valid format if this one is invalid. */
export function validateDateFormat(format: string): string | undefined {
  if ((NAMED_FORMATS as readonly string[]).includes(format)) return undefined
  const tokens = format.match(TOKENS) ?? []
  const isComplete = ['Y', 'M', 'D'].every((part) => tokens.filter((token) => token.startsWith(part)).length === 1)
  return isComplete ? undefined : `a format such as DD/MM/YYYY or "MMMM D, YYYY", or one of ${NAMED_FORMATS.join(', ')}`
}

/** Parses a date by its format into Unix seconds, UTC without a zone; undefined if it is no such date. */
export function parseDate(text: string, format: string): number | undefined {
  const trimmed = text.trim()
  if (format === 'unix' || format === 'unix-ms') {
    if (!/^\d{1,13}$/.test(trimmed)) return undefined
    return format === 'unix' ? Number(trimmed) : Math.floor(Number(trimmed) / 1000)
  }
  if (format === 'excel') {
    const days = /^\d{1,6}(\.\d+)?$/.test(trimmed) ? Number(trimmed) : Number.NaN
    return days >= EXCEL_EPOCH_DAYS ? Math.round((days - EXCEL_EPOCH_DAYS) * SECONDS_PER_DAY) : undefined
  }
  const { pattern, parts } = compile(format === 'iso' ? 'YYYY-MM-DD' : format)
  const match = pattern.exec(trimmed)
  if (match === null) return undefined
  const value = { Y: '', M: '', D: '' }
  for (const [i, part] of parts.entries()) value[part] = match[i + 1] as string
  const [year, month, day] = [parseYear(value.Y), parseMonth(value.M), Number(value.D)]
  const rest = trimmed.slice(match[0].length)
  const offset = parseTime(rest)
  if (year === undefined || month === undefined || offset === undefined) return undefined
  const date = new Date(Date.UTC(year, month - 1, day))
  // Date.UTC makes the first of March of the thirtieth of February.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return date.getTime() / 1000 + offset
}

/** Result of the detection: the format, or the several formats that fit, or none. */
export type DetectedFormat =
  | { readonly format: string }
  | { readonly ambiguous: readonly string[]; readonly example: string }
  | { readonly unknown: string }

/** This share of the cells must fit a format; a few cells of a real table are no dates. */
const MIN_SHARE = 0.9

/**
 * Detects the format of the dates in a column. Dates such as 03/04/2021 fit two formats: unless a day after the twelfth
 * shows which one is meant, the result is ambiguous.
 */
export function detectDateFormat(cells: readonly string[]): DetectedFormat {
  const counts = CANDIDATES.map((format) => ({ format, count: cells.filter((cell) => fits(cell, format)).length }))
  const most = Math.max(0, ...counts.map(({ count }) => count))
  const unknown = cells.find((cell) => CANDIDATES.every((format) => !fits(cell, format)))
  if (most === 0 || most < cells.length * MIN_SHARE) return { unknown: unknown ?? cells[0] ?? '' }
  const [best = ''] = counts.filter(({ count }) => count === most).map(({ format }) => format)
  const rivals = counts.filter(({ format, count }) => count > 0 && isRival(format, best, cells))
  const example = cells.find((cell) => rivals.some(({ format }) => isReadOtherwise(cell, format, best)))
  if (example === undefined) return { format: best }
  return { ambiguous: [best, ...rivals.map(({ format }) => format)], example }
}

/** Whether another format fits just as many cells, or cells that the best one does not fit, and reads some otherwise. */
function isRival(format: string, best: string, cells: readonly string[]): boolean {
  if (!cells.some((cell) => isReadOtherwise(cell, format, best))) return false
  const isMissed = (cell: string, by: string, other: string) => !fits(cell, by) && fits(cell, other)
  return !cells.some((cell) => isMissed(cell, format, best)) || cells.some((cell) => isMissed(cell, best, format))
}

/** Whether a cell is a date of a format. Timestamps of this century have nine digits or ten, or three more. */
function fits(cell: string, format: string): boolean {
  if (format === 'unix' && !/^\s*\d{9,10}\s*$/.test(cell)) return false
  if (format === 'unix-ms' && !/^\s*\d{12,13}\s*$/.test(cell)) return false
  return parseDate(cell, format) !== undefined
}

function isReadOtherwise(cell: string, format: string, best: string): boolean {
  const [one, other] = [parseDate(cell, format), parseDate(cell, best)]
  return one !== undefined && other !== undefined && one !== other
}

/** Formats that are detected, the preferred of equal ones first. Excel's day numbers are not: they have two calendars. */
const CANDIDATES: readonly string[] = [
  'iso',
  'YYYY/M/D',
  'YYYY.M.D',
  'YYYYMMDD',
  'unix',
  'unix-ms',
  'MMMM D, YYYY',
  'MMMM D YYYY',
  'D MMMM YYYY',
  'D. MMMM YYYY',
  'D-MMM-YYYY',
  'D-MMM-YY',
  'D MMM YY',
  'YYYY MMMM D',
  ...['/', '.', '-'].flatMap((separator) =>
    [
      ['DD', 'MM', 'YYYY'],
      ['MM', 'DD', 'YYYY'],
      ['DD', 'MM', 'YY'],
      ['MM', 'DD', 'YY'],
      ['YY', 'MM', 'DD'],
    ].map((parts) => parts.join(separator)),
  ),
]

interface CompiledFormat {
  readonly pattern: RegExp
  /** Which part each group of the pattern is. */
  readonly parts: readonly ('Y' | 'M' | 'D')[]
}

const compiled = new Map<string, CompiledFormat>()

function compile(format: string): CompiledFormat {
  let result = compiled.get(format)
  if (result === undefined) {
    const parts: ('Y' | 'M' | 'D')[] = []
    let source = ''
    let at = 0
    for (const match of format.matchAll(TOKENS)) {
      source += escapeLiteral(format.slice(at, match.index)) + tokenPattern(match[0], format)
      parts.push(match[0].charAt(0) as 'Y' | 'M' | 'D')
      at = match.index + match[0].length
    }
    result = { pattern: new RegExp(`^${source}${escapeLiteral(format.slice(at))}(?!\\d)`, 'iu'), parts }
    compiled.set(format, result)
  }
  return result
}

/** Numbers may have a leading zero or not, unless the format has nothing between them. */
function tokenPattern(token: string, format: string): string {
  if (token === 'YYYY') return '(\\d{4})'
  if (token === 'YY') return '(\\d{2})'
  if (token.length > 2) return "([\\p{L}\\p{M}'’]+)\\.?"
  return /^[YMD]+$/.test(format) ? '(\\d{2})' : '(\\d{1,2})'
}

function escapeLiteral(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/\s+/g, '\\s+')
}

function parseYear(text: string): number | undefined {
  const short = Number(text) + 2000
  const year = text.length === 2 ? (short > LAST_SHORT_YEAR ? short - 100 : short) : Number(text)
  return year >= MIN_YEAR && year <= MAX_YEAR ? year : undefined
}

function parseMonth(text: string): number | undefined {
  const month = /^\d+$/.test(text) ? Number(text) : monthNames().get(toMonthKey(text))
  return month !== undefined && month >= 1 && month <= 12 ? month : undefined
}

function toMonthKey(name: string): string {
  return fold(name).replace(/[.'’]/g, '')
}

let months: ReadonlyMap<string, number> | undefined

/** Names of months, long and short, in the languages of the API. */
function monthNames(): ReadonlyMap<string, number> {
  months ??= new Map(
    OUTPUT_LANGUAGES.flatMap((language) =>
      (['long', 'short'] as const).flatMap((length) => {
        // With a day, languages that inflect names use the form that dates have.
        const formats = [{ month: length }, { month: length, day: 'numeric' as const }]
        return formats.flatMap((options) =>
          Array.from({ length: 12 }, (_, month): [string, number] => {
            const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
            const parts = format.formatToParts(Date.UTC(2021, month, 15))
            return [toMonthKey(parts.find(({ type }) => type === 'month')?.value ?? ''), month + 1]
          }),
        )
      }),
    ),
  )
  return months
}

/** Seconds that a time of day adds to its date; undefined if it is no time. */
function parseTime(text: string): number | undefined {
  if (text.trim() === '') return 0
  const match = TIME.exec(text)
  if (match === null) return undefined
  const [, hours = '', minutes = '', seconds = '0', half, zone = 'Z'] = match
  if (Number(hours) > (half === undefined ? 24 : 12) || Number(minutes) > 59 || Number(seconds) > 60) return undefined
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/^p/i.test(half) ? 12 : 0)
  return hour * 3600 + Number(minutes) * 60 + Number(seconds) - parseZone(zone)
}

function parseZone(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone)
  if (match === null) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60)
}
