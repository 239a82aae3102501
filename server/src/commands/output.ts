import { UserError } from '../lib/user-error.ts'
import { count } from './progress.ts'
import { harmless, harmlessLines, textWidth } from './terminal-text.ts'

/** Prints a value as one line of JSON. */
export function printJson(value: unknown): void {
  // JSON escapes most of what terminals obey, but not these.
  const json = JSON.stringify(value).replace(/[\x7f-\x9f]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)
  process.stdout.write(`${json}\n`)
}

/** Prints lines; what a terminal would obey in them is left out. */
export function printLines(...lines: readonly string[]): void {
  process.stdout.write(`${harmlessLines(lines.join('\n'))}\n`)
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
  if (typeof cell === 'number') return count(cell)
  return typeof cell === 'string' ? harmless(cell) : cell.styled
}

/** A failure that is the user's to mend: shown as a sentence, without a stack. */
export class CommandError extends UserError {
  override readonly name = 'CommandError'
}

/** The value of a flag that takes one of some words. */
export function oneOf(flag: string, value: string, allowed: readonly string[]): string {
  if (allowed.includes(value)) return value
  throw new CommandError(`${flag} is "${value}"; it must be one of ${allowed.join(', ')}`)
}

/** The value of a flag that takes a whole number. */
export function wholeNumber(flag: string, value: string, least: number, most: number): number {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (number >= least && number <= most) return number
  throw new CommandError(`${flag} is "${value}"; it must be a whole number from ${least} to ${most}`)
}
