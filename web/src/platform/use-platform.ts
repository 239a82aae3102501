import { useCallback, useEffect, useState } from 'preact/hooks'
import { askPlatform } from './session.ts'

/** Something of the platform that the page shows as it is now. */
export interface Live<T> {
  /** The latest that is known, even if a later attempt to ask failed. */
  readonly value: T | undefined
  /** Why the latest attempt failed, if it did. */
  readonly error: unknown
  readonly reload: () => void
}

/**
 * Asks the platform for a path, and again whenever `reload` is called, the reader comes back to the tab, or, with
 * `everySeconds`, time has passed. Unlike answers of the catalog nothing is taken from a cache: what was just changed
 * must show.
 */
export function usePlatform<T>(path: string, { everySeconds }: { readonly everySeconds?: number } = {}): Live<T> {
  const [held, setHeld] = useState<{ readonly path: string; readonly value?: T; readonly error?: unknown }>({ path })
  const [turn, setTurn] = useState(0)
  const reload = useCallback(() => setTurn((count) => count + 1), [])

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    askPlatform<T>({ path, signal }).then(
      (value) => signal.aborted || setHeld({ path, value }),
      (error: unknown) =>
        signal.aborted || setHeld((before) => (before.path === path ? { ...before, error } : { path, error })),
    )
    return () => controller.abort()
  }, [path, turn])

  useEffect(() => {
    const again = () => document.visibilityState === 'visible' && reload()
    const timer = everySeconds === undefined ? undefined : setInterval(again, everySeconds * 1000)
    document.addEventListener('visibilitychange', again)
    window.addEventListener('online', again)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', again)
      window.removeEventListener('online', again)
    }
  }, [everySeconds, reload])

  const isCurrent = held.path === path
  return { value: isCurrent ? held.value : undefined, error: isCurrent ? held.error : undefined, reload }
}
