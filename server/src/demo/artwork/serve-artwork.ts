import { drawArtwork } from './draw-artwork.ts'
import type { RasterImages } from './raster-images.ts'

/** An image or a page of the demo, ready to send. */
interface ServedArtwork {
  readonly contentType: string
  readonly body: string | Buffer
}

/** Serves the image or page of a URL of the demo catalog; PNG images come from `images`, at once if they are cached. */
export function serveArtwork(path: string, images: RasterImages): ServedArtwork | Promise<ServedArtwork> | undefined {
  const artwork = drawArtwork(path)
  if (artwork?.isRaster !== true) return artwork
  const png = (body: Buffer): ServedArtwork => ({ contentType: 'image/png', body })
  const cached = images.cached(artwork.body)
  return cached === undefined ? images.render(artwork.body).then(png) : png(cached)
}
