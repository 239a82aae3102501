import type { IncomingMessage } from 'node:http'
import { isOutputLanguage } from '../../model/language.ts'
import { isSameOrigin, ServiceCookie } from '../request/client.ts'
import { extractQueryString } from '../request/parameter-parser.ts'

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
