import { type MessagePort, parentPort } from 'node:worker_threads'
import { rasterize } from './rasterize.ts'

/* The program of the thread that renders PNG images: one drawing after the other, in the order in which they come. */

/** A drawing to render. */
export interface RasterTask {
  readonly id: number
  readonly svg: string
}

/** The PNG image of a drawing, or why there is none. */
export type RasterResult = { readonly id: number } & ({ readonly png: Uint8Array } | { readonly error: string })

const port = parentPort as MessagePort
port.on('message', ({ id, svg }: RasterTask) => {
  try {
    const png = rasterize(svg)
    port.postMessage({ id, png } satisfies RasterResult)
  } catch (error) {
    port.postMessage({ id, error: String(error) } satisfies RasterResult)
  }
})
