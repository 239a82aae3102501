import { createHash } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as rest } from 'node:timers/promises'
import type { StoredWebhook, WebhookFilter, WebhookState } from '../accounts/store/account-tables.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { JournaledChange } from '../catalog/changes/commit-journal.ts'
import type { StoredChange } from '../catalog/changes/stored-change.ts'
import { RoaringBitmap32 } from '../catalog/index/doc-set.ts'
import { term } from '../catalog/index/terms.ts'
import { type MeteredCache, VersionedCache } from '../lib/cache.ts'
import type { OfferType } from '../model/offer.ts'
import { SECONDS_PER_DAY } from '../model/time.ts'
import { CHANGES_PAGE_SIZE, searchChanges } from '../query/changes/changes-search.ts'
import { currentToken, encodeToken, resolveToken } from '../query/changes/journal-token.ts'
import type { CatalogSelector } from '../query/queries.ts'
import type { FilterIndex } from './filter-index.ts'

/** The most changes of one message. */
const MAX_BATCH = 100

/** Changes whose webhooks are found together. */
const CHUNK_CHANGES = 500

/** The chunks of about 200,000 changes: webhooks walk the same ones, but not at the same time. */
const MAX_CACHE_BYTES = 128 * 1024 * 1024

/** How often windows that come into the lead time are looked for. */
const EXPIRING_INTERVAL_SECONDS = 60

/** Changes for one message, and the state once it is delivered. */
export interface Batch {
  /** What distinguishes the message from the others of its webhook. The same whenever the batch is read again. */
  readonly tag: string
  readonly type: 'changes' | 'changes.expiring'
  /** When the changes became known. */
  readonly at: number
  /** Empty if there is nothing to deliver up to `after`. */
  readonly changes: readonly StoredChange[]
  readonly after: WebhookState
}

/** A run of changes of one version, with the webhooks of each. */
interface Chunk {
  readonly version: number
  readonly entries: readonly JournaledChange[]
  /** The positions in `entries`, by the number of a webhook. */
  readonly matches: ReadonlyMap<number, readonly number[]>
}

/**
 * Reads what a webhook gets next. A batch never crosses the end of a commit, and commits do not change, so a batch that is
 * read again from the same position, by whichever process, has the same changes and the same tag.
 */
export class BatchReader {
  private readonly catalog: Catalog
  private readonly index: FilterIndex
  private readonly pacer: Pacer
  private readonly chunks = new VersionedCache<string, Chunk>({
    name: 'webhook_chunks',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ entries, matches }) => {
      let count = 0
      for (const list of matches.values()) count += list.length
      return 600 * entries.length + 8 * count + 100 * matches.size
    },
  })

  /** @param pacer is asked between two chunks */
  constructor(catalog: Catalog, index: FilterIndex, pacer: Pacer) {
    this.catalog = catalog
    this.index = index
    this.pacer = pacer
  }

  caches(): readonly MeteredCache[] {
    return [this.chunks]
  }

  /** The next past changes of the webhook with a number in the index. Throws if the position is no longer kept. */
  async nextPast({ filter }: StoredWebhook, number: number, state: WebhookState): Promise<Batch> {
    const { catalog } = this
    let place = resolveToken(catalog, state.position)
    const found: JournaledChange[] = []
    for (;;) {
      const chunk = this.readChunk(filter.country, place.version, place.offset)
      // The end of the journal was read in this turn, so the token is of the same version.
      if (chunk === undefined) return this.toBatch(filter, state, found, currentToken(catalog))
      if (found.length > 0 && chunk.version !== found[0]?.version) return this.toBatch(filter, state, found)
      for (const position of chunk.matches.get(number) ?? []) {
        const entry = chunk.entries[position] as JournaledChange
        if (chunk.version === place.version && entry.offset < place.offset) continue
        if (found.length === MAX_BATCH) return this.toBatch(filter, state, found)
        found.push(entry)
      }
      // A chunk that is not full is the last one of its version.
      const isLast = chunk.entries.length < CHUNK_CHANGES
      const offset = (chunk.entries.at(-1)?.offset ?? 0) + 1
      place = isLast ? { version: chunk.version + 1, offset: 0 } : { version: chunk.version, offset }
      if (!this.pacer.isWorkTime()) await this.pacer.waitForTurn()
    }
  }

  private toBatch(filter: WebhookFilter, state: WebhookState, found: readonly JournaledChange[], end?: string): Batch {
    const [first] = found
    const last = found.at(-1)
    if (first === undefined || last === undefined) {
      return { tag: '', type: 'changes', at: 0, changes: [], after: { ...state, position: end ?? state.position } }
    }
    const position = encodeToken(this.catalog, { version: last.version, offset: last.offset + 1 })
    return {
      tag: `${filterTag(filter)}_${encodeToken(this.catalog, first).replaceAll('.', '_')}${genreTag(filter, found)}`,
      type: 'changes',
      at: this.catalog.journal.find(first.version)?.at ?? 0,
      changes: found.map(({ change }) => change as StoredChange),
      after: { ...state, position },
    }
  }

  /** The chunk that holds a place in the journal of a country, or the first one behind it; undefined at the end. */
  private readChunk(country: string, version: number, offset: number): Chunk | undefined {
    const start = offset - (offset % CHUNK_CHANGES)
    const key = `${country}/${version}/${start}`
    const cached = this.chunks.get(key)
    if (cached !== undefined) return cached
    const entries: JournaledChange[] = []
    for (const entry of this.catalog.journal.changesFrom({ version, offset: start }, country, this.catalog.version())) {
      if (entries.length === CHUNK_CHANGES || (entries.length > 0 && entry.version !== entries[0]?.version)) break
      entries.push(entry)
    }
    const [first] = entries
    if (first === undefined) return undefined
    const matches = new Map<number, number[]>()
    const genreDocs = this.genreDocs()
    entries.forEach(({ change }, position) => {
      if (change === undefined) return
      for (const number of this.index.find(change, genreDocs)) {
        const list = matches.get(number)
        if (list === undefined) matches.set(number, [position])
        else list.push(position)
      }
    })
    const chunk = { version: first.version, entries, matches }
    this.chunks.set(key, chunk)
    return chunk
  }

  /** Reads the documents of genres, of the present version. */
  private genreDocs() {
    const { catalog } = this
    const version = catalog.version()
    return (genre: string) => catalog.docsWithTerm(term.genre(genre), version)
  }

  /**
   * The next windows that end within the lead time of a webhook. The span is part of the state that it returns, and the
   * caller stores it before the first attempt, so that a message that is made again is of the same span.
   */
  nextExpiring({ filter }: StoredWebhook, state: WebhookState, now: number): Batch | undefined {
    if (!filter.changeTypes.includes('expiring')) return undefined
    const to = state.expiringSpan?.to ?? now + filter.leadDays * SECONDS_PER_DAY
    if (state.expiringSpan === undefined && to - state.expiringUntil < EXPIRING_INTERVAL_SECONDS) return undefined
    const shows: ReadonlySet<string> = new Set(filter.shows)
    const ofGenres =
      filter.genres === undefined ? undefined : RoaringBitmap32.orMany(filter.genres.map(this.genreDocs()))
    const changes: StoredChange[] = []
    let cursor = state.expiringSpan?.cursor
    do {
      const page = searchChanges(
        this.catalog,
        {
          kind: 'changes',
          countries: [filter.country],
          changeTypes: ['expiring'],
          itemTypes: filter.itemTypes,
          catalogs: filter.catalogs.map(toSelector),
          ...(filter.showType !== undefined && { showType: filter.showType }),
          from: state.expiringUntil + 1,
          to,
          includeUnknownDates: false,
          direction: 'asc',
          language: filter.language,
          ...(cursor !== undefined && cursor !== '' && { cursor }),
        },
        this.catalog.version(),
      )
      for (const change of page.changes) {
        if (shows.size > 0 && !shows.has(String(change.showId))) continue
        if (ofGenres?.has(change.doc) !== false) changes.push(change)
      }
      cursor = page.nextCursor
    } while (cursor !== undefined && changes.length <= MAX_BATCH - CHANGES_PAGE_SIZE)
    const { expiringSpan, ...rest } = state
    const after = cursor === undefined ? { ...rest, expiringUntil: to } : { ...rest, expiringSpan: { to, cursor } }
    const place = createHash('sha256')
      .update(`${state.expiringUntil} ${to} ${expiringSpan?.cursor ?? ''}`)
      .digest('hex')
    return { tag: `${filterTag(filter)}_x${place.slice(0, 16)}`, type: 'changes.expiring', at: now, changes, after }
  }
}

