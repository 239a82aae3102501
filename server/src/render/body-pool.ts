/** Bodies up to this size are made in memory that is used again; larger ones are rare. */
const LARGEST = 2 * 1024 * 1024
const SMALLEST_CLASS = 12

/** So much memory is kept ready at most, for each size. */
const KEPT_BYTES = 16 * 1024 * 1024

/** The memory of a body, and how to give it back. */
export interface Room {
  readonly body: Buffer
  /** To be called once the body was sent; whoever cannot tell need not call it. */
  readonly release: (() => void) | undefined
}

/**
 * Memory for bodies that is used again once they are sent. To allocate it anew for every answer would cost more than
 * filling it: memory of that size comes from the system, and the collector is called ever more often to let go of it.
 */
export class BodyPool {
  private readonly free = new Map<number, Buffer[]>()

  take(size: number): Room {
    if (size > LARGEST) return { body: Buffer.allocUnsafeSlow(size), release: undefined }
    const sizeClass = Math.max(32 - Math.clz32(size - 1), SMALLEST_CLASS)
    let list = this.free.get(sizeClass)
    if (list === undefined) {
      list = []
      this.free.set(sizeClass, list)
    }
    const free = list
    const memory = free.pop() ?? Buffer.allocUnsafeSlow(1 << sizeClass)
    const release = () => {
      if (free.length << sizeClass < KEPT_BYTES) free.push(memory)
    }
    return { body: memory.subarray(0, size), release }
  }
}
