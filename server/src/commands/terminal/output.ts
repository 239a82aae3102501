import { escapeControlsInJson, stripControls, stripControlsByLine } from '../../lib/text/printable.ts'
import { formatNumber } from '../../runtime/progress.ts'

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
