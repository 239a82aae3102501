import { isAscii } from 'node:buffer'
import { createHash } from 'node:crypto'
import { DIGEST_LENGTH } from '../../catalog/documents/seen-records.ts'
import type { FeedLine, TextLine } from './feed-lines.ts'

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

/** Most records name their ids in this many bytes. */
const HEAD_BYTES = 256

/** The digest of a line; undefined if the line names no show id. */
export function digestLine(line: TextLine): LineDigest | undefined {
  const idHint = findIdHint(line)
  return idHint === undefined ? undefined : { digest: hashText(line.bytes ?? line.text, DIGEST_LENGTH), idHint }
}

function findIdHint(line: TextLine): string | undefined {
  const head = line.bytes?.subarray(0, HEAD_BYTES)
  const inHead = head !== undefined && isAscii(head) ? ANY_ID.exec(head.toString('latin1'))?.[1] : undefined
  return inHead ?? ANY_ID.exec(line.text)?.[1]
}

/** The first bytes of the SHA-256 hash of a text, which may be given in UTF-8. */
export function hashText(text: string | Buffer, length: number): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, length)
}

/** A running hash over the lines of a feed: two passes over equal lines in equal order have the same fingerprint. */
export class FeedFingerprint {
  private readonly hash = createHash('sha256')

  /** Adds a line, by its digest if it has one. */
  add(line: FeedLine, lineDigest: LineDigest | undefined): void {
    if ('text' in line) this.hash.update(lineDigest?.digest ?? line.bytes ?? line.text)
    else this.hash.update(`${line.line} ${'problem' in line ? line.problem : line.note}`)
    this.hash.update('\n')
  }

  /** The fingerprint of all lines so far. */
  digest(): string {
    return this.hash.copy().digest('base64')
  }
}
