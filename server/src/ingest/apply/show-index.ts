import type { Catalog } from '../../catalog/catalog.ts'
import { sourceLinks } from '../../model/identity.ts'
import type { Show } from '../../model/show.ts'

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
export function hasRecord(
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
