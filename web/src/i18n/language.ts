import { signal } from '@preact/signals'

/** The languages of the pages, by their own names. */
export const LANGUAGES = { en: 'English', es: 'Español', fr: 'Français', tr: 'Türkçe' } as const

export type Language = keyof typeof LANGUAGES

/** The language that is shown. The URL decides; it changes here once the texts are there. */
export const language = signal<Language>('en')

export function isLanguage(text: string | null): text is Language {
  return text !== null && Object.hasOwn(LANGUAGES, text)
}

/** The first of the reader's languages that the pages speak. */
export function guessLanguage(wanted: readonly string[] = navigator.languages): Language {
  for (const tag of wanted) {
    const code = tag.slice(0, 2).toLowerCase()
    if (isLanguage(code)) return code
  }
  return 'en'
}
