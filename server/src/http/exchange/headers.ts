import findMyWay, { type HTTPVersion } from 'find-my-way'
import type { Admission } from '../../accounts/keys/meter.ts'
import type { Plan } from '../../accounts/store/account-tables.ts'
import { hashText } from '../../lib/text/hash-text.ts'

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

/**
 * An entity tag with its decoded parts. It encodes what a response depends on: the catalog's content hash, the URL, and the
 * instant until which the response is valid. So `If-None-Match` is checked without computing the response. Tags are weak,
 * because one tag stands for every content coding.
 */
export interface ETag {
  readonly text: string
  readonly contentHash: string
  readonly validUntil: number
}

/** A short hash of a URL for a tag; `variant` is a setting that changes responses. */
export function hashUrl(url: string, variant: string): string {
  return hashText(url, hashText(variant)).toString(36)
}

/** The tag of a response. */
export function formatETag(contentHash: string, hash: string, validUntil: number): string {
  const until = validUntil === Infinity ? '-' : validUntil.toString(36)
  return flattenString(`W/"${contentHash}-${hash}-${until}"`)
}

/** The first tag of an `If-None-Match` header that is fresh for the URL, in the form in which responses carry it. */
export function findFreshETag(ifNoneMatch: string, contentHash: string, hash: string, now: number): string | undefined {
  const prefix = `"${contentHash}-${hash}-`
  for (let start = ifNoneMatch.indexOf(prefix); start !== -1; start = ifNoneMatch.indexOf(prefix, start + 1)) {
    const end = ifNoneMatch.indexOf('"', start + 1)
    if (end === -1) return undefined
    if (now < parseValidUntil(ifNoneMatch.slice(start + prefix.length, end)))
      return `W/${ifNoneMatch.slice(start, end + 1)}`
  }
  return undefined
}

/** Parses a tag of this service; its last part is the instant until which it is valid. */
export function parseETag(text: string, contentHash: string): ETag {
  return {
    text: flattenString(text),
    contentHash: contentHash,
    validUntil: parseValidUntil(text.slice(text.lastIndexOf('-', text.length - 3) + 1, -1)),
  }
}

/** Whether an `If-None-Match` header contains the tag or is `*`; weak and strong forms count as equal. */
export function matchesETag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.includes(etag.startsWith('W/') ? etag.slice(2) : etag)
}

/** The instant in the last part of a tag; NaN, which compares false with everything, if it is malformed. */
function parseValidUntil(text: string): number {
  if (text === '-') return Infinity
  return /^[0-9a-z]{1,11}$/.test(text) ? Number.parseInt(text, 36) : Number.NaN
}

/**
 * A flat copy of a string. V8 keeps a concatenation as a tree of its parts, and comparing or validating that takes a
 * slow path each time; see lib/runtime-hacks/README.md.
 */
function flattenString(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}
