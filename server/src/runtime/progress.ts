/** The remaining time is estimated once this much of the work is done. */
const MIN_FRACTION = 0.02

/** How often the progress line is printed: in place on a terminal, as a new line elsewhere. */
const TERMINAL_INTERVAL_MS = 100
const PLAIN_INTERVAL_MS = 5_000

/** How often a process that started this one, with a channel, gets the progress. */
const MESSAGE_INTERVAL_MS = 500

const BAR_LENGTH = 20

/** The width of a terminal that does not tell its own, or tells 0, as those of `script` and some CI systems do. */
const DEFAULT_COLUMNS = 80

/** The progress of a child process, as it sends it to the process that started it. */
export interface ProgressMessage {
  readonly type: 'progress'
  readonly label: string
  readonly done: number
  /** From 0 to 1, if it is known. */
  readonly fraction?: number
}

/** Reports the progress of long work: one line that is redrawn on a terminal, a plain line every few seconds elsewhere. */
export class Progress {
  private readonly stream: NodeJS.WriteStream
  private readonly startedAt = performance.now()
  private printedAt = this.startedAt
  private sentAt = Number.NEGATIVE_INFINITY
  private hasPrinted = false

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.stream = stream
  }

  /**
   * Reports how many items are done and, if known, which fraction of all (0 to 1). It prints at most once an interval,
   * so it may be called for every item; the fraction is computed only when it is printed.
   */
  update(label: string, done: number, computeFraction?: () => number): void {
    const now = performance.now()
    if (process.connected && now - this.sentAt >= MESSAGE_INTERVAL_MS) {
      this.sentAt = now
      sendProgress(label, done, computeFraction?.())
    }
    if (now - this.printedAt < (this.stream.isTTY ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS)) return
    this.printedAt = now
    const seconds = (now - this.startedAt) / 1000
    const rate = done / Math.max(seconds, 0.001)
    const fraction = computeFraction?.()
    const bar = fraction === undefined ? '' : `${progressBar(fraction)} `
    const parts = [
      `${bar}${formatNumber(done)} ${label}`,
      ...(fraction === undefined || fraction < MIN_FRACTION
        ? []
        : [`about ${formatDuration((seconds / fraction) * (1 - fraction))} left`]),
      `${formatNumber(Math.round(rate))}/s`,
      `${formatDuration(seconds)} elapsed`,
    ]
    if (this.stream.isTTY) this.stream.write(`\r\x1b[2K${fitLine(parts, (this.stream.columns || DEFAULT_COLUMNS) - 1)}`)
    else this.stream.write(`${parts.join(', ')}\n`)
    this.hasPrinted = true
  }

  /** Clears the line on a terminal. */
  end(): void {
    if (this.hasPrinted && this.stream.isTTY) this.stream.write('\r\x1b[2K')
  }
}

function sendProgress(label: string, done: number, fraction: number | undefined): void {
  const message: ProgressMessage = { type: 'progress', label, done, ...(fraction !== undefined && { fraction }) }
  // The parent may be gone; the work goes on.
  process.send?.(message, undefined, undefined, () => {})
}

/** Joins as many leading parts as fit into the width. */
function fitLine(parts: readonly string[], width: number): string {
  let line = parts[0] ?? ''
  for (const part of parts.slice(1)) {
    if (line.length + 2 + part.length > width) break
    line += `, ${part}`
  }
  return line.slice(0, width)
}

function progressBar(fraction: number): string {
  const filled = Math.round(Math.min(Math.max(fraction, 0), 1) * BAR_LENGTH)
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_LENGTH - filled)}]`
}

/** A number with thousands separators. */
export function formatNumber(number: number): string {
  return number.toLocaleString('en-US')
}

/** A number with its noun: "1 show", "2,000 shows", "1 country". */
export function formatCount(number: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(number)} ${number === 1 ? singular : plural}`
}

function formatDuration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(0)} s`
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
}
