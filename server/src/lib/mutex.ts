/** A lock within this process: `run` calls get their turn one after the other, in the order in which they were made. */
export class Mutex {
  private tail: Promise<unknown> = Promise.resolve()

  /** Runs the work once all earlier work has ended, whether it failed or not. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.tail.then(work)
    this.tail = result.catch(() => {})
    return result
  }

  /** Resolves when all work that was passed to `run` so far has ended. */
  async idle(): Promise<void> {
    await this.tail
  }
}
