/** A process that comes to its own timers so late has more work than it can do. */
const MAX_DELAY_MS = 1_000
const SAMPLE_INTERVAL_MS = 250

/** Notices when a process cannot keep up, so that it turns requests away rather than letting all of them wait. */
export class OverloadDetector {
  private readonly clock: () => number
  private lookedAt: number
  private late = 0

  constructor(clock: () => number = () => performance.now()) {
    this.clock = clock
    this.lookedAt = clock()
  }

  get isOverloaded(): boolean {
    return this.late > MAX_DELAY_MS
  }

  start(): void {
    this.lookedAt = this.clock()
    setInterval(() => this.sample(), SAMPLE_INTERVAL_MS).unref()
  }

  /** To be called every quarter of a second; how late that happens is what tells. */
  sample(): void {
    const now = this.clock()
    this.late = now - this.lookedAt - SAMPLE_INTERVAL_MS
    this.lookedAt = now
  }
}
