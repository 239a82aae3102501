import { useEffect, useState } from 'preact/hooks'

const wide = window.matchMedia('(min-width: 56.01rem)')

/** Whether there is room for the filters beside the list. */
export function useWideScreen(): boolean {
  const [isWide, setWide] = useState(wide.matches)
  useEffect(() => {
    const follow = () => setWide(wide.matches)
    wide.addEventListener('change', follow)
    return () => wide.removeEventListener('change', follow)
  }, [])
  return isWide
}
