/** How much must be done before the time that is left is guessed. */
const MIN_FRACTION = 0.02

/** Shows how long work goes on: a line that renews itself on a terminal, a plain line now and then elsewhere. */
export class Progress {
  private readonly stream: NodeJS.WriteStream
  private readonly started = performance.now()
  private shownAt = this.started
  private shown = false

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.stream = stream
  }

  /** Tells how far the work has come, as a part of 1 if known; most calls show nothing, so it may be called often. */
  update(label: string, done: number, part?: () => number): void {
    const now = performance.now()
    if (now - this.shownAt < (this.stream.isTTY ? 100 : 5_000)) return
    this.shownAt = now
    const seconds = (now - this.started) / 1000
    const rate = done / Math.max(seconds, 0.001)
    const reached = part?.()
    const parts = [
      `${reached === undefined ? '' : `${progressBar(reached)} `}${formatNumber(done)} ${label}`,
      ...(reached === undefined || reached < MIN_FRACTION
        ? []
        : [`about ${formatDuration((seconds / reached) * (1 - reached))} left`]),
      `${formatNumber(Math.round(rate))}/s`,
      `${formatDuration(seconds)} elapsed`,
    ]
    if (this.stream.isTTY) this.stream.write(`\r\x1b[2K${fitLine(parts, (this.stream.columns ?? 120) - 1)}`)
    else this.stream.write(`${parts.join(', ')}\n`)
    this.shown = true
  }

  /** Clears the line on a terminal. */
  end(): void {
    if (this.shown && this.stream.isTTY) this.stream.write('\r\x1b[2K')
  }
}

/** As many of the parts, from the first on, as a line has room for. */
function fitLine(parts: readonly string[], room: number): string {
  let line = parts[0] ?? ''
  for (const part of parts.slice(1)) {
    if (line.length + 2 + part.length > room) break
    line += `, ${part}`
  }
  return line.slice(0, room)
}

function progressBar(part: number): string {
  const filled = Math.round(Math.min(Math.max(part, 0), 1) * 20)
  return `[${'#'.repeat(filled)}${'.'.repeat(20 - filled)}]`
}

/** A number with separators, as people read it. */
export function formatNumber(number: number): string {
  return number.toLocaleString('en-US')
}

/** A number of things, as people say it: "1 show", "2,000 shows", "1 country". */
export function formatCount(number: number, one: string, many = `${one}s`): string {
  return `${formatNumber(number)} ${number === 1 ? one : many}`
}

function formatDuration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(0)} s`
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
}
