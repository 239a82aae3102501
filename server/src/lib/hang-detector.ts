interface HangOptions {
  /** A process that is silent for this long hangs. */
  readonly maxSilenceMs: number
  /** A process that is not heard for this long after its start hangs, too; as `maxSilenceMs` by default. */
  readonly maxStartMs?: number
  /** How often `findHung` is called. */
  readonly checkMs: number
  /** A clock that never goes back, in milliseconds. */
  readonly clock?: () => number
}

/** Finds processes that no longer send heartbeats: they are stopped, or loop without an end. */
export class HangDetector<Id> {
  private readonly options: HangOptions
  private readonly clock: () => number
  private readonly heardAt = new Map<Id, number>()
  private readonly startedAt = new Map<Id, number>()
  private checkedAt: number

  constructor(options: HangOptions) {
    this.options = options
    this.clock = options.clock ?? (() => performance.now())
    this.checkedAt = this.clock()
  }

  /** Notes a process that was started, and is to send heartbeats soon. */
  expect(id: Id): void {
    this.startedAt.set(id, this.clock())
  }

  /** Notes a heartbeat. */
  beat(id: Id): void {
    this.startedAt.delete(id)
    this.heardAt.set(id, this.clock())
  }

  /** To be called when a process exits. */
  delete(id: Id): void {
    this.heardAt.delete(id)
    this.startedAt.delete(id)
  }

  /** How long a process has been silent; 0 before its first heartbeat. */
  silenceMs(id: Id): number {
    return this.clock() - (this.heardAt.get(id) ?? this.clock())
  }

  /** The processes that hang, each once. */
  findHung(): Id[] {
    const { maxSilenceMs, maxStartMs = maxSilenceMs, checkMs } = this.options
    const now = this.clock()
    const wasSuspended = now - this.checkedAt > 2 * checkMs + maxSilenceMs / 4
    this.checkedAt = now
    if (wasSuspended) {
      // This process itself did not run: heartbeats may wait in its channels.
      for (const times of [this.heardAt, this.startedAt]) for (const id of times.keys()) times.set(id, now)
      return []
    }
    const hung = [
      ...[...this.heardAt].filter(([, at]) => now - at > maxSilenceMs),
      ...[...this.startedAt].filter(([, at]) => now - at > maxStartMs),
    ].map(([id]) => id)
    for (const id of hung) this.delete(id)
    return hung
  }
}
