import { ConnectionError, MarqueeError, ServiceError } from 'marquee-client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp, useMessages } from '../app/context.ts'
import { useOnline } from '../app/use-online.ts'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/feedback.tsx'
import type { LayoutMessages } from '../messages/layout/en.ts'
import { layoutMessages } from '../messages/tables.ts'

interface FailureProps {
  readonly error: unknown
  readonly retry: () => void
  /** Whether to show the message of the service, which is in English, instead of a general text. */
  readonly isForDevelopers?: boolean
}

/** Shows an error with a retry button. Offline, and where the service says when to come back, it retries by itself. */
export function Failure({ error, retry, isForDevelopers = false }: FailureProps) {
  const t = useMessages(layoutMessages)
  const { catalog } = useApp()
  const isOnline = useOnline()
  const isOffline = error instanceof ConnectionError && !isOnline
  const wasOffline = useRef(false)
  const isCatalogEmpty = catalog.countries.length === 0
  const isBusy = error instanceof ServiceError && error.status === 429
  const isOverloaded = error instanceof ServiceError && error.status === 503 && !isCatalogEmpty
  const left = useCountdown(isBusy || isOverloaded ? Math.max(1, error.retryAfter ?? 5) : undefined, retry)
  useEffect(() => {
    if (wasOffline.current && !isOffline) retry()
    wasOffline.current = isOffline
  }, [isOffline, retry])

  if (isOffline)
    return (
      <Notice kind="warn" isUrgent={true} title={t.failure.offline.title}>
        {t.failure.offline.text}
      </Notice>
    )
  if (isBusy) {
    return (
      <Notice kind="warn" isUrgent={true} title={t.failure.busy.title}>
        <p>{t.failure.busy.text}</p>
        <p>{t.failure.busy.wait(left ?? 0)}</p>
      </Notice>
    )
  }
  const { title, text, isFinal } = explain(error, { failure: t.failure, isForDevelopers, isCatalogEmpty })
  return (
    <Notice kind={isFinal ? 'plain' : 'bad'} isUrgent={true} title={title}>
      <p>{text}</p>
      {isOverloaded && <p>{t.failure.busy.wait(left ?? 0)}</p>}
      {error instanceof ServiceError && error.status >= 500 && error.requestId !== undefined && (
        <p class="soft">{t.failure.requestId(error.requestId)}</p>
      )}
      {!isFinal && <Button onClick={retry}>{t.retry}</Button>}
    </Notice>
  )
}

interface ExplainOptions {
  readonly failure: LayoutMessages['failure']
  readonly isForDevelopers: boolean
  readonly isCatalogEmpty: boolean
}

interface Explanation {
  readonly title: string
  readonly text: string
  /** Whether a retry would give the same error. */
  readonly isFinal: boolean
}

/** The texts for an error. */
function explain(error: unknown, { failure, isForDevelopers, isCatalogEmpty }: ExplainOptions): Explanation {
  if (error instanceof ConnectionError) return { ...failure.unreachable, isFinal: false }
  if (error instanceof ServiceError) {
    if (error.status === 404) return { ...failure.notFound, isFinal: true }
    if (error.status === 400) {
      const { title, text } = failure.refused
      return { title, text: isForDevelopers ? error.message : text, isFinal: true }
    }
    if (error.status === 503) {
      return { ...(isCatalogEmpty ? failure.empty : failure.unreachable), isFinal: false }
    }
  }
  const text = error instanceof MarqueeError && isForDevelopers ? error.message : failure.other.text
  return { title: failure.other.title, text, isFinal: false }
}

/** Counts down in seconds, then calls `onEnd`; does nothing without a number. */
function useCountdown(seconds: number | undefined, onEnd: () => void): number | undefined {
  const [left, setLeft] = useState(seconds)
  useEffect(() => setLeft(seconds), [seconds])
  useEffect(() => {
    if (left === undefined || seconds === undefined) return
    const timer = setTimeout(() => {
      if (left <= 1) onEnd()
      else setLeft(left - 1)
    }, 1000)
    return () => clearTimeout(timer)
  }, [left, seconds, onEnd])
  return left
}
