import { fileURLToPath } from 'node:url'
import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js'

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
