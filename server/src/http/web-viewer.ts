import { searchOf } from './query-string.ts'

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
const MOST_LANGUAGES = 20

/** The viewer as the address of a page names it, and the guess for what it leaves open. */
export function viewerOf(url: string, guess: WebViewer, { languages }: ViewerChoices): WebViewer {
  const query = new URLSearchParams(searchOf(url))
  const country = query.get('country')?.toLowerCase() ?? ''
  const language = query.get('lang') ?? ''
  return {
    country: /^[a-z]{2}$/.test(country) ? country : guess.country,
    language: languages.includes(language) ? language : guess.language,
  }
}

/** The viewer by what the browser says of the reader's languages: `en-GB`, or the likeliest country of `tr`. */
export function guessViewer(acceptLanguage: string | undefined, { countries, languages }: ViewerChoices): WebViewer {
  const wanted = wantedLanguages(acceptLanguage ?? '')
  const regions = wanted.flatMap(({ region }) => region?.toLowerCase() ?? [])
  const spoken = wanted.map(({ language }) => language)
  const usual = countries.length === 0 || countries.includes('us') ? 'us' : (countries[0] as string)
  return {
    country: regions.find((region) => countries.length === 0 || countries.includes(region)) ?? usual,
    language: spoken.find((language) => languages.includes(language)) ?? (languages[0] as string),
  }
}

/** The locales of an `Accept-Language`, the dearest first. What is no locale, such as `*`, is left out. */
function wantedLanguages(acceptLanguage: string): Intl.Locale[] {
  return acceptLanguage
    .split(',', MOST_LANGUAGES)
    .map((part) => {
      const [tag = '', weight = ''] = part.split(';')
      return { tag: tag.trim(), weight: Number(/q=([\d.]+)/.exec(weight)?.[1] ?? 1) }
    })
    .sort((a, b) => b.weight - a.weight)
    .flatMap(({ tag }) => localeOf(tag) ?? [])
}

function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
}
