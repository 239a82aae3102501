import { useLayoutEffect, useState } from 'preact/hooks'

/**
 * Whether filters and calendars fit beside their list. The server cannot know, so it renders them folded, and the style shows
 * them where they fit.
 */
export function useWideScreen(): boolean {
  const [isWide, setWide] = useState(false)
  useLayoutEffect(() => {
    const wide = window.matchMedia('(min-width: 56.01rem)')
    const follow = () => setWide(wide.matches)
    follow()
    wide.addEventListener('change', follow)
    return () => wide.removeEventListener('change', follow)
  }, [])
  return isWide
}
