/** Delays of the event loop beyond this mean overload. */
const MAX_DELAY_MS = 1_000
const SAMPLE_INTERVAL_MS = 250

/** Detects overload by the delay of its own timer. An overloaded worker sheds requests instead of queueing them. */
export class OverloadDetector {
  private readonly clock: () => number
  private sampledAt: number
  private delayMs = 0

  constructor(clock: () => number = () => performance.now()) {
    this.clock = clock
    this.sampledAt = clock()
  }

  get isOverloaded(): boolean {
    return this.delayMs > MAX_DELAY_MS
  }

  start(): void {
    this.sampledAt = this.clock()
    setInterval(() => this.sample(), SAMPLE_INTERVAL_MS).unref()
  }

  /** Measures how much later than every 250 ms it is called. */
  sample(): void {
    const now = this.clock()
    this.delayMs = now - this.sampledAt - SAMPLE_INTERVAL_MS
    this.sampledAt = now
  }
}
