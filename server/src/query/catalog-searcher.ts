import type { Catalog } from '../catalog/catalog.ts'
import type { MeteredCache } from '../lib/cache.ts'
import { Turns } from '../lib/turns.ts'
import { FacetCounter, type ShowCount } from './facet-counter.ts'
import { FilterExecutor } from './filters/filter-executor.ts'
import { type FilterPage, FilterSearcher } from './filters/filter-search.ts'
import { SortedColumns } from './filters/sorted-columns.ts'
import { PeopleSearcher, type Person } from './people/people-search.ts'
import {
  type CountQuery,
  countriesOfOptions,
  type FilterQuery,
  type PeopleQuery,
  type Query,
  type SimilarQuery,
  type TitleQuery,
} from './queries.ts'
import { ShowIdCache } from './show-id-cache.ts'
import { findSimilar } from './similar-shows.ts'
import { TitleSearcher } from './titles/title-search.ts'

/** The documents of some ids, in their order, and the ids that no show has. */
interface ShowsByIds {
  readonly docs: readonly number[]
  readonly unknownIds: readonly string[]
}

/** Finds the documents of shows that queries ask for. What searches share stays in memory here. */
export class CatalogSearcher {
  private readonly catalog: Catalog
  private readonly people: PeopleSearcher
  private readonly filters: FilterExecutor
  private readonly columns: SortedColumns
  private readonly pages: FilterSearcher
  private readonly titles: TitleSearcher
  private readonly facets: FacetCounter
  /** Documents of shows that are not deleted, by any id. Finding one takes two reads and the decoding of its facts. */
  private readonly docs = new ShowIdCache()

  /** @param maxOptionBytes the memory for options that filters test; by default, what a process takes that answers all requests */
  constructor(catalog: Catalog, maxOptionBytes?: number) {
    this.catalog = catalog
    this.people = new PeopleSearcher(catalog)
    this.filters = new FilterExecutor(catalog, this.people, maxOptionBytes)
    this.columns = new SortedColumns(catalog)
    this.pages = new FilterSearcher(catalog, this.filters, this.columns)
    this.titles = new TitleSearcher(catalog, this.filters, this.columns)
    this.facets = new FacetCounter(catalog, this.filters)
  }

  caches(): readonly MeteredCache[] {
    const { people, filters, columns, titles, facets, docs } = this
    return [...[people, filters, columns, titles, facets].flatMap((part) => part.caches()), docs.meter]
  }

  /** Reads what searches are expected to need, for a turn of the event loop. */
  readAhead(version: number): void {
    const turns = new Turns()
    while (!turns.isOver) if (!this.columns.readAhead(version)) return
  }

  /** Whether a query can be searched for in this turn of the event loop; else `whenReady` reads what it needs. */
  isReady(query: Query, version: number): boolean {
    return this.people.begin(query) && this.filters.hasOptions(countriesOfOptions(query), version)
  }

  /** Runs a search once what its query needs is in memory, in a later turn of the event loop. */
  async whenReady<Result>(query: Query, search: () => Result): Promise<Result> {
    await this.people.finish(query)
    const countries = countriesOfOptions(query)
    const hasOptions = this.filters.hasOptions(countries, this.catalog.version())
    return hasOptions ? search() : this.filters.whenOptionsAreLoaded(countries, search)
  }

  /** The document of a show by its own, IMDb or TMDB id, unless the show is deleted. */
  findDoc(id: string, version: number): number | undefined {
    const cached = this.docs.get(id, version)
    if (cached !== undefined) return cached
    const doc = this.catalog.findDoc(id)
    if (doc === undefined || this.catalog.facts(doc)?.deleted !== false) return undefined
    this.docs.set(id, doc, version)
    return doc
  }

  findDocs(ids: readonly string[], version: number): ShowsByIds {
    const docs: number[] = []
    const unknownIds: string[] = []
    for (const id of ids) {
      const doc = this.findDoc(id, version)
      if (doc === undefined) unknownIds.push(id)
      else docs.push(doc)
    }
    return { docs, unknownIds }
  }

  findByFilters(query: FilterQuery, version: number): FilterPage {
    return this.pages.search(query, version)
  }

  findByTitle(query: TitleQuery, version: number): readonly number[] {
    return this.titles.search(query, version)
  }

  /** The shows that pass the query's filters and are most like that of a document. */
  findSimilar(doc: number, query: SimilarQuery, version: number): readonly number[] {
    return findSimilar(this.catalog, this.filters.execute(query, version), doc, query)
  }

  findPeople({ name, limit }: PeopleQuery): readonly Person[] {
    return this.people.search(name, limit)
  }

  count(query: CountQuery): ShowCount {
    return this.facets.count(query)
  }
}
