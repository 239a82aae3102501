import type { Show } from 'marquee-client'
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { safeImageUrl } from '../../components/safe-url.tsx'
import './poster.css'

interface PosterProps {
  readonly show: Show
  /** How wide it is shown, as `sizes` of an image. */
  readonly sizes: string
  /** Whether the title stands beside it anyway. */
  readonly isDecoration?: boolean
}

/**
 * The poster of a show, in sizes up to twice the width that pages show it in. Where there is none, or it cannot be loaded, its title stands in for it. It is
 * fetched once its place is known: on a slow device pictures would hold up the words.
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

/** Finds out that an image cannot be loaded. `ref` and `onError` go to the image. */
export function useBrokenImage(): {
  readonly isBroken: boolean
  readonly ref: RefObject<HTMLImageElement | null>
  readonly onError: () => void
} {
  const [isBroken, setBroken] = useState(false)
  const ref = useRef<HTMLImageElement>(null)
  const onError = () => setBroken(true)
  // An image that came with the HTML may have failed before anybody listened. Some that are well have no size of their own.
  useEffect(() => {
    const image = ref.current
    if (image?.complete && image.naturalWidth === 0) image.decode().catch(onError)
  }, [])
  return { isBroken, ref, onError }
}
