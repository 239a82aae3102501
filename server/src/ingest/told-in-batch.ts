import type { SeenRecord } from '../catalog/documents/seen-records.ts'
import type { Show } from '../model/show.ts'
import { nextInstant } from './pass-time.ts'
import { offersIn, type ShowStatement } from './statement.ts'

/** What the shows of a batch need not be told again, as far as nothing else was said of them since. */
export class ToldInBatch {
  private readonly now: number
  private readonly byShow = new Map<string, SeenRecord>()
  /** Shows of which the batch knows only that they are stated as before. */
  private readonly asBefore = new Set<string>()

  constructor(now: number) {
    this.now = now
  }

  /** How many shows are stated as before, and not otherwise. */
  get restated(): number {
    return this.asBefore.size
  }

  statements(): SeenRecord[] {
    return [...this.byShow.values()]
  }

  restate(id: string): void {
    this.asBefore.add(id)
  }

  /** Notes a statement that has said all that it can say of a show, until the show is written otherwise. */
  remember(statement: ShowStatement, show: Show): void {
    const { worded, imdbId, tmdbId, flawed } = statement
    const { id } = show
    if (worded === undefined || flawed) return
    // An id that was not taken over belongs to another show, for as long as that one has it.
    if ((imdbId !== '' && imdbId !== show.imdbId) || (tmdbId !== '' && tmdbId !== show.tmdbId)) return
    if (![id, show.imdbId, show.tmdbId].includes(worded.hint)) return
    const { words, context } = worded
    this.byShow.set(id, { words, context, id, offers: offersIn(statement), validUntil: nextInstant(show, this.now) })
  }

  /** To be called when something else is said of a show. */
  forget(id: string): void {
    this.byShow.delete(id)
    this.asBefore.delete(id)
  }
}
