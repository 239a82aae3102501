import type { Catalog } from '../../catalog/catalog.ts'
import { showTitleKeys } from '../../catalog/identity/identity-index.ts'
import { sourceLinks } from '../../model/identity.ts'
import { EMPTY_IMAGE_SET, lookupIds, type Show } from '../../model/show.ts'

/** A lookup of shows: in the catalog, or in an overlay over it. */
export interface ShowIndex {
  findById(id: string): Show | undefined
  /** The own id of the show that an id leads to; cheaper than `findById`. */
  findOwnId(id: string): string | undefined
  /** The own id of the show that a record of a source is linked to. */
  findRecordOwner(source: string, key: string): string | undefined
  /** The shows of a type with similar titles; without offers, seasons, overviews and images. */
  findSimilar(query: SimilarQuery): Show[]
}

/** A look-up by title keys. */
export interface SimilarQuery {
  readonly keys: ReadonlySet<number>
  readonly showType: Show['showType']
  /** Shows of the catalog with other ids than these are left out. */
  readonly ids?: ExternalIds
}

type ExternalIds = Pick<Show, 'imdbId' | 'tmdbId'>

/** Whether both have an IMDb or a TMDB id and the two differ; ids that a show had before are its ids, too. */
export function hasOtherIds(show: ExternalIds & Pick<Show, 'formerIds'>, { imdbId, tmdbId }: ExternalIds): boolean {
  const differ = (own: string, other: string) =>
    own !== '' && other !== '' && own !== other && show.formerIds?.includes(other) !== true
  return differ(show.imdbId, imdbId) || differ(show.tmdbId, tmdbId)
}

/** Candidates beyond these are not looked at: a title with more of them decides nothing. */
const MAX_CANDIDATES = 200

/** A lookup in the catalog, uncommitted shows of the running transaction included. */
export function createCatalogIndex(catalog: Catalog): ShowIndex {
  const show = (doc: number | undefined) => (doc === undefined ? undefined : catalog.show(doc))
  return {
    findById: (id) => show(catalog.findDoc(id)),
    findOwnId: (id) => {
      const doc = catalog.findDoc(id)
      return doc === undefined ? undefined : catalog.documents.ownId(doc)
    },
    findRecordOwner: (source, key) => {
      // A key that is the show's own id is found by that.
      const doc = catalog.identities.findRecord(source, key) ?? catalog.findDoc(key)
      const found = doc === undefined ? undefined : catalog.documents.identity(doc)
      return found !== undefined && hasRecord(found, source, key) ? found.id : undefined
    },
    findSimilar: ({ keys, showType, ids }) => {
      const shows: Show[] = []
      let count = 0
      for (const doc of catalog.identities.findTitles(keys)) {
        const facts = catalog.documents.flaggedFacts(doc)
        if (facts === undefined || facts.deleted || facts.showType !== showType) continue
        if (++count > MAX_CANDIDATES) break
        // Most shows of a common title have ids, and are other works by that: only few outlines are decoded.
        const known = facts.hasFormerIds ? undefined : catalog.documents.externalIds(doc)
        if (ids !== undefined && known !== undefined && hasOtherIds(known, ids)) continue
        const outline = catalog.documents.identityOutline(doc)
        if (outline !== undefined) shows.push(outline)
      }
      return shows
    },
  }
}

/** Whether a show is linked to a record of a source. */
function hasRecord(
  { records, mergedInto }: Pick<Show, 'records' | 'mergedInto'>,
  source: string,
  recordKey: string,
): boolean {
  return mergedInto === undefined && sourceLinks(records, source).some(({ key }) => key === recordKey)
}

/** The same index with a cache of own ids and shows; valid as long as the index does not change. */
export function cacheShows(index: ShowIndex): ShowIndex {
  const ownIds = new Map<string, string | undefined>()
  const shows = new Map<string, Show | undefined>()
  const findOwnId = (id: string) => {
    if (ownIds.has(id)) return ownIds.get(id)
    const ownId = index.findOwnId(id)
    ownIds.set(id, ownId)
    return ownId
  }
  return {
    findOwnId,
    // A record is looked up by each of its ids, and decoding a show takes longer than all that.
    findById: (id) => {
      const ownId = findOwnId(id)
      if (ownId === undefined) return undefined
      if (!shows.has(ownId)) shows.set(ownId, index.findById(id))
      return shows.get(ownId)
    },
    findRecordOwner: (source, key) => index.findRecordOwner(source, key),
    findSimilar: (query) => index.findSimilar(query),
  }
}

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
