import { UserError } from '../../lib/user-error.ts'
import { formatNumber } from '../../runtime/progress.ts'

/** Prints a value as one line of JSON. */
export function printJson(value: unknown): void {
  // JSON escapes most of what terminals obey, but not these.
  const json = JSON.stringify(value).replace(/[\x7f-\x9f]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)
  process.stdout.write(`${json}\n`)
}

/** Prints lines; what a terminal would obey in them is left out. */
export function printLines(...lines: readonly string[]): void {
  process.stdout.write(`${stripControlsByLine(lines.join('\n'))}\n`)
}

/** What a cell of a table holds: plain text and numbers from wherever, or text that was styled here. */
export type Cell = string | number | { readonly styled: string }

/** Prints rows in columns; numbers are set to the right. */
export function printTable(head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const cells = rows.map((row) => row.map(cellText))
  const widths = head.map((title, i) => Math.max(title.length, ...cells.map((row) => textWidth(row[i] ?? ''))))
  const line = (row: readonly string[], isHead: boolean) =>
    row
      .map((cell, i) => {
        const right = !isHead && typeof rows[0]?.[i] === 'number'
        const room = ' '.repeat((widths[i] as number) - textWidth(cell))
        return right ? room + cell : cell + room
      })
      .join('  ')
      .trimEnd()
  process.stdout.write(`${[line(head, true), ...cells.map((row) => line(row, false))].join('\n')}\n`)
}

function cellText(cell: Cell): string {
  if (typeof cell === 'number') return formatNumber(cell)
  return typeof cell === 'string' ? stripControls(cell) : cell.styled
}

/** A failure that is the user's to mend: shown as a sentence, without a stack. */
export class CommandError extends UserError {
  override readonly name = 'CommandError'
}

/** The value of a flag that takes one of some words. */
export function parseChoice(flag: string, value: string, allowed: readonly string[]): string {
  if (allowed.includes(value)) return value
  throw new CommandError(`${flag} is "${value}"; it must be one of ${allowed.join(', ')}`)
}

/** The value of a flag that takes a whole number. */
export function parseWholeNumber(flag: string, value: string, least: number, most: number): number {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (number >= least && number <= most) return number
  throw new CommandError(`${flag} is "${value}"; it must be a whole number from ${least} to ${most}`)
}

/** Styles that text on a terminal can have, by the numbers of their escape sequences. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const

/** A style that text on a terminal can have. */
export type Style = keyof typeof STYLES

/** Text made harmless, and styled where the output is a terminal that has colours, and NO_COLOR does not forbid them. */
export function styled(text: string, style: Style, stream: NodeJS.WriteStream = process.stdout): string {
  const plain = stripControls(text)
  if (plain === '' || !supportsColor(stream)) return plain
  const [on, off] = STYLES[style]
  return `\x1b[${on}m${plain}\x1b[${off}m`
}

function supportsColor(stream: NodeJS.WriteStream): boolean {
  // The rule of no-color.org: any value that is not empty.
  if (process.env.NO_COLOR) return false
  return stream.isTTY === true && stream.hasColors()
}

/** Text from elsewhere without what a terminal would obey. */
export function stripControls(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

/** Lines from elsewhere without what a terminal would obey. */
export function stripControlsByLine(text: string): string {
  return text.split('\n').map(stripControls).join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const ESCAPES = /\x1b\[\d+m/g
/** Letters that take no room of their own, and those that take the room of two. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}]/u
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u

/** How many columns of a terminal a text takes; escape sequences take none. */
export function textWidth(text: string): number {
  let width = 0
  for (const letter of text.replace(ESCAPES, '')) width += NARROW.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1
  return width
}
