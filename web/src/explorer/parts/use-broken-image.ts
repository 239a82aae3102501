import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

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
