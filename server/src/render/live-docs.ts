import type { Catalog } from '../catalog/catalog.ts'

/** Beyond this many all are forgotten: to ask again is cheaper than to keep an order of use. */
const REMEMBERED_IDS = 65_536

/** Ids to the documents of shows that can be answered, remembered until the catalog changes: facts are dear to read. */
export class LiveDocs {
  private readonly catalog: Catalog
  private version = -1
  private readonly docs = new Map<string, number>()

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /** The document of the show with an id: its own, its IMDb or its TMDB id. None for shows that were withdrawn. */
  get(id: string, version: number): number | undefined {
    if (this.version !== version || this.docs.size >= REMEMBERED_IDS) {
      this.docs.clear()
      this.version = version
    }
    const known = this.docs.get(id)
    if (known !== undefined) return known
    const doc = this.catalog.findDoc(id)
    if (doc === undefined || this.catalog.facts(doc)?.deleted !== false) return undefined
    this.docs.set(id, doc)
    return doc
  }
}
