import { fileURLToPath } from 'node:url'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js'

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

/** The fonts that posters are drawn with. Those of the machine are not used, so a poster is the same everywhere. */
const FONT_FILES = ['NotoSans-Bold.ttf', 'NotoSerif-Bold.ttf', 'NotoSansCJKjp-Bold.otf'].map((name) =>
  fileURLToPath(new URL(`../../../assets/fonts/${name}`, import.meta.url)),
)

const OPTIONS: ResvgRenderOptions = {
  font: {
    loadSystemFonts: false,
    fontFiles: FONT_FILES,
    defaultFontFamily: 'Noto Sans',
    sansSerifFamily: 'Noto Sans',
    serifFamily: 'Noto Serif',
  },
  logLevel: 'off',
}

/** Renders an SVG drawing to PNG, in the size that the drawing states. Takes 10 to 100 ms, so a thread calls it. */
export function rasterize(svg: string): Buffer {
  return new Resvg(svg, OPTIONS).render().asPng()
}
