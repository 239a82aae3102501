import { ConnectionError } from 'marquee-client'
import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { useMessages } from '../app/context.ts'
import { useOnline } from '../app/use-online.ts'
import { Notice, Skeleton } from '../components/feedback.tsx'
import { Failure } from '../layout/failure.tsx'
import { layoutMessages, platformMessages } from '../messages/tables.ts'
import { useSession } from './session.ts'

/** Data of the platform that is kept up to date. */
interface LiveQuery<T> {
  /** The last value, even if a later request failed. */
  readonly value: T | undefined
  /** The error of the last request, if it failed. */
  readonly error: unknown
  readonly reload: () => void
}

/**
 * Fetches a path of the platform, and again on `reload`, when the tab becomes visible, when the browser is online again, and
 * every `everySeconds`. Nothing is cached: a change must show at once.
 */
export function useLiveQuery<T>(path: string, { everySeconds }: { readonly everySeconds?: number } = {}): LiveQuery<T> {
  const session = useSession()
  const [held, setHeld] = useState<{ readonly path: string; readonly value?: T; readonly error?: unknown }>({ path })
  const [turn, setTurn] = useState(0)
  const reload = useCallback(() => setTurn((count) => count + 1), [])

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    session.fetch<T>({ path, signal }).then(
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

interface LiveViewProps<T> {
  readonly of: LiveQuery<T>
  /** Height of the placeholder. */
  readonly height?: string
  /** Whether another part of the page shows the error already. */
  readonly isStaleSaid?: boolean
  readonly children: (value: T) => ComponentChildren
}

/** Renders live data, a placeholder, or an error. After an error the last value stays. */
export function LiveView<T>({
  of: { value, error, reload },
  height = '12rem',
  isStaleSaid = false,
  children,
}: LiveViewProps<T>) {
  const platformText = useMessages(platformMessages)
  const layoutText = useMessages(layoutMessages)
  const isOnline = useOnline()
  if (value === undefined) {
    if (error !== undefined) return <Failure error={error} retry={reload} isForDevelopers={true} />
    return (
      <div role="status" aria-label={layoutText.loading}>
        <Skeleton height={height} />
      </div>
    )
  }
  return (
    <>
      {error !== undefined &&
        !isStaleSaid &&
        (error instanceof ConnectionError ? (
          <Notice kind="warn" isUrgent={true} title={layoutText.failure[isOnline ? 'unreachable' : 'offline'].title}>
            <p>{platformText.stale}</p>
          </Notice>
        ) : (
          <Failure error={error} retry={reload} isForDevelopers={true} />
        ))}
      {children(value)}
    </>
  )
}
