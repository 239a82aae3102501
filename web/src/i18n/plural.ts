import type { Language } from './language.ts'

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
