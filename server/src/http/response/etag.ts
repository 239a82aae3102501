/**
 * An entity tag encodes what a response depends on: the catalog's content hash, the URL, and the instant until which
 * the response is valid. So `If-None-Match` is checked without computing the response. Tags are weak, because one
 * tag stands for every content coding.
 */

/** A tag with its decoded parts. */
export interface ETag {
  readonly text: string
  readonly contentHash: string
  readonly validUntil: number
}

/** A short hash of a URL for a tag; `variant` is a setting that changes responses. */
export function hashUrl(url: string, variant: string): string {
  return fnv1a(fnv1a(0x811c9dc5, variant), url).toString(36)
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

/** FNV-1a from an initial or intermediate hash. */
function fnv1a(initial: number, text: string): number {
  let hash = initial
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
