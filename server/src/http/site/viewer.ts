import { VersionedCache } from '../../lib/versioned-cache.ts'
import { extractQueryString } from '../request/parameter-parser.ts'

/** The country and the language of a page view. */
export interface WebViewer {
  /** ISO 3166-1 alpha-2 in lower case. */
  readonly country: string
  readonly language: string
}

/** The available values. */
interface ViewerChoices {
  /** The countries of the catalog; none while it is empty. */
  readonly countries: readonly string[]
  /** The languages of the pages; the first is the default. */
  readonly languages: readonly string[]
}

/** Further entries of `Accept-Language` are ignored. */
const MAX_LANGUAGES = 20

/** Language, script, region and a variant. The time that `Intl.Locale` takes grows with the square of a tag's length. */
const LANGUAGE_TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,3}$/i

/** The viewer from the page's URL, with the guess as a fallback. */
export function resolveViewer(url: string, guess: WebViewer, { languages }: ViewerChoices): WebViewer {
  const query = new URLSearchParams(extractQueryString(url))
  const country = query.get('country')?.toLowerCase() ?? ''
  const language = query.get('lang') ?? ''
  return {
    country: /^[a-z]{2}$/.test(country) ? country : guess.country,
    language: languages.includes(language) ? language : guess.language,
  }
}

/** The viewer from `Accept-Language`: the region of a locale such as `en-GB`, or the likeliest one for `tr`. */
export function guessViewer(acceptLanguage: string | undefined, { countries, languages }: ViewerChoices): WebViewer {
  const locales = parseAcceptLanguage(acceptLanguage ?? '')
  const regions = locales.flatMap(({ region }) => region?.toLowerCase() ?? [])
  const spokenLanguages = locales.map(({ language }) => language)
  const defaultCountry = countries.length === 0 || countries.includes('us') ? 'us' : (countries[0] as string)
  return {
    country: regions.find((region) => countries.length === 0 || countries.includes(region)) ?? defaultCountry,
    language: spokenLanguages.find((language) => languages.includes(language)) ?? (languages[0] as string),
  }
}

/** The locales of an `Accept-Language` by descending weight; invalid ones and `*` are dropped. */
function parseAcceptLanguage(acceptLanguage: string): Intl.Locale[] {
  return acceptLanguage
    .split(',', MAX_LANGUAGES)
    .map((part) => {
      const [tag = '', weight = ''] = part.split(';')
      return { tag: tag.trim(), weight: Number(/q=([\d.]+)/.exec(weight)?.[1] ?? 1) }
    })
    .sort((a, b) => b.weight - a.weight)
    .flatMap(({ tag }) => parseLocale(tag) ?? [])
}

function parseLocale(tag: string): Intl.Locale | undefined {
  if (!LANGUAGE_TAG.test(tag)) return undefined
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
}

/** A country in a list of choices. */
interface NamedCountry {
  readonly code: string
  readonly name: string
}

/** Lists of country names by language; they only change when the catalog's countries do. */
export const countryNameCache = new VersionedCache<string, readonly NamedCountry[]>({
  name: 'country_names',
  maxBytes: 1024 * 1024,
  sizeOf: (names, key) => 2 * key.length + 100 * names.length,
})

/** The names of countries in a language, sorted by the rules of that language. */
export function countryNames(codes: readonly string[], language: string): readonly NamedCountry[] {
  return countryNameCache.getOrCompute(`${language} ${codes.join()}`, undefined, () => {
    const region = new Intl.DisplayNames([language], { type: 'region' })
    return codes
      .map((code) => ({ code, name: regionName(region, code) }))
      .sort((a, b) => a.name.localeCompare(b.name, language))
  })
}

function regionName(region: Intl.DisplayNames, code: string): string {
  try {
    return region.of(code.toUpperCase()) ?? code
  } catch {
    return code
  }
}
