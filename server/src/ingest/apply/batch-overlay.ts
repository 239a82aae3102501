import { showTitleKeys } from '../../catalog/identity/title-keys.ts'
import { EMPTY_IMAGE_SET } from '../../model/image.ts'
import { lookupIds, type Show } from '../../model/show.ts'
import { hasRecord, type ShowIndex, type SimilarQuery } from './show-index.ts'

/** A show before and after a batch. */
interface ShowUpdate {
  /** Undefined if the batch creates the show. */
  readonly before: Show | undefined
  readonly after: Show
}

/** The shows of a batch that is being built, laid over the index of the catalog. */
export class BatchOverlay implements ShowIndex {
  private readonly catalog: ShowIndex
  private readonly byShowId = new Map<string, ShowUpdate>()
  private readonly byAnyId = new Map<string, Show>()
  /** Own ids of shows by title key; a show may have lost the title since. */
  private readonly byTitleKey = new Map<number, Set<string>>()
  /** Own ids of shows by source and key of a record. */
  private readonly byRecord = new Map<string, string>()

  constructor(catalog: ShowIndex) {
    this.catalog = catalog
  }

  /** The updates so far, one for each show. */
  updates(): Iterable<ShowUpdate> {
    return this.byShowId.values()
  }

  findById(id: string): Show | undefined {
    const own = this.findOwnId(id)
    return own === undefined ? undefined : (this.byShowId.get(own)?.after ?? this.catalog.findById(id))
  }

  findOwnId(id: string): string | undefined {
    const own = this.byAnyId.get(id)?.id ?? this.catalog.findOwnId(id)
    const update = own === undefined ? undefined : this.byShowId.get(own)
    // A show of the batch may have lost an id that the catalog still has.
    return update === undefined || lookupIds(update.after).includes(id) ? own : undefined
  }

  findRecordOwner(source: string, key: string): string | undefined {
    const written = this.byShowId.get(this.byRecord.get(`${source}\n${key}`) ?? '')?.after
    if (written !== undefined && hasRecord(written, source, key)) return written.id
    const known = this.catalog.findRecordOwner(source, key)
    const update = known === undefined ? undefined : this.byShowId.get(known)
    // A show of the batch may have lost the record.
    return update === undefined || hasRecord(update.after, source, key) ? known : undefined
  }

  findSimilar(query: SimilarQuery): Show[] {
    const ids = new Set<string>()
    for (const key of query.keys) for (const id of this.byTitleKey.get(key) ?? []) ids.add(id)
    const written = [...ids].flatMap((id) => this.byShowId.get(id)?.after ?? [])
    const alive = written.filter(({ showType, deleted }) => showType === query.showType && deleted !== true)
    const known = this.catalog.findSimilar(query).filter((show) => !this.byShowId.has(show.id))
    return [...known, ...alive]
  }

  /** Whether the batch has written the show with this own id. */
  has(id: string): boolean {
    return this.byShowId.has(id)
  }

  put(before: Show | undefined, show: Show): void {
    const earlier = this.byShowId.get(show.id)
    this.byShowId.set(show.id, { before: earlier === undefined ? before : earlier.before, after: show })
    for (const id of lookupIds(show)) this.byAnyId.set(id, show)
    for (const key of showTitleKeys(show)) {
      const sameKey = this.byTitleKey.get(key)
      if (sameKey === undefined) this.byTitleKey.set(key, new Set([show.id]))
      else sameKey.add(show.id)
    }
    if (show.mergedInto !== undefined) return
    for (const source in show.records) {
      for (const { key } of show.records[source] ?? []) this.byRecord.set(`${source}\n${key}`, show.id)
    }
  }

  /** Deletes a show that is new in this batch. */
  delete(id: string): void {
    this.byShowId.delete(id)
  }
}

/**
 * The shows that the batches of a dry run would have written, laid over the index of the catalog, so that later records
 * are identified as in an import. It keeps only the fields that identification needs: a large feed must fit into memory.
 */
export class DryRunOverlay implements ShowIndex {
  private readonly shows: BatchOverlay

  constructor(catalog: ShowIndex) {
    this.shows = new BatchOverlay(catalog)
  }

  add(shows: readonly Show[]): void {
    for (const show of shows) this.shows.put(undefined, stripForLookup(show))
  }

  /** Whether the dry run would have written the show with this own id. */
  has(id: string): boolean {
    return this.shows.has(id)
  }

  findById(id: string): Show | undefined {
    return this.shows.findById(id)
  }

  findOwnId(id: string): string | undefined {
    return this.shows.findOwnId(id)
  }

  findRecordOwner(source: string, key: string): string | undefined {
    return this.shows.findRecordOwner(source, key)
  }

  findSimilar(query: SimilarQuery): Show[] {
    return this.shows.findSimilar(query)
  }
}

const EMPTY_OBJECT = {}

function stripForLookup({ seasons, ...show }: Show): Show {
  const titles = Object.entries(show.translations).map(([language, { title }]) => [language, { title, overview: '' }])
  return {
    ...show,
    overview: '',
    imageSet: EMPTY_IMAGE_SET,
    translations: titles.length === 0 ? EMPTY_OBJECT : Object.fromEntries(titles),
    popularity: EMPTY_OBJECT,
    offers: EMPTY_OBJECT,
  }
}
