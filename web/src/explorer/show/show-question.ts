import type { Show } from 'marquee-client'
import type { Question } from '../../data/question.ts'
import type { Viewer } from '../../data/viewer.ts'

/** A show as the viewer can watch it, by an id as it stands in the address. */
export function showQuestion({ country, language }: Viewer, id: string): Question<Show> {
  return {
    key: `show ${id} ${country} ${language}`,
    ask: (signal, client) =>
      client.shows.get(decodeURIComponent(id), { country, outputLanguage: language }, { signal }),
  }
}
