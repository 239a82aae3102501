/** The languages of the pages, by their own names. */
export const LANGUAGES = { en: 'English', es: 'Español', fr: 'Français', tr: 'Türkçe' } as const

export type Language = keyof typeof LANGUAGES

export function isLanguage(text: string | null): text is Language {
  return text !== null && Object.hasOwn(LANGUAGES, text)
}

type PluralForms = { readonly one: string; readonly other: string }

/**
 * Returns a function that picks the plural form for a number and puts the number in place of `#`. `Intl` objects are slow
 * to create, so they are created on first use, not while a page starts.
 */
export function plural(language: Language): (count: number, forms: PluralForms) => string {
  let rules: Intl.PluralRules | undefined
  let numbers: Intl.NumberFormat | undefined
  return (count, forms) => {
    rules ??= new Intl.PluralRules(language)
    numbers ??= new Intl.NumberFormat(language)
    return (rules.select(count) === 'one' ? forms.one : forms.other).replace('#', numbers.format(count))
  }
}
