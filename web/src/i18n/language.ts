import { signal } from '@preact/signals'

/** The languages of the pages, by their own names. */
export const LANGUAGES = { en: 'English', es: 'Español', fr: 'Français', tr: 'Türkçe' } as const

export type Language = keyof typeof LANGUAGES

/** The language that is shown. The URL decides; it changes here once the texts are there. */
export const language = signal<Language>('en')

export function isLanguage(text: string | null): text is Language {
  return text !== null && Object.hasOwn(LANGUAGES, text)
}

type Forms = { readonly one: string; readonly other: string }

/**
 * The form of a text that goes with a number: `#` in it stands for the number, written as the language does. What that
 * takes is dear to make, so it is made when it is first needed, and not while a page starts.
 */
export function plural(language: Language): (count: number, forms: Forms) => string {
  let rules: Intl.PluralRules | undefined
  let numbers: Intl.NumberFormat | undefined
  return (count, forms) => {
    rules ??= new Intl.PluralRules(language)
    numbers ??= new Intl.NumberFormat(language)
    return (rules.select(count) === 'one' ? forms.one : forms.other).replace('#', numbers.format(count))
  }
}
