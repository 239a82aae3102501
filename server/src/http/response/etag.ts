/**
 * Entity tags name what an answer depends on: the catalog's edition, the URL, and the instant until which time alone
 * does not alter it. So a tag that comes back tells by itself whether the answer still holds, and nothing has to be
 * computed to find out. They are weak, because the same tag stands for every content coding.
 */

/** A tag, with what has to hold so that it does. */
export interface ETag {
  readonly text: string
  readonly contentHash: string
  readonly validUntil: number
}

/** A short hash of a URL, as tags carry it. */
export function hashUrl(url: string, variant: string): string {
  return fnv1a(fnv1a(0x811c9dc5, variant), url).toString(36)
}

/** The tag of an answer. */
export function formatETag(edition: string, hash: string, validUntil: number): string {
  const until = validUntil === Infinity ? '-' : validUntil.toString(36)
  return flattenString(`W/"${edition}-${hash}-${until}"`)
}

/** The first tag of an `If-None-Match` header that still holds for the URL, in the form in which answers send it. */
export function findFreshETag(ifNoneMatch: string, edition: string, hash: string, now: number): string | undefined {
  const prefix = `"${edition}-${hash}-`
  for (let start = ifNoneMatch.indexOf(prefix); start !== -1; start = ifNoneMatch.indexOf(prefix, start + 1)) {
    const end = ifNoneMatch.indexOf('"', start + 1)
    if (end === -1) return undefined
    if (now < parseValidUntil(ifNoneMatch.slice(start + prefix.length, end)))
      return `W/${ifNoneMatch.slice(start, end + 1)}`
  }
  return undefined
}

/** A tag of ours, read again: the instant until which it holds is its last part. */
export function parseETag(text: string, edition: string): ETag {
  return {
    text: flattenString(text),
    contentHash: edition,
    validUntil: parseValidUntil(text.slice(text.lastIndexOf('-', text.length - 3) + 1, -1)),
  }
}

/** Whether an `If-None-Match` header holds the tag, or any tag; weak and strong forms count as equal. */
export function matchesETag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.includes(etag.startsWith('W/') ? etag.slice(2) : etag)
}

/** The instant that the last part of a tag stands for; NaN, which nothing is before, where it is none. */
function parseValidUntil(text: string): number {
  if (text === '-') return Infinity
  return /^[0-9a-z]{1,11}$/.test(text) ? Number.parseInt(text, 36) : Number.NaN
}

/**
 * The same text, stored in one piece. A text that was put together is kept as its parts, and what is done to it again and
 * again, comparing and checking it as a header, takes a slow way each time.
 */
function flattenString(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

/** FNV-1a, continued from a former hash. */
function fnv1a(start: number, text: string): number {
  let hash = start
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
