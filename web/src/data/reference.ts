import type { Country, Genre } from 'marquee-client'
import type { Answer } from './answer.ts'
import { countryQuestion } from './country-question.ts'
import { marquee } from './marquee.ts'
import { useAnswer } from './use-answer.ts'
import { viewer } from './viewer.ts'

/** All countries of the catalog, named in the viewer's language. */
export function useCountries(): Answer<Country[]> & { readonly retry: () => void } {
  const { language } = viewer.value
  return useAnswer(`countries ${language}`, (signal) =>
    marquee.countries.list({ outputLanguage: language }, { signal }),
  )
}

/** The viewer's country with its services. */
export function useCountry(): Answer<Country> & { readonly retry: () => void } {
  const { key, ask } = countryQuestion(viewer.value)
  return useAnswer(key, ask)
}

/** All genres, named in the viewer's language. */
export function useGenres(): Answer<Genre[]> & { readonly retry: () => void } {
  const { language } = viewer.value
  return useAnswer(`genres ${language}`, (signal) => marquee.genres.list({ outputLanguage: language }, { signal }))
}
