import { ConnectionError } from 'marquee-client'
import type { ComponentChildren } from 'preact'
import { Failure } from '../shell/failure.tsx'
import { shellMessages } from '../shell/messages.ts'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { platformMessages } from './messages.ts'
import type { Live } from './use-platform.ts'

interface LiveViewProps<T> {
  readonly of: Live<T>
  /** How high the place is that is held meanwhile. */
  readonly height?: string
  /** Whether something else on the page says already that what is shown is not the latest. */
  readonly isStaleSaid?: boolean
  readonly children: (value: T) => ComponentChildren
}

/** Shows something of the platform, or what keeps it from being shown. What was seen before stays in view. */
export function LiveView<T>({
  of: { value, error, reload },
  height = '12rem',
  isStaleSaid = false,
  children,
}: LiveViewProps<T>) {
  if (value === undefined) {
    if (error !== undefined) return <Failure error={error} retry={reload} isForDevelopers={true} />
    return (
      <div role="status" aria-label={shellMessages.current.loading}>
        <Skeleton height={height} />
      </div>
    )
  }
  return (
    <>
      {error !== undefined &&
        !isStaleSaid &&
        (error instanceof ConnectionError ? (
          <Notice
            kind="warn"
            isUrgent={true}
            title={shellMessages.current.failure[navigator.onLine ? 'unreachable' : 'offline'].title}
          >
            <p>{platformMessages.current.stale}</p>
          </Notice>
        ) : (
          <Failure error={error} retry={reload} isForDevelopers={true} />
        ))}
      {children(value)}
    </>
  )
}
