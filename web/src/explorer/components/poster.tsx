import type { Show } from 'marquee-client'
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { safeImageUrl } from '../../components/safe-url.tsx'
import './poster.css'

interface PosterProps {
  readonly show: Show
  /** The `sizes` attribute of the image. */
  readonly sizes: string
  /** Whether the title is beside it, so that no alternative text is needed. */
  readonly isDecoration?: boolean
}

/**
 * The poster of a show, in sizes up to twice its width on the pages. Without one, or if it fails to load, the title is
 * shown. It is loaded lazily: on a slow device images would delay the text.
 */
export function Poster({ show, sizes, isDecoration = false }: PosterProps) {
  const { isBroken, ...watched } = useBrokenImage()
  const { w240, w360, w480 } = show.imageSet.verticalPoster
  const widths = Object.entries({ 240: w240, 360: w360, 480: w480 }).flatMap(([width, address]) => {
    const own = safeImageUrl(address)
    return own === undefined ? [] : [{ own, width }]
  })
  const smallest = widths[0]
  if (smallest === undefined || isBroken) {
    return (
      <span class="poster poster-none" aria-hidden={isDecoration}>
        <span dir="auto">{show.title}</span>
      </span>
    )
  }
  return (
    <img
      class="poster"
      src={smallest.own}
      srcset={widths.map(({ own, width }) => `${own} ${width}w`).join(', ')}
      sizes={sizes}
      alt={isDecoration ? '' : show.title}
      width={240}
      height={360}
      loading="lazy"
      decoding="async"
      {...watched}
    />
  )
}

/** Detects that an image fails to load. `ref` and `onError` go to the image. */
export function useBrokenImage(): {
  readonly isBroken: boolean
  readonly ref: RefObject<HTMLImageElement | null>
  readonly onError: () => void
} {
  const [isBroken, setBroken] = useState(false)
  const ref = useRef<HTMLImageElement>(null)
  const onError = () => setBroken(true)
  // A server-rendered image may have failed before hydration. Some valid images have no natural size.
  useEffect(() => {
    const image = ref.current
    if (image?.complete && image.naturalWidth === 0) image.decode().catch(onError)
  }, [])
  return { isBroken, ref, onError }
}
