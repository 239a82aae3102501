import type { FeedLine } from '../../ingest/parse/feed-lines.ts'

/** How many cells a notice shows. */
const MAX_EXAMPLES = 3

interface CellGroup {
  readonly column: string
  readonly needed: string
  /** Whether the rows were skipped, not only the cells. */
  readonly isRow: boolean
  readonly line: number
  readonly examples: string[]
  count: number
}

/** Collects the cells that cannot be read, by column: one notice with a count instead of one a row. */
export class ColumnNotices {
  private readonly groups = new Map<string, CellGroup>()

  /** Adds a cell. @param isRow whether the whole row is skipped */
  add(column: string, text: string, needed: string, line: number, isRow: boolean): void {
    const key = JSON.stringify([column, needed, isRow])
    let group = this.groups.get(key)
    if (group === undefined) {
      group = { column, needed, isRow, line, examples: [], count: 0 }
      this.groups.set(key, group)
    }
    group.count++
    if (group.examples.length < MAX_EXAMPLES) group.examples.push(`${quote(text)} (line ${line})`)
  }

  /** One line for each column and reason. A skipped row is a problem: the table says something that was not read. */
  *lines(): Generator<FeedLine> {
    for (const { column, needed, isRow, line, examples, count } of this.groups.values()) {
      const more = count > examples.length ? ` and ${count - examples.length} more` : ''
      const what = count === 1 ? (isRow ? 'the row is' : 'the cell is') : isRow ? 'the rows are' : 'the cells are'
      const detail = `${examples.join(', ')}${more}; ${needed} is needed, ${what} skipped`
      if (isRow) yield { line, problem: 'unreadable_line', detail, column, count }
      else yield { line, note: 'ignored_field', detail, column, count }
    }
  }
}

function quote(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text)
}
