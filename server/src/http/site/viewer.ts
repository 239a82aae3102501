import { extractQueryString } from '../request/parameter-parser.ts'

/** For whom a page is: where the viewer is, and which language the viewer reads. */
export interface WebViewer {
  /** ISO 3166-1 alpha-2 in lower case. */
  readonly country: string
  readonly language: string
}

/** What there is to choose from. */
export interface ViewerChoices {
  /** The countries of the catalog; none as long as it is empty. */
  readonly countries: readonly string[]
  /** The languages of the pages; the first is for whoever reads none of them. */
  readonly languages: readonly string[]
}

/** More languages than these are not looked at. */
const MAX_LANGUAGES = 20

/** The viewer as the address of a page names it, and the guess for what it leaves open. */
export function resolveViewer(url: string, guess: WebViewer, { languages }: ViewerChoices): WebViewer {
  const query = new URLSearchParams(extractQueryString(url))
  const country = query.get('country')?.toLowerCase() ?? ''
  const language = query.get('lang') ?? ''
  return {
    country: /^[a-z]{2}$/.test(country) ? country : guess.country,
    language: languages.includes(language) ? language : guess.language,
  }
}

/** The viewer by what the browser says of the reader's languages: `en-GB`, or the likeliest country of `tr`. */
export function guessViewer(acceptLanguage: string | undefined, { countries, languages }: ViewerChoices): WebViewer {
  const wanted = parseAcceptLanguage(acceptLanguage ?? '')
  const regions = wanted.flatMap(({ region }) => region?.toLowerCase() ?? [])
  const spoken = wanted.map(({ language }) => language)
  const usual = countries.length === 0 || countries.includes('us') ? 'us' : (countries[0] as string)
  return {
    country: regions.find((region) => countries.length === 0 || countries.includes(region)) ?? usual,
    language: spoken.find((language) => languages.includes(language)) ?? (languages[0] as string),
  }
}

/** The locales of an `Accept-Language`, the dearest first. What is no locale, such as `*`, is left out. */
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
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
}

/** A country as people choose it. */
export interface NamedCountry {
  readonly code: string
  readonly name: string
}

const countryNameCache = new Map<string, readonly NamedCountry[]>()

/** Countries by their names in a language, in the order of that language. */
export function countryNames(codes: readonly string[], language: string): readonly NamedCountry[] {
  const key = `${language} ${codes.join()}`
  let names = countryNameCache.get(key)
  if (names === undefined) {
    // The list changes only when a catalog gets another country.
    if (countryNameCache.size > 20) countryNameCache.clear()
    const region = new Intl.DisplayNames([language], { type: 'region' })
    names = codes
      .map((code) => ({ code, name: regionName(region, code) }))
      .sort((a, b) => a.name.localeCompare(b.name, language))
    countryNameCache.set(key, names)
  }
  return names
}

function regionName(region: Intl.DisplayNames, code: string): string {
  try {
    return region.of(code.toUpperCase()) ?? code
  } catch {
    return code
  }
}
