import type { Catalog } from '../../catalog/catalog.ts'
import { union } from '../../catalog/index/doc-set.ts'
import type { PostingList } from '../../catalog/index/posting-list.ts'
import { term } from '../../catalog/index/terms.ts'
import { type Bitset, countBits, countCommon, ScratchBitset } from '../../lib/bitset.ts'
import { type MeteredCache, VersionedCache } from '../../lib/versioned-cache.ts'
import { type FilterExecutor, MAX_UNITED_COUNTRIES, selectorTerm } from '../filters/filter-executor.ts'
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
    const byTerm = new Map<Facet, FacetCount[]>()
    for (const facet of query.facets) {
      if (facet === 'services' && services !== undefined) byTerm.set(facet, this.nameServices(services))
      else if (isCountedByTerm(facet, query)) byTerm.set(facet, this.countTerms(facet, query, bits, version))
    }
    // The bits are overwritten.
    const part = takeSmallerPart(bits, count, this.catalog.nextDoc())
    const facets: Partial<Record<Facet, FacetCount[]>> = {}
    for (const facet of query.facets) {
      const counts = byTerm.get(facet) ?? this.column(facet, query, version).count(part)
      facets[facet] = counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    }
    return { count, facets }
  }

  private nameServices(counts: ServiceCounts): FacetCount[] {
    return Array.from(counts, ([number, count]) => ({ value: this.catalog.dictionary.text(number), count }))
  }

  private countTerms(facet: Facet, query: CountQuery, bits: Bitset, version: number): FacetCount[] {
    return [...this.facetTerms(facet, query, version)].flatMap(([value, names]) => {
      const count = this.countWithAny(names, bits, version)
      return count === 0 ? [] : { value, count }
    })
  }

  /** The values of a facet, each with its terms: a service has one for every country and catalog. */
  private facetTerms(facet: Facet, { countries, catalogs }: CountQuery, version: number): Map<string, string[]> {
    if (facet !== 'services') {
      const prefix = FACET_PREFIXES[facet]
      return new Map(
        Array.from(this.catalog.postings.termsWithPrefix(prefix), (name) => [name.slice(prefix.length), [name]]),
      )
    }
    const terms = new Map<string, string[]>()
    for (const country of countries) {
      for (const selector of catalogs.length === 0 ? this.services(country, version) : catalogs) {
        const name = selectorTerm(country, selector)
        const known = terms.get(selector.service)
        if (known === undefined) terms.set(selector.service, [name])
        else known.push(name)
      }
    }
    return terms
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

  /** The column of a facet; that of services is of all services in the countries. */
  private column(facet: Facet, query: CountQuery, version: number): FacetColumn {
    const key = facet === 'services' ? `${facet} ${query.countries.toSorted()}` : facet
    return this.columns.getOrCompute(key, version, () => {
      const terms = [...this.facetTerms(facet, query, version)]
      const lists = terms.map(([value, names]) => [value, this.docsWithAny(names, version)] as const)
      return new FacetColumn(lists, this.catalog.nextDoc())
    })
  }

  private docsWithAny(terms: readonly string[], version: number): Uint32Array {
    return union(terms.map((name) => this.catalog.docsWithTerm(name, version))).toUint32Array()
  }
}

/** Whether the posting lists of all values are intersected with the documents, without a column: they are few. */
function isCountedByTerm(facet: Facet, { countries, catalogs }: CountQuery): boolean {
  if (facet === 'services') return catalogs.length > 0 || countries.length <= MAX_UNITED_COUNTRIES
  return facet === 'showTypes'
}

/** What lists are combined in. */
const unions = new ScratchBitset()

const FACET_PREFIXES = {
  showTypes: term.showType('' as never),
  genres: term.genre(''),
  years: term.year(''),
  languages: term.originalLanguage(''),
} as const
