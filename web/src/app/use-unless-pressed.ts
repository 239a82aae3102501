import { useEffect, useRef, useState } from 'preact/hooks'

/**
 * A value that does not change while a mouse button, pen or finger is down. What it moves would be pressed in one place and
 * released in another, and that is no click.
 */
export function useUnlessPressed<T>(value: T): T {
  const [isPressed, setPressed] = useState(false)
  const shown = useRef(value)
  useEffect(() => {
    // The release of a list that unfolds is not always told.
    const press = ({ target }: Event) => setPressed(!(target instanceof HTMLSelectElement))
    // The click comes after the release.
    const release = () => setTimeout(() => setPressed(false))
    addEventListener('pointerdown', press, true)
    addEventListener('pointerup', release, true)
    addEventListener('pointercancel', release, true)
    return () => {
      removeEventListener('pointerdown', press, true)
      removeEventListener('pointerup', release, true)
      removeEventListener('pointercancel', release, true)
    }
  }, [])
  if (!isPressed) shown.current = value
  return shown.current
}
