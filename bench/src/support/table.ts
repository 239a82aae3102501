/** A table of figures, with the sentences that belong under it. */
export interface Table {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly notes: readonly string[]
}

/** The table in aligned plain text. Every column but the first is a figure, and stands to the right. */
export function plainText({ title, head, rows, notes }: Table): string {
  const widths = widthsOf([head, ...rows])
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  return [title, '', line(head), rule, ...rows.map(line), ...notes.map((note) => `  ${note}`), ''].join('\n')
}

/** The table in Markdown. */
export function markdown({ title, head, rows, notes }: Table): string {
  const widths = widthsOf([head, ...rows])
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [`**${title}**`, '', line(head), rule, ...rows.map(line), '', ...notes.flatMap((note) => [note, ''])].join(
    '\n',
  )
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, i) => Math.max(3, ...rows.map((row) => (row[i] ?? '').length)))
}

/** A number as a person reads it: digits that matter, thousands apart. */
export function figure(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return '–'
  const decimals = value === 0 ? 0 : Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value))))
  return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}

/** A number of bytes in the unit that fits. */
export function bytes(value: number): string {
  for (const [unit, size] of [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const) {
    if (value >= size) return `${figure(value / size)} ${unit}`
  }
  return `${figure(value)} B`
}
