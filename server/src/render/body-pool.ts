import { CacheMeter } from '../lib/cache.ts'

/** Buffers up to this size are pooled; larger bodies are rare. */
const MAX_POOLED_BYTES = 2 * 1024 * 1024
const MIN_STEP_BYTES = 4 * 1024

/** The free buffers of a pool together. */
const MAX_FREE_BYTES = 48 * 1024 * 1024

/** Bytes before every body: the fast path writes the response head there and sends both with one write. */
const HEADROOM_BYTES = 1024

/** A response body in a pooled buffer. */
export interface PooledBody {
  readonly bytes: Buffer
  /** Writable bytes in the same memory directly before `bytes`. */
  readonly headroom: number
  /** Returns the buffer to the pool. Call it once. */
  readonly release: () => void
}

/**
 * A pool of buffers for response bodies, by size class. Allocating per response costs more than filling the buffer:
 * memory of that size comes from the system, and external memory triggers garbage collections.
 */
export class BodyPool {
  readonly meter = new CacheMeter('bodies', MAX_FREE_BYTES)
  private readonly free = new Map<number, Buffer[]>()

  acquire(size: number): PooledBody {
    const capacity = capacityFor(HEADROOM_BYTES + size)
    const list = this.freeList(capacity)
    const buffer = list.pop()
    if (buffer === undefined) {
      this.meter.misses++
      return this.lend(Buffer.allocUnsafeSlow(capacity), size, list)
    }
    this.meter.hits++
    this.meter.entries--
    this.meter.bytes -= capacity
    return this.lend(buffer, size, list)
  }

  private lend(buffer: Buffer, size: number, list: Buffer[]): PooledBody {
    const { meter } = this
    const release = () => {
      if (buffer.length > MAX_POOLED_BYTES || meter.bytes + buffer.length > MAX_FREE_BYTES) {
        meter.evictions++
        return
      }
      meter.entries++
      meter.bytes += buffer.length
      list.push(buffer)
    }
    return { bytes: buffer.subarray(HEADROOM_BYTES, HEADROOM_BYTES + size), headroom: HEADROOM_BYTES, release }
  }

  private freeList(capacity: number): Buffer[] {
    let list = this.free.get(capacity)
    if (list === undefined) {
      list = []
      this.free.set(capacity, list)
    }
    return list
  }
}

/** Rounds up to a size class. Four classes an octave waste little and are few enough for buffers to be reused. */
function capacityFor(size: number): number {
  const step = Math.max(MIN_STEP_BYTES, 1 << (29 - Math.clz32(size)))
  return Math.ceil(size / step) * step
}

/** Joins the JSON of a generator, which returns until when it is valid; undefined if it is longer than `maxLength`. */
export function joinPieces(
  pieces: Generator<string, number>,
  maxLength: number,
): { readonly bytes: Buffer; readonly validUntil: number } | undefined {
  let json = ''
  for (let piece = pieces.next(); ; piece = pieces.next()) {
    if (piece.done === true) return { bytes: Buffer.from(json), validUntil: piece.value }
    json += piece.value
    if (json.length > maxLength) return undefined
  }
}
