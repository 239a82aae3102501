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
      `${count(done)} ${label}`,
      `${count(Math.round(rate))}/s`,
      `${duration(seconds)} elapsed`,
      ...(reached === undefined || reached === 0
        ? []
        : [`about ${duration((seconds / reached) * (1 - reached))} left`]),
    ]
    const line = `${reached === undefined ? '' : `${bar(reached)} `}${parts.join(', ')}`
    if (this.stream.isTTY) this.stream.write(`\r\x1b[2K${line.slice(0, (this.stream.columns ?? 120) - 1)}`)
    else this.stream.write(`${line}\n`)
    this.shown = true
  }

  /** Clears the line on a terminal. */
  end(): void {
    if (this.shown && this.stream.isTTY) this.stream.write('\r\x1b[2K')
  }
}

function bar(part: number): string {
  const filled = Math.round(Math.min(Math.max(part, 0), 1) * 20)
  return `[${'#'.repeat(filled)}${'.'.repeat(20 - filled)}]`
}

/** A number with separators, as people read it. */
export function count(number: number): string {
  return number.toLocaleString('en-US')
}

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(0)} s`
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
}
