/** Bodies up to this size are made in memory that is used again; larger ones are rare. */
const MAX_POOLED_BYTES = 2 * 1024 * 1024
const MIN_STEP_BYTES = 4 * 1024

/** So much memory is kept ready at most. */
const MAX_FREE_BYTES = 48 * 1024 * 1024

/** Bytes in front of every body: a head that is written there goes out with the body in one piece. */
const HEADROOM_BYTES = 1024

/** A finished body, in memory that is not its own. */
export interface PooledBody {
  readonly bytes: Buffer
  /** How many bytes of the memory in front of it may be written to. */
  readonly headroom: number
  /** To be called once, when the body is no longer needed: its memory is then used for another one. */
  readonly release: () => void
}

/**
 * Memory for bodies that is used again once they are sent. To allocate it anew for every answer would cost more than
 * filling it: memory of that size comes from the system, and the collector is called ever more often to let go of it.
 */
export class BodyPool {
  private readonly free = new Map<number, Buffer[]>()
  private freeBytes = 0

  acquire(size: number): PooledBody {
    const capacity = capacityFor(HEADROOM_BYTES + size)
    const list = this.freeOf(capacity)
    const memory = list.pop()
    if (memory === undefined) return this.lend(Buffer.allocUnsafeSlow(capacity), size, list)
    this.freeBytes -= capacity
    return this.lend(memory, size, list)
  }

  private lend(memory: Buffer, size: number, list: Buffer[]): PooledBody {
    const release = () => {
      if (memory.length > MAX_POOLED_BYTES || this.freeBytes + memory.length > MAX_FREE_BYTES) return
      this.freeBytes += memory.length
      list.push(memory)
    }
    return { bytes: memory.subarray(HEADROOM_BYTES, HEADROOM_BYTES + size), headroom: HEADROOM_BYTES, release }
  }

  private freeOf(capacity: number): Buffer[] {
    let list = this.free.get(capacity)
    if (list === undefined) {
      list = []
      this.free.set(capacity, list)
    }
    return list
  }
}

/** Four sizes an octave: few enough to be used again, and near enough to waste little. */
function capacityFor(size: number): number {
  const step = Math.max(MIN_STEP_BYTES, 1 << (29 - Math.clz32(size)))
  return Math.ceil(size / step) * step
}

/** Pieces of an answer, copied once, into as much room as they need together. */
export class BodyBuilder {
  private readonly sources: Buffer[] = []
  private readonly ranges: number[] = []
  private size = 0

  add(source: Buffer, start = 0, end = source.length): void {
    this.sources.push(source)
    this.ranges.push(start, end)
    this.size += end - start
  }

  build(pool: BodyPool): PooledBody {
    const body = pool.acquire(this.size)
    const { sources, ranges } = this
    let at = 0
    for (let i = 0; i < sources.length; i++) {
      at += (sources[i] as Buffer).copy(body.bytes, at, ranges[i * 2], ranges[i * 2 + 1])
    }
    return body
  }
}
