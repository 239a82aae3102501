import { regionName } from '../i18n/formats.ts'
import { language } from '../i18n/language.ts'
import { catalogFacts } from './catalog-facts.ts'

/**
 * The countries of the catalog by their names in the shown language. The service sends them in the language that a
 * visit begins with: naming and sorting them here takes a slow phone a quarter of a second.
 */
export function countryNames(): readonly { readonly code: string; readonly name: string }[] {
  const { countries, language: named } = catalogFacts.value
  if (named === language.value) return countries
  return countries
    .map(({ code }) => ({ code, name: regionName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name, language.value))
}
