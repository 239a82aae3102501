import type { Language } from './language.ts'

type Forms = { readonly one: string; readonly other: string }

/** The form of a text that goes with a number: `#` in it stands for the number, written as the language does. */
export function plural(language: Language): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (count, forms) => (rules.select(count) === 'one' ? forms.one : forms.other).replace('#', numbers.format(count))
}
