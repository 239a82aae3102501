import type { Catalog } from '../../catalog/catalog.ts'
import { sourceLinks } from '../../model/identity.ts'
import type { Show } from '../../model/show.ts'

/** A lookup of shows: in the catalog, or in an overlay over it. */
export interface ShowIndex {
  findById(id: string): Show | undefined
  /** The own id of the show that an id leads to; cheaper than `findById`. */
  findOwnId(id: string): string | undefined
  /** The show that a record of a source is linked to. */
  findByRecord(source: string, key: string): Show | undefined
  /** The shows of a type with similar titles; without offers, seasons, overviews and images. */
  findSimilar(query: SimilarQuery): Show[]
}

/** A look-up by title keys. */
export interface SimilarQuery {
  readonly keys: ReadonlySet<number>
  readonly showType: Show['showType']
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
      return doc === undefined ? undefined : catalog.facts(doc)?.id
    },
    findByRecord: (source, key) => {
      const indexed = catalog.identities.findRecord(source, key)
      // A key that is the show's own id is found by that.
      const found = show(indexed ?? catalog.findDoc(key))
      return found !== undefined && hasRecord(found, source, key) ? found : undefined
    },
    findSimilar: ({ keys, showType }) => {
      const found: Show[] = []
      for (const doc of catalog.identities.findTitles(keys)) {
        const facts = catalog.facts(doc)
        if (facts === undefined || facts.deleted || facts.showType !== showType) continue
        const outline = catalog.documents.identityOutline(doc)
        if (outline !== undefined) found.push(outline)
        if (found.length === MAX_CANDIDATES) break
      }
      return found
    },
  }
}

/** Whether a show is linked to a record of a source. */
export function hasRecord({ records, mergedInto }: Show, source: string, recordKey: string): boolean {
  return mergedInto === undefined && sourceLinks(records, source).some(({ key }) => key === recordKey)
}

/** The same index with a cache of own ids; valid as long as the index does not change. */
export function cacheOwnIds(index: ShowIndex): ShowIndex {
  const ownIds = new Map<string, string | undefined>()
  return {
    findById: (id) => index.findById(id),
    findOwnId: (id) => {
      if (ownIds.has(id)) return ownIds.get(id)
      const ownId = index.findOwnId(id)
      ownIds.set(id, ownId)
      return ownId
    },
    findByRecord: (source, key) => index.findByRecord(source, key),
    findSimilar: (query) => index.findSimilar(query),
  }
}
