import { type Locale, toAlpha2Language, toAlpha3Language } from '../../model/language.ts'
import regionCodes from './region-codes.json' with { type: 'json' }

/** ISO 3166-1 alpha-2 to alpha-3 and back. */
const regionAlpha3 = new Map(Object.entries(regionCodes))
const regionAlpha2 = new Map(Object.entries(regionCodes).map(([alpha2, alpha3]) => [alpha3, alpha2]))

/** The alpha-3 code of a region code of two or three letters; a UN M49 number such as `419` is kept. */
function toAlpha3Region(code: string): string | undefined {
  const upper = code.toUpperCase()
  if (/^\d{3}$/.test(upper)) return upper
  return regionAlpha2.has(upper) ? upper : regionAlpha3.get(upper)
}

/** The country code in lower case of a code of two or three letters in any case. */
export function parseCountry(code: string): string | undefined {
  const upper = code.trim().toUpperCase()
  // Unknown codes of two letters are accepted, since the table may be older than the country.
  const alpha2 = regionAlpha2.get(upper) ?? (upper === 'UK' ? 'GB' : upper)
  return /^[A-Z]{2}$/.test(alpha2) ? alpha2.toLowerCase() : undefined
}

/** Parses a BCP 47 tag such as `en`, `pt-BR`, `es-419` or `zh-Hant-TW`. A locale has no script, so that is dropped. */
export function parseLocale(tag: string): Locale | undefined {
  const [first = '', ...rest] = tag.trim().split(/[-_]/)
  const language = toAlpha3Language(first)
  if (language === undefined) return undefined
  const region = rest.map(toAlpha3Region).find((code) => code !== undefined)
  return region === undefined ? { language } : { language, region }
}

/** The ISO 639-1 code of the language of a BCP 47 tag. */
export function parseTagLanguage(tag: string | undefined): string | undefined {
  return toAlpha2Language(tag?.split(/[-_]/)[0] ?? '')
}

/** A text with the tag of its language, if it has one. */
export interface LocalText {
  readonly language: string | undefined
  readonly text: string
}

/** The English text, else one without a language, else the first. */
export function preferredText(texts: readonly LocalText[]): string | undefined {
  const preferred =
    texts.find(({ language }) => parseTagLanguage(language) === 'en') ??
    texts.find(({ language }) => language === undefined) ??
    texts[0]
  return preferred?.text
}

/** The first text of each language, by ISO 639-1 code. */
export function textsByLanguage(texts: readonly LocalText[]): ReadonlyMap<string, string> {
  const byLanguage = new Map<string, string>()
  for (const { language, text } of texts) {
    const code = parseTagLanguage(language)
    if (code !== undefined && !byLanguage.has(code)) byLanguage.set(code, text)
  }
  return byLanguage
}

/** The `translations` of a native record: every language with a title, except English. Undefined if there are none. */
export function buildTranslations(titles: readonly LocalText[], overviews: readonly LocalText[]): object | undefined {
  const overviewByLanguage = textsByLanguage(overviews)
  const translations = [...textsByLanguage(titles)]
    .filter(([language]) => language !== 'en')
    .map(([language, title]) => [language, { title, overview: overviewByLanguage.get(language) }])
  return translations.length === 0 ? undefined : Object.fromEntries(translations)
}
