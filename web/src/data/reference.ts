import type { Country, Genre } from 'marquee-client'
import type { Answer } from './answer.ts'
import { askOnce } from './answers-ahead.ts'
import { countryQuestion } from './country-question.ts'
import type { Question } from './question.ts'
import { useAnswer } from './use-answer.ts'
import { viewer } from './viewer.ts'

/** The viewer's country with its services. Several parts of a page want it, and it is asked for once. */
export function useCountry(): Answer<Country> & { readonly retry: () => void } {
  const question = countryQuestion(viewer.value)
  return useAnswer(question.key, () => askOnce(question))
}

/** All genres, named in the viewer's language; asked for once as well. */
export function useGenres(): Answer<Genre[]> & { readonly retry: () => void } {
  const { language } = viewer.value
  const question: Question<Genre[]> = {
    key: `genres ${language}`,
    ask: (signal, client) => client.genres.list({ outputLanguage: language }, { signal }),
  }
  return useAnswer(question.key, () => askOnce(question))
}
