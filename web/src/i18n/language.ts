/** The languages of the pages, by their own names. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
  sv: 'Svenska',
  tr: 'Türkçe',
  ja: '日本語',
  ko: '한국어',
} as const

export type Language = keyof typeof LANGUAGES

export function isLanguage(text: string | null): text is Language {
  return text !== null && Object.hasOwn(LANGUAGES, text)
}

/** The forms of a text by the plural categories of a language; `other` is the one for all that are absent. */
type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

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
    return (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count))
  }
}
