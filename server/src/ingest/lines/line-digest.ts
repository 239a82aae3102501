import { isAscii } from 'node:buffer'
import { hash } from 'node:crypto'
import { DIGEST_LENGTH } from '../../catalog/documents/seen-records.ts'

/** The hash of a line's exact text. */
export interface LineDigest {
  readonly digest: Buffer
  /** The first show id in the line, by which the catalog finds the records that it has seen of that show. */
  readonly idHint: string
}

/** The text of a line, which may be there in UTF-8, too. */
interface LineText {
  readonly text: string
  readonly bytes?: Buffer
}

const ANY_ID = /"(?:id|imdbId|tmdbId)"\s*:\s*"([^"\\]{1,40})"/

/** Most records name their ids in this many bytes. */
const HEAD_BYTES = 256

/** The digest of a line; undefined if the line names no show id. */
export function digestLine(line: LineText): LineDigest | undefined {
  const idHint = findIdHint(line)
  return idHint === undefined ? undefined : { digest: sha256Prefix(line.bytes ?? line.text, DIGEST_LENGTH), idHint }
}

function findIdHint(line: LineText): string | undefined {
  const head = line.bytes?.subarray(0, HEAD_BYTES)
  const inHead = head !== undefined && isAscii(head) ? ANY_ID.exec(head.toString('latin1'))?.[1] : undefined
  return inHead ?? ANY_ID.exec(line.text)?.[1]
}

/** The first bytes of the SHA-256 hash of a text, which may be given in UTF-8. */
export function sha256Prefix(text: string | Buffer, length: number): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, length)
}
