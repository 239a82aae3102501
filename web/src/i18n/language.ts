import { signal } from '@preact/signals'

/** The languages of the pages, by their own names. */
export const LANGUAGES = { en: 'English', es: 'Español', fr: 'Français', tr: 'Türkçe' } as const

export type Language = keyof typeof LANGUAGES

/** The language that is shown. The URL decides; it changes here once the texts are there. */
export const language = signal<Language>('en')

export function isLanguage(text: string | null): text is Language {
  return text !== null && Object.hasOwn(LANGUAGES, text)
}
