import { createHash } from 'node:crypto'
import type { WaitingLine } from './feed-records.ts'

/** Tells readings of a feed apart that did not find the same lines in the same order. */
export class FeedFingerprint {
  private readonly hash = createHash('sha256')

  add(line: WaitingLine): void {
    if ('text' in line) this.hash.update(line.wording?.words ?? line.text)
    else this.hash.update(`${line.line} ${'problem' in line ? line.problem : line.note}`)
    this.hash.update('\n')
  }

  /** The fingerprint of all lines so far. */
  digest(): string {
    return this.hash.copy().digest('base64')
  }
}
