import type { LineDigest } from './line-digest.ts'
import type { ShortenedLine } from './track-lists.ts'

/** A line that another thread has read, and digested. */
export interface PreparedLine {
  readonly digest: LineDigest | undefined
  /** The length of the line in bytes. */
  readonly size: number
  /** The line without its track lists, which the thread may have cut out already. */
  shorten(): ShortenedLine
}
