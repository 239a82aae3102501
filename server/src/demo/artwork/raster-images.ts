import { Worker } from 'node:worker_threads'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import type { RasterResult, RasterTask } from './raster-thread.ts'

const MAX_CACHE_BYTES = 32 << 20
/** At 10 to 100 ms for an image, the last one waits for a few seconds. */
const MAX_PENDING = 64

/** Thrown while too many images wait to be rendered. */
export class RasterQueueFullError extends Error {
  override readonly name = 'RasterQueueFullError'
}

/**
 * PNG images of drawings. A thread renders them, so that no request waits for it; it starts with the first image.
 * Images are cached up to `MAX_CACHE_BYTES`, an image that is being rendered is not rendered a second time, and at most
 * `MAX_PENDING` wait.
 */
export class RasterImages {
  private readonly cache = new VersionedCache<string, Buffer>({
    name: 'artwork',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: (png, svg) => png.length + svg.length,
  })
  private readonly pending = new Map<string, Promise<Buffer>>()
  private readonly settlers = new Map<number, (result: RasterResult) => void>()
  private thread: Worker | undefined
  private nextId = 0

  /** The image of a drawing; undefined if it must be rendered first. */
  cached(svg: string): Buffer | undefined {
    return this.cache.get(svg)
  }

  /** Renders a drawing, or waits for it if that has begun. */
  render(svg: string): Promise<Buffer> {
    const known = this.pending.get(svg)
    if (known !== undefined) return known
    if (this.pending.size >= MAX_PENDING) return Promise.reject(new RasterQueueFullError('Too many images wait.'))
    const id = this.nextId++
    this.thread ??= this.startThread()
    const promise = new Promise<Buffer>((resolve, reject) => {
      this.settlers.set(id, (result) => {
        this.settlers.delete(id)
        this.pending.delete(svg)
        if ('error' in result) return reject(new Error(`An image could not be rendered: ${result.error}`))
        const png = Buffer.from(result.png.buffer, result.png.byteOffset, result.png.byteLength)
        this.cache.set(svg, png)
        resolve(png)
      })
    })
    this.pending.set(svg, promise)
    this.thread.postMessage({ id, svg } satisfies RasterTask)
    return promise
  }

  /** The cache, for the metrics. */
  caches(): MeteredCache[] {
    return [this.cache]
  }

  private startThread(): Worker {
    const thread = new Worker(new URL('./raster-thread.js', import.meta.url))
    // The thread does not keep the process alive.
    thread.unref()
    thread.on('message', (result: RasterResult) => this.settlers.get(result.id)?.(result))
    // A thread that dies takes its images with it; the next image starts another one.
    const onEnd = (reason: unknown) => {
      if (this.thread !== thread) return
      this.thread = undefined
      for (const [id, settle] of this.settlers) settle({ id, error: `the thread ended: ${reason}` })
    }
    thread.on('error', onEnd)
    thread.on('exit', onEnd)
    return thread
  }
}
