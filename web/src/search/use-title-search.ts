import type { Show } from 'marquee-client'
import { useRef } from 'preact/hooks'
import { marquee } from '../data/marquee.ts'
import { useAnswer } from '../data/use-answer.ts'
import { viewer } from '../data/viewer.ts'
import { useSettled } from '../ui/use-settled.ts'

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
  // While one types on, what is known is about another text.
  const isOfText = answer.state === 'ready' && title === text.trim()
  return { answer, isOfText, shows: answer.state === 'failed' ? [] : last.current }
}
