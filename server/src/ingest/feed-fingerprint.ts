import { createHash } from 'node:crypto'
import type { FeedLine } from './feed-lines.ts'
import type { Wording } from './wording.ts'

/** Tells readings of a feed apart that did not find the same lines in the same order. */
export class FeedFingerprint {
  private readonly hash = createHash('sha256')

  /** Takes a line as it was read, with its wording, if it has one: that stands for all of its text. */
  add(line: FeedLine, wording: Wording | undefined): void {
    if ('text' in line) this.hash.update(wording?.words ?? line.text)
    else this.hash.update(`${line.line} ${'problem' in line ? line.problem : line.note}`)
    this.hash.update('\n')
  }

  /** The fingerprint of all lines so far. */
  digest(): string {
    return this.hash.copy().digest('base64')
  }
}
