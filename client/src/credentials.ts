import type { MarqueeOptions } from './options.ts'

/** Where a key was obtained: from the service itself, or from a marketplace. */
export type KeySource = 'direct' | 'marketplace'

/** Base URL of the requests, and the header with the key. */
export interface Credentials {
  readonly source: KeySource | undefined
  /** Without a slash at its end. */
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
}

const DEFAULT_BASE_URL = 'http://127.0.0.1:8080/v4'

/** Characters of a header name. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Finds base URL and header for the key. Throws a `TypeError` for invalid options. */
export function resolveCredentials(options: MarqueeOptions): Credentials {
  const { baseUrl = DEFAULT_BASE_URL, keyPrefix = 'mq-key-', marketplace = 'Market' } = options
  if (!TOKEN.test(marketplace)) {
    const given = JSON.stringify(marketplace)
    throw new TypeError(`The marketplace ${given} cannot be part of a header; it should be a name such as "Market"`)
  }
  const key = options.apiKey?.trim()
  if (key === undefined) {
    if (options.baseUrl === undefined)
      throw new TypeError('Give an apiKey, or the baseUrl of a service that needs none')
    return { source: undefined, base: parseBaseUrl(baseUrl), headers: {} }
  }
  // An environment variable that is not set is often an empty string.
  if (!/^[!-~]+$/.test(key)) throw new TypeError('The apiKey is empty, or holds characters that no key has')
  if (key.startsWith(keyPrefix)) return { source: 'direct', base: parseBaseUrl(baseUrl), headers: { 'X-API-Key': key } }
  return {
    source: 'marketplace',
    base: parseBaseUrl(options.marketplaceBaseUrl ?? baseUrl.replace(/\/v4\/*$/, '')),
    headers: { [`X-${marketplace}-API-Key`]: key },
  }
}

/** Checks a base URL and trims the slashes at its end. Throws a `TypeError` for an invalid one. */
export function parseBaseUrl(given: string): string {
  const base = given.replace(/\/+$/, '')
  const problem = baseUrlProblem(base)
  if (problem === undefined) return base
  // An address that may hold a password or a token is not quoted: errors end up in logs.
  const shown = /[@?#]/.test(base) ? '' : ` ${JSON.stringify(given)}`
  throw new TypeError(`The base address${shown} ${problem}; it should look like https://tv.example.com/v4`)
}

function baseUrlProblem(base: string): string | undefined {
  // Paths are appended to it.
  if (/[?#]/.test(base)) return 'has a ? or # in it'
  let url: URL
  try {
    // Some runtimes throw on access to `location`, and only a relative URL needs it.
    const page = /^\w+:/.test(base) ? undefined : globalThis.location?.href
    url = new URL(`${base}/`, page)
  } catch {
    return 'cannot be read as one'
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'does not begin with http:// or https://'
  // `fetch` refuses credentials in URLs.
  if (url.username !== '' || url.password !== '') return 'holds a user name or a password'
  return undefined
}
