import type { Show } from 'marquee-client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { marquee } from '../data/marquee.ts'
import { useAnswer } from '../data/use-answer.ts'
import { viewer } from '../data/viewer.ts'

/** Long enough that a quick typist sends one request a word, short enough not to be felt. */
const PAUSE_MS = 90

/** What the service finds for a title, with what it found before while the next answer is on its way. */
export function useTitleSearch(text: string) {
  const { country, language } = viewer.value
  const title = useSettled(text.trim())
  const key = title === '' ? undefined : `title ${country} ${language} ${title}`
  const answer = useAnswer(key, (signal) =>
    marquee.shows.search({ title, country, outputLanguage: language }, { signal }),
  )
  const last = useRef<Show[]>([])
  if (answer.state === 'ready') last.current = answer.value
  if (key === undefined) last.current = []
  return { answer, shows: answer.state === 'failed' ? [] : last.current }
}

/** A text once it has rested for a moment. An empty one counts at once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return text === '' ? '' : settled
}
