import type { Body, BodyPool } from './body-pool.ts'

/** Pieces of an answer, copied once, into as much room as they need together. */
export class JoinedPieces {
  private readonly sources: Buffer[] = []
  private readonly ranges: number[] = []
  private size = 0

  add(source: Buffer, start = 0, end = source.length): void {
    this.sources.push(source)
    this.ranges.push(start, end)
    this.size += end - start
  }

  join(pool: BodyPool): Body {
    const body = pool.take(this.size)
    const { sources, ranges } = this
    let at = 0
    for (let i = 0; i < sources.length; i++) {
      at += (sources[i] as Buffer).copy(body.bytes, at, ranges[i * 2], ranges[i * 2 + 1])
    }
    return body
  }
}
