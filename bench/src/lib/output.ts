/** A table of figures, with notes to print under it. */
export interface Table {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly notes: readonly string[]
}

/** Formats a table as aligned plain text. The first column is aligned left, all others right. */
export function formatPlainText({ title, head, rows, notes }: Table): string {
  const widths = columnWidths([head, ...rows])
  const line = (cells: readonly string[]) => padCells(cells, widths).join('  ').trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  return [title, '', line(head), rule, ...rows.map(line), ...notes.map((note) => `  ${note}`), ''].join('\n')
}

/** Formats a table as Markdown with its title in bold. */
export function formatMarkdown(table: Table): string {
  return `**${table.title}**\n\n${formatMarkdownBody(table)}`
}

/** Formats a table as Markdown without its title, for a page that has a heading there. */
export function formatMarkdownBody({ head, rows, notes }: Table): string {
  const widths = columnWidths([head, ...rows])
  const line = (cells: readonly string[]) => `| ${padCells(cells, widths).join(' | ')} |`
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  const paragraph = notes.length === 0 ? [] : [notes.join('\n'), '']
  return [line(head), rule, ...rows.map(line), '', ...paragraph].join('\n')
}

function columnWidths(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, i) => Math.max(3, ...rows.map((row) => (row[i] ?? '').length)))
}

function padCells(cells: readonly string[], widths: readonly number[]): string[] {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
}

/** Formats a number with three significant digits and thousands separators. */
export function formatNumber(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return '–'
  const decimals = value === 0 ? 0 : Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value))))
  return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}

/** Formats a ratio as a percentage. */
export function formatPercent(ratio: number): string {
  return `${formatNumber(ratio * 100)} %`
}

/** Formats a count, such as a number of shows, with all its digits. */
export function formatCount(value: number): string {
  return value.toLocaleString('en')
}

/** Formats a number of bytes in the largest fitting unit. */
export function formatBytes(value: number): string {
  for (const [unit, size] of [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const) {
    if (value >= size) return `${formatNumber(value / size)} ${unit}`
  }
  return `${formatNumber(value)} B`
}

/** Prints a progress line to standard error, so that standard output holds results only. */
export function logProgress(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}
