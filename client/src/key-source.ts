import { baseAddress } from './base-address.ts'
import type { MarqueeOptions } from './options.ts'

/** Where a key was obtained: from the service itself, or from a marketplace. */
export type KeySource = 'direct' | 'marketplace'

/** Where requests go, and the header that carries the key. */
export interface Route {
  readonly source: KeySource | undefined
  /** Without a slash at its end. */
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
}

const USUAL_BASE = 'http://127.0.0.1:8080/v4'

/** What the name of a header can be made of. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Finds out where a key belongs. Throws a `TypeError` for options that can never work. */
export function routeOf(options: MarqueeOptions): Route {
  const { baseUrl = USUAL_BASE, keyPrefix = 'mq-key-', marketplace = 'Market' } = options
  if (!TOKEN.test(marketplace)) {
    const given = JSON.stringify(marketplace)
    throw new TypeError(`The marketplace ${given} cannot be part of a header; it should be a name such as "Market"`)
  }
  const key = options.apiKey?.trim()
  if (key === undefined) {
    if (options.baseUrl === undefined)
      throw new TypeError('Give an apiKey, or the baseUrl of a service that needs none')
    return { source: undefined, base: baseAddress(baseUrl), headers: {} }
  }
  // A variable that was never set often arrives as an empty text.
  if (!/^[!-~]+$/.test(key)) throw new TypeError('The apiKey is empty, or holds characters that no key has')
  if (key.startsWith(keyPrefix)) return { source: 'direct', base: baseAddress(baseUrl), headers: { 'X-API-Key': key } }
  return {
    source: 'marketplace',
    base: baseAddress(options.marketplaceBaseUrl ?? baseUrl.replace(/\/v4\/*$/, '')),
    headers: { [`X-${marketplace}-API-Key`]: key },
  }
}