/** The genres of shows change, so two batches from one position may differ: the tag of those with genres has their changes. */
function genreTag({ genres }: WebhookFilter, found: readonly JournaledChange[]): string {
  if (genres === undefined) return ''
  const places = found.map(({ version, offset }) => `${version}/${offset}`)
  return `_g${createHash('sha256').update(places.join()).digest('hex').slice(0, 12)}`
}

/** Differs between filters, so that an id is never that of two batches. */
function filterTag(filter: WebhookFilter): string {
  return createHash('sha256').update(JSON.stringify(filter)).digest('hex').slice(0, 8)
}

function toSelector(text: string): CatalogSelector {
  const [service = '', type, ...addon] = text.split('.')
  return {
    service,
    ...(type !== undefined && { type: type as OfferType }),
    ...(addon.length > 0 && { addon: addon.join('.') }),
  }
}

/** Messages are made for so long, then there is a rest. */
const WORK_MS = 4
const REST_MS = 6

/**
 * Spreads the work of many deliveries over time, so that they do not compete with requests for the processors: a message may
 * come some seconds later, the answer to a request may not. Who waits gets a turn of the event loop alone.
 */
export class Pacer {
  /** Whether there are no rests, because deliveries lag behind. */
  isHurried = false
  private workingSince = Number.NEGATIVE_INFINITY
  private readonly waiting: (() => void)[] = []
  private isRunning = false

  /** Whether whoever has the turn may go on for a while. */
  isWorkTime(): boolean {
    return performance.now() - this.workingSince < WORK_MS
  }

  /** Resolves when work may begin or go on. */
  waitForTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      if (!this.isRunning) void this.giveTurns()
    })
  }

  private async giveTurns(): Promise<void> {
    this.isRunning = true
    while (this.waiting.length > 0) {
      await nextTurn()
      if (!this.isWorkTime()) await this.beginWork()
      this.waiting.shift()?.()
    }
    this.isRunning = false
  }

  /** Rests for what is left of the rest, and begins to work. */
  private async beginWork(): Promise<void> {
    const restMs = this.workingSince + WORK_MS + REST_MS - performance.now()
    if (restMs > 0 && !this.isHurried) {
      await rest(restMs)
      // Timers that are due follow each other without a look at the sockets.
      await nextTurn()
    }
    this.workingSince = performance.now()
  }
}
