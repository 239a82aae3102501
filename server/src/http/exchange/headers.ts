import findMyWay, { type HTTPVersion } from 'find-my-way'
import type { Admission } from '../../accounts/metering/meter.ts'
import type { Plan } from '../../accounts/store/account-tables.ts'

/**
 * Response headers as they go over the wire, each line with its CRLF. Most headers of a response are those of the one
 * before; concatenating finished text is cheaper than building lists.
 */
export type HeaderBlock = string

export const JSON_TYPE = 'application/json; charset=utf-8'
export const NDJSON_TYPE = 'application/x-ndjson; charset=utf-8'
export const EVENT_STREAM_TYPE = 'text/event-stream; charset=utf-8'

const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/

/** One header line. Callers may write the text out themselves where the value cannot be invalid, as with numbers. */
export function formatHeader(name: string, value: string): HeaderBlock {
  if (INVALID_VALUE.test(value)) throw new TypeError(`The header ${name} cannot hold ${JSON.stringify(value)}`)
  return `${name}: ${value}\r\n`
}

/** Formats a list: name, value, name, value. */
export function formatHeaders(list: readonly string[]): HeaderBlock {
  let block = ''
  for (let i = 0; i < list.length; i += 2) block += formatHeader(list[i] as string, list[i + 1] as string)
  return block
}

/** The block as the list that Node's `writeHead` takes: name, value, name, value. */
export function toHeaderList(block: HeaderBlock): string[] {
  return block.split('\r\n').flatMap((line) => {
    const colon = line.indexOf(': ')
    return colon < 0 ? [] : [line.slice(0, colon), line.slice(colon + 2)]
  })
}

/** Whether the text can be the name of a header: the token of RFC 9110. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/.test(text)
}

/** A text of the request as a header can hold it: percent-encoded, cut after 64 characters. */
export function encodeHeaderText(text: string): string {
  // The cut may split a surrogate pair, and half of one cannot be encoded.
  return encodeURIComponent(text.slice(0, 64).replace(/[\ud800-\udbff]$/, ''))
}

/** The headers that carry API keys. */
export interface KeyHeaders {
  readonly direct: string
  /** Both accepted spellings; error messages name the first. */
  readonly marketplace: readonly [string, string]
}

/** The key headers for a marketplace's name. */
export function keyHeaders(marketplace: string): KeyHeaders {
  return { direct: 'X-API-Key', marketplace: [`X-${marketplace}-API-Key`, `X-${marketplace}API-Key`] }
}

/** The base paths of the API, by key source. */
export const BASE_PATHS = { direct: '/v4', marketplace: '' } as const

/** The methods of every path outside the platform. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS'

/** The methods of each path, for the header `Allow` of a 405. */
export interface AllowedMethods {
  /** Adds a path in the router's notation, with its methods in the notation of `Allow`. */
  add(path: string, methods: string): void
  /** The methods of the path that a URL names; undefined if there is no such path. */
  find(url: string): string | undefined
}

export function createAllowedMethods(maxParameterLength: number): AllowedMethods {
  const paths = findMyWay<HTTPVersion.V1>({ maxParamLength: maxParameterLength })
  return {
    add: (path, methods) => paths.on('GET', path, () => {}, methods),
    find: (url) => paths.find('GET', url)?.store as string | undefined,
  }
}

/** Stands for "no limit": the greatest integer of a structured header field (RFC 8941). */
const UNLIMITED_QUOTA = 999_999_999_999_999

/** The parts of the headers that all requests of a plan share within one second. */
interface SharedQuotaText {
  readonly now: number
  readonly resetsAt: number
  readonly granted: number
  /** The text before the used requests, between used and remaining ones, and after those. */
  readonly beforeUsed: string
  readonly beforeRemaining: string
  readonly afterRemaining: string
}

/** Formatted once a second for each plan instead of once a request. */
const sharedQuotaTexts = new WeakMap<Plan, SharedQuotaText>()

/** What is left of the plan, in this API's own headers and in the IETF's RateLimit headers. */
export function quotaHeaders(admission: Admission, now: number, refunded: boolean): HeaderBlock {
  const { rateRemaining } = admission
  const { granted, beforeUsed, beforeRemaining, afterRemaining } = sharedQuotaText(admission, now)
  const used = refunded ? admission.used - admission.cost : admission.used
  const quota = `${beforeUsed}${used}${beforeRemaining}${Math.max(0, granted - used)}${afterRemaining}`
  return rateRemaining === undefined ? `${quota}\r\n` : `${quota}, "rate";r=${rateRemaining};t=1\r\n`
}

/** The names of the headers in which a marketplace states the quota: limit, remaining requests, seconds to the reset. */
export const MARKETPLACE_QUOTA_HEADERS = [
  'X-RateLimit-Api-Request-Limit',
  'X-RateLimit-Api-Request-Remaining',
  'X-RateLimit-Api-Request-Reset',
] as const

/** The quota as clients of the public service read it from the marketplace. */
export function marketplaceQuotaHeaders(admission: Admission, now: number, refunded: boolean): HeaderBlock {
  const { plan, resetsAt } = admission
  const granted = plan.quota?.requests ?? UNLIMITED_QUOTA
  const used = refunded ? admission.used - admission.cost : admission.used
  const values = [granted, Math.max(0, granted - used), Math.max(0, resetsAt - now)]
  return MARKETPLACE_QUOTA_HEADERS.map((name, i) => `${name}: ${values[i]}\r\n`).join('')
}

function sharedQuotaText({ plan, resetsAt, periodSeconds }: Admission, now: number): SharedQuotaText {
  const cached = sharedQuotaTexts.get(plan)
  if (cached !== undefined && cached.now === now && cached.resetsAt === resetsAt) return cached
  const granted = plan.quota?.requests ?? UNLIMITED_QUOTA
  const policy = `"quota";q=${granted};w=${periodSeconds}${plan.rate === undefined ? '' : `, "rate";q=${plan.rate};w=1`}`
  const text = {
    now,
    resetsAt,
    granted,
    beforeUsed: `X-Quota-Granted: ${granted}\r\nX-Quota-Used: `,
    beforeRemaining: `\r\nX-Quota-Reset: ${resetsAt}\r\nRateLimit-Policy: ${policy}\r\nRateLimit: "quota";r=`,
    afterRemaining: `;t=${Math.max(0, resetsAt - now)}`,
  }
  sharedQuotaTexts.set(plan, text)
  return text
}
