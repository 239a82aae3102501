import { MendableError } from '../model/mendable-error.ts'
import { count } from './progress.ts'
import { textWidth } from './terminal-text.ts'

/** Prints a value as one line of JSON. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

/** Prints rows in columns; numbers are set to the right. Texts may be styled. */
export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? count(cell) : cell)))
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

/** A failure that is the user's to mend: shown as a sentence, without a stack. */
export class CommandError extends MendableError {
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
