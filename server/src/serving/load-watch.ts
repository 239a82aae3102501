/** A process that comes to its own timers so late has more work than it can do. */
const TOO_LATE_MS = 1_000
const LOOK_EVERY_MS = 250

/** Notices when a process cannot keep up, so that it turns requests away rather than letting all of them wait. */
export class LoadWatch {
  private readonly clock: () => number
  private lookedAt: number
  private late = 0

  constructor(clock: () => number = () => performance.now()) {
    this.clock = clock
    this.lookedAt = clock()
  }

  get isOverloaded(): boolean {
    return this.late > TOO_LATE_MS
  }

  start(): void {
    this.lookedAt = this.clock()
    setInterval(() => this.look(), LOOK_EVERY_MS).unref()
  }

  /** To be called every quarter of a second; how late that happens is what tells. */
  look(): void {
    const now = this.clock()
    this.late = now - this.lookedAt - LOOK_EVERY_MS
    this.lookedAt = now
  }
}
