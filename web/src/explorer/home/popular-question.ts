import type { Show } from 'marquee-client'
import type { Question } from '../../data/question.ts'
import type { Viewer } from '../../data/viewer.ts'

/** How many shows stand on the first shelf. */
const PLACES = 12

/** What is watched most in the viewer's country. */
export function popularQuestion({ country, language }: Viewer): Question<Show[]> {
  return {
    key: `home popular ${country} ${language}`,
    async ask(signal, client) {
      const wanted = { country, outputLanguage: language, orderBy: 'popularity_1week' } as const
      const { items } = await client.shows.filter(wanted, { signal }).page()
      return items.slice(0, PLACES)
    },
  }
}
