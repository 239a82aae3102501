import { useEffect, useState } from 'preact/hooks'
import { formatSpan } from '../i18n/measures.ts'
import { Notice } from '../ui/notice.tsx'
import { platformMessages } from './messages.ts'
import { type PlatformError, problemOf } from './platform-error.ts'
import { problemText } from './problem-text.ts'

/** The seconds for which no attempt is taken after an error that says so; counts down to 0. */
export function useThrottle(error: unknown): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const isThrottled = problemOf(error) === 'too_many_attempts'
    if (!isThrottled) {
      setLeft(0)
      return
    }
    const end = Date.now() + ((error as PlatformError).retryAfter ?? 60) * 1000
    const tick = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [error])
  return left
}

/** Says why nobody was let in, and for how long that holds. */
export function EntryProblem({ error, wait }: { error: unknown; wait: number }) {
  const { throttled } = platformMessages.current
  if (error === undefined) return null
  if (problemOf(error) !== 'too_many_attempts') {
    return (
      <Notice kind="bad" isUrgent={true}>
        <p>{problemText(error)}</p>
      </Notice>
    )
  }
  return (
    <Notice kind="warn" isUrgent={true} title={throttled.title}>
      <p>{throttled.text}</p>
      {wait > 0 && <p>{throttled.wait(formatSpan(wait))}</p>}
    </Notice>
  )
}
