/** Bodies up to this size are made in memory that is used again; larger ones are rare. */
const LARGEST = 2 * 1024 * 1024
const SMALLEST = 4 * 1024

/** So much memory is kept ready at most. */
const KEPT_BYTES = 48 * 1024 * 1024

/** Bytes in front of every body: a head that is written there goes out with the body in one piece. */
const HEADROOM = 1024

/** A finished body, in memory that is not its own. */
export interface Body {
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

  take(size: number): Body {
    const capacity = capacityFor(HEADROOM + size)
    const list = this.freeOf(capacity)
    const memory = list.pop()
    if (memory === undefined) return this.lend(Buffer.allocUnsafeSlow(capacity), size, list)
    this.freeBytes -= capacity
    return this.lend(memory, size, list)
  }

  private lend(memory: Buffer, size: number, list: Buffer[]): Body {
    const release = () => {
      if (memory.length > LARGEST || this.freeBytes + memory.length > KEPT_BYTES) return
      this.freeBytes += memory.length
      list.push(memory)
    }
    return { bytes: memory.subarray(HEADROOM, HEADROOM + size), headroom: HEADROOM, release }
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
  const step = Math.max(SMALLEST, 1 << (29 - Math.clz32(size)))
  return Math.ceil(size / step) * step
}
