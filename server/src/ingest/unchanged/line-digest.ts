import { createHash } from 'node:crypto'
import type { Catalog } from '../../catalog/catalog.ts'
import { CONTEXT_LENGTH, DIGEST_LENGTH, type SeenRecord } from '../../catalog/documents/seen-records.ts'
import type { FeedLine } from '../parse/feed-lines.ts'
import type { FeedHeader } from '../parse/feed-record.ts'
import type { ReferenceBuilder } from '../parse/reference-builder.ts'

/** The exact words of a line of a feed. */
export interface LineDigest {
  readonly words: Buffer
  /** An id that the line holds, to find by what was told in these words before. */
  readonly hint: string
}

/** The words of a statement, and what their meaning depends on. */
export interface RecordDigest extends LineDigest {
  readonly context: Buffer
}

/**
 * To be raised whenever the same words come to mean something else to this program: when shows are read, recognised or
 * merged in another way. What catalogs were told before is then listened to again.
 */
const PARSER_VERSION = 2

const ANY_ID = /"(?:id|imdbId|tmdbId)"\s*:\s*"([^"\\]{1,40})"/

/** The wording of a line, unless it cannot be about a show that has an id. */
export function digestLine(text: string): LineDigest | undefined {
  const hint = ANY_ID.exec(text)?.[1]
  return hint === undefined ? undefined : { words: hashText(text, DIGEST_LENGTH), hint }
}

/** Recognises lines that a catalog was told before, word for word, and that mean the same as then. */
export class UnchangedDetector {
  private readonly catalog: Catalog
  private readonly reference: ReferenceBuilder
  private readonly now: number
  private last: { readonly header: FeedHeader; readonly addons: string; readonly context: Buffer } | undefined

  constructor(catalog: Catalog, reference: ReferenceBuilder, now: number) {
    this.catalog = catalog
    this.reference = reference
    this.now = now
  }

  /** Whether the catalog was told so before, whatever it meant. */
  isSeen(wording: LineDigest): boolean {
    return this.told(wording) !== undefined
  }

  /** What the catalog was told before in these words, if it means the same now. */
  findUnchanged(wording: LineDigest, header: FeedHeader): SeenRecord | undefined {
    const findSeen = this.told(wording)
    return findSeen !== undefined && findSeen.validUntil > this.now && findSeen.context.equals(this.context(header))
      ? findSeen
      : undefined
  }

  /**
   * Names all that the meaning of a statement depends on beside its words and the time: who makes it, about what,
   * and the addons that there are. Services and genres matter as well, but those that are known stay so.
   */
  context(header: FeedHeader): Buffer {
    const addons = this.reference.addonFingerprint()
    if (this.last?.header !== header || this.last.addons !== addons) {
      const { source, scope } = header
      const listed = [scope.countries, scope.services].map((names) => names && [...names].sort())
      const context = hashText(JSON.stringify([PARSER_VERSION, source, listed, addons]), CONTEXT_LENGTH)
      this.last = { header, addons, context }
    }
    return this.last.context
  }

  private told({ words, hint }: LineDigest): SeenRecord | undefined {
    const doc = this.catalog.findDoc(hint)
    return doc === undefined ? undefined : this.catalog.seenRecords.get(doc).find((one) => one.words.equals(words))
  }
}

function hashText(text: string, length: number): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, length)
}

/** Tells readings of a feed apart that did not find the same lines in the same order. */
export class FeedFingerprint {
  private readonly hash = createHash('sha256')

  /** Takes a line as it was read, with its wording, if it has one: that stands for all of its text. */
  add(line: FeedLine, wording: LineDigest | undefined): void {
    if ('text' in line) this.hash.update(wording?.words ?? line.text)
    else this.hash.update(`${line.line} ${'problem' in line ? line.problem : line.note}`)
    this.hash.update('\n')
  }

  /** The fingerprint of all lines so far. */
  digest(): string {
    return this.hash.copy().digest('base64')
  }
}
