/**
 * QueryEngine counted by status. There are few statuses, and nearly all answers have the first or the second of them, so they
 * are looked through: a map would take longer.
 */
export class StatusCounts {
  private readonly statuses: number[] = []
  private readonly counts: number[] = []

  add(status: number): void {
    let at = 0
    while (at < this.statuses.length && this.statuses[at] !== status) at++
    if (at === this.statuses.length) {
      this.statuses.push(status)
      this.counts.push(0)
    }
    ;(this.counts[at] as number)++
  }

  /** Each status with its count. */
  entries(): [number, number][] {
    return this.statuses.map((status, at) => [status, this.counts[at] as number])
  }
}
