import type { Catalog } from '../../catalog/catalog.ts'
import { CONTEXT_LENGTH, type SeenRecord } from '../../catalog/documents/seen-records.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Show } from '../../model/show.ts'
import type { SourceRanks } from '../../model/source-ranks.ts'
import { type LineDigest, sha256Prefix } from '../lines/line-digest.ts'
import { nextWindowInstant } from '../rules/offer-windows.ts'
import { countOffers, type FeedHeader, type ShowRecord } from './feed-record.ts'
import type { ReferenceBuilder } from './reference-builder.ts'

/**
 * Part of every context digest. Raise it whenever the same line gives another result: when shows are parsed, identified
 * or merged in another way. All records seen before are then parsed again.
 */
const PARSER_VERSION = 6

/**
 * Finds lines that need not be parsed: the catalog has seen the same line before, by its digest, in the same context, and
 * no window of its offers has started or ended since. Most lines of a daily snapshot are those of the day before.
 */
export class UnchangedDetector {
  private readonly catalog: Catalog
  private readonly reference: ReferenceBuilder
  private readonly clock: Clock
  private readonly ranks: SourceRanks
  private readonly isDryRun: boolean
  private last: { readonly header: FeedHeader; readonly reference: string; readonly context: Buffer } | undefined

  constructor(catalog: Catalog, reference: ReferenceBuilder, clock: Clock, ranks: SourceRanks, isDryRun = false) {
    this.catalog = catalog
    this.reference = reference
    this.clock = clock
    this.ranks = ranks
    this.isDryRun = isDryRun
  }

  /** The seen record of a line, in whatever context. */
  findSeen({ digest, idHint }: LineDigest): SeenRecord | undefined {
    const doc = this.catalog.findDoc(idHint)
    return doc === undefined ? undefined : this.catalog.seenRecords.get(doc).find((one) => one.digest.equals(digest))
  }

  /**
   * The seen record of a buffered line; undefined unless parsing the line would change nothing. An import looks for the record
   * again, because it may have written the show since.
   *
   * @param line its digest, and what was seen of it when it was buffered
   */
  findUnchanged(
    { digest, seen: former }: { readonly digest: LineDigest | undefined; readonly seen: SeenRecord | undefined },
    header: FeedHeader,
  ): SeenRecord | undefined {
    if (digest === undefined || former === undefined) return undefined
    const seen = this.isDryRun ? former : this.findSeen(digest)
    if (seen === undefined || seen.validUntil <= this.clock()) return undefined
    return seen.context.equals(this.contextDigest(header)) ? seen : undefined
  }

  /**
   * The digest of all that the result of a record depends on beside its line and the time: the parser, the source, its
   * scope, the reference data, and the ranks of sources.
   */
  contextDigest(header: FeedHeader): Buffer {
    const reference = this.reference.fingerprint()
    if (this.last?.header !== header || this.last.reference !== reference) {
      const { source, scope } = header
      const lists = [scope.countries, scope.services].map((names) => names && [...names].sort())
      const context = sha256Prefix(
        JSON.stringify([PARSER_VERSION, source, lists, reference, this.ranks]),
        CONTEXT_LENGTH,
      )
      this.last = { header, reference, context }
    }
    return this.last.context
  }
}

/** Collects the seen records that a batch stores with its shows. */
export class SeenRecordCollector {
  private readonly now: number
  private readonly byShow = new Map<string, SeenRecord>()
  /** Shows whose record was unchanged and that nothing else in the batch has written. */
  private readonly unchanged = new Set<string>()

  constructor(now: number) {
    this.now = now
  }

  get unchangedCount(): number {
    return this.unchanged.size
  }

  records(): SeenRecord[] {
    return [...this.byShow.values()]
  }

  addUnchanged(id: string): void {
    this.unchanged.add(id)
  }

  /** Adds the record that a show was merged with, if the same line would change nothing the next time. */
  add(record: ShowRecord, show: Show, rolledUp: boolean): void {
    const { digest: recordDigest, imdbId, tmdbId, isFlawed } = record
    const { id } = show
    if (recordDigest === undefined || isFlawed) return
    // An id that the show did not get belongs to another show, which may lose it.
    if ((imdbId !== '' && imdbId !== show.imdbId) || (tmdbId !== '' && tmdbId !== show.tmdbId)) return
    const { digest, context, idHint } = recordDigest
    if (![id, show.imdbId, show.tmdbId].includes(idHint)) return
    const validUntil = nextWindowInstant(show, this.now)
    this.byShow.set(id, { digest, context, id, offers: countOffers(record), rolledUp, validUntil })
  }

  /** Drops what was collected of a show; called when anything else in the batch writes it. */
  invalidate(id: string): void {
    this.byShow.delete(id)
    this.unchanged.delete(id)
  }
}
