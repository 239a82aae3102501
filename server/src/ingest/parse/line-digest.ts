import { createHash } from 'node:crypto'
import { DIGEST_LENGTH } from '../../catalog/documents/seen-records.ts'
import type { FeedLine } from './feed-lines.ts'

/** The hash of a line's exact text. */
export interface LineDigest {
  readonly digest: Buffer
  /** The first show id in the line, by which the catalog finds the records that it has seen of that show. */
  readonly idHint: string
}

/** The digest of a record's line, and of all else that the result of parsing it depends on. */
export interface RecordDigest extends LineDigest {
  readonly context: Buffer
}

const ANY_ID = /"(?:id|imdbId|tmdbId)"\s*:\s*"([^"\\]{1,40})"/

/** The digest of a line; undefined if the line names no show id. */
export function digestLine(text: string): LineDigest | undefined {
  const idHint = ANY_ID.exec(text)?.[1]
  return idHint === undefined ? undefined : { digest: hashText(text, DIGEST_LENGTH), idHint }
}

/** The first bytes of the SHA-256 hash of a text. */
export function hashText(text: string, length: number): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, length)
}

/** A running hash over the lines of a feed: two passes over equal lines in equal order have the same fingerprint. */
export class FeedFingerprint {
  private readonly hash = createHash('sha256')

  /** Adds a line, by its digest if it has one. */
  add(line: FeedLine, lineDigest: LineDigest | undefined): void {
    if ('text' in line) this.hash.update(lineDigest?.digest ?? line.text)
    else this.hash.update(`${line.line} ${'problem' in line ? line.problem : line.note}`)
    this.hash.update('\n')
  }

  /** The fingerprint of all lines so far. */
  digest(): string {
    return this.hash.copy().digest('base64')
  }
}
