import type { Marquee } from 'marquee-client'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from './answer.ts'
import { answerAhead } from './answers-ahead.ts'
import { marquee } from './marquee.ts'
import { keepAnswer, recentAnswer } from './recent-answers.ts'

/**
 * Asks for something and follows the answer. `key` names what is asked for: another key means another question, and the
 * one that is under way is given up. Without a key nothing is asked.
 */
export function useAnswer<T>(
  key: string | undefined,
  ask: (signal: AbortSignal, client: Marquee) => Promise<T>,
): Answer<T> & { readonly retry: () => void } {
  const [held, setHeld] = useState<{ readonly key: string | undefined; readonly answer: Answer<T> }>()
  const [attempt, setAttempt] = useState(0)
  const retry = () => setAttempt((count) => count + 1)
  // What was there at once stays for as long as it is shown, also when it would not be fresh enough to start with.
  const drawn = useRef<{ readonly key: string; readonly value: T } | undefined>(undefined)
  const recent = key === undefined ? undefined : drawn.current?.key === key ? drawn.current.value : recentAnswer<T>(key)
  if (key !== undefined && recent !== undefined) drawn.current = { key, value: recent }

  // The key stands for what `ask` asks for; another attempt asks for it again.
  useEffect(() => {
    if (key === undefined || recent !== undefined) return
    // What was asked ahead may have come since this was drawn.
    const come = recentAnswer<T>(key)
    if (come !== undefined) {
      setHeld({ key, answer: { state: 'ready', value: come } })
      return
    }
    const controller = new AbortController()
    const settle = (answer: Answer<T>) => {
      if (!controller.signal.aborted) setHeld({ key, answer })
    }
    settle({ state: 'loading' })
    const asked = answerAhead<T>(key) ?? ask(controller.signal, marquee)
    asked.then(
      (value) => {
        keepAnswer(key, value)
        settle({ state: 'ready', value })
      },
      (error: unknown) => settle({ state: 'failed', error }),
    )
    return () => controller.abort()
  }, [key, attempt])

  if (held !== undefined && held.key === key && held.answer.state !== 'loading') return { ...held.answer, retry }
  return { ...(recent === undefined ? { state: 'loading' } : { state: 'ready', value: recent }), retry }
}
