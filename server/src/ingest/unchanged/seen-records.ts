import type { SeenRecord } from '../../catalog/documents/seen-records.ts'
import type { Show } from '../../model/show.ts'
import { countOffers, type ShowRecord } from '../parse/feed-record.ts'
import { nextWindowInstant } from '../windows/offer-windows.ts'

/** What the shows of a batch need not be told again, as far as nothing else was said of them since. */
export class SeenRecordCollector {
  private readonly now: number
  private readonly byShow = new Map<string, SeenRecord>()
  /** Shows of which the batch knows only that they are stated as before. */
  private readonly unchanged = new Set<string>()

  constructor(now: number) {
    this.now = now
  }

  /** How many shows are stated as before, and not otherwise. */
  get unchangedCount(): number {
    return this.unchanged.size
  }

  records(): SeenRecord[] {
    return [...this.byShow.values()]
  }

  addUnchanged(id: string): void {
    this.unchanged.add(id)
  }

  /** Notes a statement that has said all that it can say of a show, until the show is written otherwise. */
  add(statement: ShowRecord, show: Show): void {
    const { digest, imdbId, tmdbId, isFlawed } = statement
    const { id } = show
    if (digest === undefined || isFlawed) return
    // An id that was not taken over belongs to another show, for as long as that one has it.
    if ((imdbId !== '' && imdbId !== show.imdbId) || (tmdbId !== '' && tmdbId !== show.tmdbId)) return
    if (![id, show.imdbId, show.tmdbId].includes(digest.hint)) return
    const { words, context } = digest
    this.byShow.set(id, {
      words,
      context,
      id,
      offers: countOffers(statement),
      validUntil: nextWindowInstant(show, this.now),
    })
  }

  /** To be called when something else is said of a show. */
  invalidate(id: string): void {
    this.byShow.delete(id)
    this.unchanged.delete(id)
  }
}
