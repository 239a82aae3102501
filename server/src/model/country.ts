import type { OutputLanguage } from './language.ts'

/** A country of the catalog: names that feeds gave it, and its services, most popular first. */
export interface Country {
  readonly code: string
  readonly names: Readonly<Record<string, string>>
  readonly services: readonly string[]
}

/** The lower-case form in which the catalog stores country codes. */
export function normalizeCountryCode(code: string): string {
  return code.toLowerCase()
}

/** Whether the code has the form of an ISO 3166-1 alpha-2 code, in lower case. */
export function isCountryCode(code: string): boolean {
  return /^[a-z]{2}$/.test(code)
}

/** Codes that are in use for a country beside its ISO 3166-1 code. */
const OTHER_CODES: Readonly<Record<string, string>> = { uk: 'gb', el: 'gr' }

/** The ISO 3166-1 code of the country that a code of another standard means; undefined for all other codes. */
export function isoCountryCode(code: string): string | undefined {
  return Object.hasOwn(OTHER_CODES, code) ? OTHER_CODES[code] : undefined
}

const displayNames = new Map<string, Intl.DisplayNames>()

/** The country's name in a language: from feeds, else from the Unicode locale data. */
export function countryName(country: Country, language: OutputLanguage): string {
  const stated = country.names[language]
  if (stated !== undefined) return stated
  let names = displayNames.get(language)
  if (names === undefined) {
    names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    displayNames.set(language, names)
  }
  return names.of(country.code.toUpperCase()) ?? country.names.en ?? country.code.toUpperCase()
}
