import type { IncomingMessage } from 'node:http'
import { VersionedCache } from '../../lib/cache.ts'
import { isOutputLanguage } from '../../model/language.ts'
import { isSameOrigin, ServiceCookie } from '../request/client.ts'
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

/** A list of country names, and the same as JSON. */
interface CountryNames {
  readonly list: readonly NamedCountry[]
  readonly json: string
}

/** Lists of country names by language; they only change when the catalog's countries do. */
export const countryNameCache = new VersionedCache<string, CountryNames>({
  name: 'country_names',
  maxBytes: 1024 * 1024,
  sizeOf: ({ list, json }, key) => 2 * (key.length + json.length) + 100 * list.length,
})

/** The names of countries in a language, sorted by the rules of that language. */
export function countryNames(codes: readonly string[], language: string): CountryNames {
  return countryNameCache.getOrCompute(`${language} ${codes.join()}`, undefined, () => {
    const region = new Intl.DisplayNames([language], { type: 'region' })
    const list = codes
      .map((code) => ({ code, name: regionName(region, code) }))
      .sort((a, b) => a.name.localeCompare(b.name, language))
    return { list, json: JSON.stringify(list) }
  })
}

function regionName(region: Intl.DisplayNames, code: string): string {
  try {
    return region.of(code.toUpperCase()) ?? code
  } catch {
    return code
  }
}

/** What a viewer has chosen once, for all pages. */
export interface Preferences {
  readonly country?: string
  /** The language of the pages. */
  readonly language?: string
  /** The language of titles and stories, if it is another one than that of the pages. */
  readonly titles?: string
  /** The ids of the services that the viewer has. */
  readonly services: readonly string[]
  /** The colours; those of the system if absent. */
  readonly theme?: 'light' | 'dark'
}

/** The page on which preferences are set. Its form comes back to it with the field `save`. */
const SETTINGS_PATH = '/settings'

const COOKIE_SECONDS = 365 * 86_400

/** The cookie of the preferences. */
export function createPreferencesCookie(secure: boolean): ServiceCookie {
  return new ServiceCookie('marquee_preferences', { seconds: COOKIE_SECONDS, secure })
}

/** The script of the pages sets it. */
const timeZoneCookie = new ServiceCookie('marquee_time_zone', { seconds: COOKIE_SECONDS, secure: false })

const MAX_SERVICES = 60
const SERVICE_ID = /^[\w-]{1,40}$/

/** The preferences in the cookie of a request; undefined if the viewer has neither set nor skipped them. */
export function readPreferences(
  preferences: ServiceCookie,
  { headers }: Pick<IncomingMessage, 'headers'>,
  languages: readonly string[],
): Preferences | undefined {
  const cookie = preferences.parse(headers.cookie)
  return cookie === undefined ? undefined : parsePreferences(new URLSearchParams(cookie), languages)
}

/** The time zone that the script of a former page has put into a cookie; undefined if there is none, or no such zone. */
export function readTimeZone({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const name = timeZoneCookie.parse(headers.cookie) ?? ''
  return knownTimeZones().has(name) ? name : undefined
}

let timeZones: ReadonlySet<string> | undefined

function knownTimeZones(): ReadonlySet<string> {
  timeZones ??= new Set(Intl.supportedValuesOf('timeZone'))
  return timeZones
}

/**
 * The redirect after the settings form was sent: `Location` and `Set-Cookie`. Undefined for other requests, and for those
 * of other sites, which could change a viewer's preferences with a link.
 */
export function savePreferences(
  preferences: ServiceCookie,
  req: Pick<IncomingMessage, 'url' | 'headers'>,
  languages: readonly string[],
  publicOrigin?: string,
): readonly string[] | undefined {
  const { url = '' } = req
  if (url.split('?', 1)[0] !== SETTINGS_PATH) return undefined
  const form = new URLSearchParams(extractQueryString(url))
  const save = form.get('save')
  if (save === null || !isSameOrigin(req, publicOrigin)) return undefined
  const value = formatPreferences(save === 'skip' ? { services: [] } : parsePreferences(form, languages))
  return ['Location', save === 'skip' ? '/' : `${SETTINGS_PATH}?saved=1`, 'Set-Cookie', preferences.serialize(value)]
}

/** Reads preferences from a form or from the cookie. What makes no sense is left out. */
function parsePreferences(form: URLSearchParams, languages: readonly string[]): Preferences {
  const country = form.get('country')?.toLowerCase() ?? ''
  const language = form.get('lang') ?? ''
  const titles = form.get('titles') ?? ''
  const theme = form.get('theme')
  const services = form.getAll('services').flatMap((text) => text.split(','))
  return {
    services: [...new Set(services)].filter((id) => SERVICE_ID.test(id)).slice(0, MAX_SERVICES),
    ...(/^[a-z]{2}$/.test(country) && { country }),
    ...(languages.includes(language) && { language }),
    ...(isOutputLanguage(titles) && { titles }),
    ...((theme === 'light' || theme === 'dark') && { theme }),
  }
}

function formatPreferences({ services, language, ...rest }: Preferences): string {
  const entries = { ...rest, lang: language, services: services.join() }
  return new URLSearchParams(
    Object.entries(entries).filter((entry): entry is [string, string] => !!entry[1]),
  ).toString()
}
