import type { Catalog } from '../../catalog/catalog.ts'
import type { PostingList } from '../../catalog/index/posting-list.ts'
import { term } from '../../catalog/index/terms.ts'
import { type Bitset, countBits, countCommon, ScratchBitset } from '../../lib/bitset.ts'
import { type MeteredCache, VersionedCache } from '../../lib/versioned-cache.ts'
import { SHOW_TYPES } from '../../model/show.ts'
import { type FilterExecutor, selectorTerm } from '../filters/filter-executor.ts'
import type { ServiceCounts } from '../options/option-index.ts'
import type { CatalogSelector, CountQuery, Facet } from '../queries.ts'
import { FacetColumn, type FacetCount, takeSmallerPart } from './facet-column.ts'

/** Memory for columns: those of some millions of shows. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024

/** Memory for the names of the services of countries. */
const MAX_NAMES_BYTES = 4 * 1024 * 1024

/** The count of the shows that match, and their counts by facet. Keys in this order. */
interface ShowCount {
  readonly count: number
  readonly facets: Partial<Record<Facet, FacetCount[]>>
}

/** Counts the shows that match a query, as a whole and by its facets. */
export class FacetCounter {
  private readonly catalog: Catalog
  private readonly executor: FilterExecutor

  /** By facet. Each is built once a catalog version. */
  private readonly columns = new VersionedCache<string, FacetColumn>({
    name: 'facet_columns',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ bytes }, key) => bytes + 2 * key.length,
  })

  /** The services by country. */
  private readonly serviceNames = new VersionedCache<string, readonly CatalogSelector[]>({
    name: 'facet_services',
    maxBytes: MAX_NAMES_BYTES,
    sizeOf: (services) => 64 * services.length,
  })

  constructor(catalog: Catalog, executor: FilterExecutor) {
    this.catalog = catalog
    this.executor = executor
  }

  caches(): readonly MeteredCache[] {
    return [this.columns, this.serviceNames]
  }

  count(query: CountQuery): ShowCount {
    const version = this.catalog.version()
    const { bits, services } = this.executor.findPassing(query, version)
    const count = countBits(bits)
    const facets: Partial<Record<Facet, FacetCount[]>> = {}
    if (query.facets.includes('services')) {
      facets.services = services === undefined ? this.countServices(query, bits, version) : this.nameServices(services)
    }
    const part = takeSmallerPart(bits, count, this.catalog.nextDoc())
    for (const facet of query.facets) {
      if (facet !== 'services') facets[facet] = this.column(facet, version).count(part)
      facets[facet]?.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    }
    return { count, facets }
  }

  private nameServices(counts: ServiceCounts): FacetCount[] {
    return Array.from(counts, ([number, count]) => ({ value: this.catalog.dictionary.text(number), count }))
  }

  /** Counts by the services of options in the countries, of those in the catalogs if some are named. */
  private countServices({ countries, catalogs }: CountQuery, bits: Bitset, version: number): FacetCount[] {
    const terms = new Map<string, string[]>()
    for (const country of countries) {
      const selectors = catalogs.length === 0 ? this.services(country, version) : catalogs
      for (const selector of selectors) {
        const known = terms.get(selector.service)
        if (known === undefined) terms.set(selector.service, [selectorTerm(country, selector)])
        else known.push(selectorTerm(country, selector))
      }
    }
    return [...terms].flatMap(([value, names]) => {
      const count = this.countWithAny(names, bits, version)
      return count === 0 ? [] : { value, count }
    })
  }

  /** How many documents of a set have any of the terms. */
  private countWithAny(terms: readonly string[], bits: Bitset, version: number): number {
    const lists = terms.map((name) => this.catalog.postings.list(name, version))
    if (lists.length === 1) return (lists[0] as PostingList).countIn(bits)
    const union = unions.take(bits.length)
    for (const list of lists) list.addTo(union)
    return countCommon(union, bits)
  }

  /** The services with options in a country. */
  private services(country: string, version: number): readonly CatalogSelector[] {
    return this.serviceNames.getOrCompute(country, version, () => {
      const prefix = term.service(country, '')
      const names = Array.from(this.catalog.postings.termsWithPrefix(prefix), (name) => name.slice(prefix.length))
      // Terms of a service's types and addons have a slash.
      return names.filter((name) => !name.includes('/')).map((service) => ({ service }))
    })
  }

  private column(facet: Exclude<Facet, 'services'>, version: number): FacetColumn {
    return this.columns.getOrCompute(facet, version, () => {
      const prefix = FACET_PREFIXES[facet]
      const values =
        facet === 'showTypes'
          ? SHOW_TYPES
          : Array.from(this.catalog.postings.termsWithPrefix(prefix), (name) => name.slice(prefix.length))
      const lists = values.map(
        (value) => [value, this.catalog.postings.list(prefix + value, version).toDocs()] as const,
      )
      return new FacetColumn(lists, this.catalog.nextDoc())
    })
  }
}

/** What lists are combined in. */
const unions = new ScratchBitset()

const FACET_PREFIXES = {
  showTypes: term.showType('' as never),
  genres: term.genre(''),
  years: term.year(''),
  languages: term.originalLanguage(''),
} as const
