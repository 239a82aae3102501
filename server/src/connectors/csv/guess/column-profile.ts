import { fold } from '../../../catalog/index/analyzer.ts'

/** The heading of a column and the cells of the sample that are not empty. */
export class ColumnProfile {
  readonly heading: string
  readonly index: number
  readonly cells: readonly string[]
  /** The cells of all sampled rows, empty ones included. */
  readonly all: readonly string[]
  readonly distinct: ReadonlySet<string>
  /** What the heading is compared by: all of it, and what it is without a unit: `Runtime (mins)`. */
  readonly keys: readonly string[]

  constructor(heading: string, index: number, rows: readonly (readonly string[])[]) {
    this.heading = heading
    this.index = index
    this.all = rows.map((row) => row[index]?.trim() ?? '')
    this.cells = this.all.filter((cell) => cell !== '')
    this.distinct = new Set(this.cells)
    this.keys = [...new Set([heading, heading.replace(/\(.*?\)|\[.*?\]/g, '')].map(toHeadingKey))]
  }

  /** The share of the cells that pass a test; 0 if there are none. */
  share(test: (cell: string) => boolean): number {
    return this.cells.length === 0 ? 0 : this.cells.filter(test).length / this.cells.length
  }
}

/** A heading without case, accents, spaces and punctuation: `releaseYear`, `release_year` and `Release Year` are equal. */
export function toHeadingKey(heading: string): string {
  return fold(heading).replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Texts that hardly occur inside of the items of a list. */
const STRONG_SEPARATORS = [';', '|', '\n']
/** Texts that also occur inside: "Downey, Jr.", "Spy/Espionage". */
const WEAK_SEPARATORS = [',', ' / ', '/']

/** A text separates a list if this share of the cells has it; a slash must be in more. */
const MIN_SEPARATED_SHARE = 0.005
const MIN_SLASH_SHARE = 0.05

/** The text between the items of the lists in a column; undefined if the cells are no lists, or lists in brackets. */
export function detectSeparator({ cells }: ColumnProfile, hasNames: boolean): string | undefined {
  const countWith = (text: string) => cells.filter((cell) => cell.includes(text)).length
  const isCommon = (text: string) =>
    countWith(text) > 0 &&
    countWith(text) >= cells.length * (text.includes('/') ? MIN_SLASH_SHARE : MIN_SEPARATED_SHARE)
  // Of "Mann, Michael; Pacino, Al" the semicolon counts, although commas are more frequent.
  const strong = STRONG_SEPARATORS.find((text) => isCommon(text) && countWith(text) >= countWith(',') * 0.3)
  if (strong !== undefined) return strong
  const weak = WEAK_SEPARATORS.filter(isCommon).sort((a, b) => countWith(b) - countWith(a))[0]
  if (weak !== ',' || !hasNames) return weak
  // "Mann, Michael" is one name: its two parts are single words.
  const lists = cells.filter((cell) => cell.includes(',')).map((cell) => cell.split(',').map((part) => part.trim()))
  const inverted = lists.filter((parts) => parts.length === 2 && parts.every((part) => !part.includes(' ')))
  return inverted.length > lists.length * 0.8 ? undefined : ','
}
