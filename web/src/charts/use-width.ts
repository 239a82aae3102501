import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** The width of an element in pixels, followed as it changes; charts are drawn to it, so that their text stays readable. */
export function useWidth<E extends HTMLElement>(): { readonly ref: RefObject<E | null>; readonly width: number } {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)))
    observer.observe(element)
    setWidth(Math.floor(element.clientWidth))
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
