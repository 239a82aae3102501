import type { Catalog } from '../../catalog/catalog.ts'
import { type DocSet, union } from '../../catalog/index/doc-set.ts'
import { term } from '../../catalog/index/terms.ts'
import { type MeteredCache, VersionedCache } from '../../lib/versioned-cache.ts'
import { SHOW_TYPES } from '../../model/show.ts'
import { type FilterExecutor, selectorTerm } from '../filters/filter-executor.ts'
import type { CountQuery, Facet } from '../queries.ts'
import { type CountedDocs, FacetColumn, type FacetCount, smallerPart } from './facet-column.ts'

/** Memory for columns: those of a million shows and a few lists of countries. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024

/** The count of the shows that match, and their counts by facet. Keys in this order. */
interface ShowCount {
  readonly count: number
  readonly facets: Partial<Record<Facet, FacetCount[]>>
}

/** Counts the shows that match a query, as a whole and by its facets. */
export class FacetCounter {
  private readonly catalog: Catalog
  private readonly executor: FilterExecutor

  /** By facet; those of services by countries, too. Each is built once a catalog version. */
  private readonly columns = new VersionedCache<string, FacetColumn>({
    name: 'facet_columns',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ bytes }, key) => bytes + 2 * key.length,
  })

  constructor(catalog: Catalog, executor: FilterExecutor) {
    this.catalog = catalog
    this.executor = executor
  }

  caches(): readonly MeteredCache[] {
    return [this.columns]
  }

  count(query: CountQuery): ShowCount {
    const version = this.catalog.version()
    const { set } = this.executor.execute(query, version)
    const docs = set.toUint32Array()
    const part = smallerPart(docs, this.catalog.nextDoc())
    const facets: Partial<Record<Facet, FacetCount[]>> = {}
    for (const facet of query.facets) {
      const counts =
        facet === 'services'
          ? this.countServices(query, set, docs, part, version)
          : this.column(facet, version).count(part)
      facets[facet] = counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    }
    return { count: docs.length, facets }
  }

  /** Counts by the services of options in the countries that pass all filters on options, catalogs included. */
  private countServices(
    query: CountQuery,
    set: DocSet,
    docs: Uint32Array,
    part: CountedDocs,
    version: number,
  ): FacetCount[] {
    const { countries, catalogs } = query
    if (query.options !== undefined) {
      // Posting lists do not know which options pass.
      const counts = this.executor.matchOptions(query, version).countServices(docs)
      return Array.from(counts, ([number, count]) => ({ value: this.catalog.dictionary.text(number), count }))
    }
    if (catalogs.length === 0) return this.serviceColumn(countries, version).count(part)
    const byService = new Map<string, DocSet[]>()
    for (const country of countries) {
      for (const selector of catalogs) {
        const part = this.catalog.docsWithTerm(selectorTerm(country, selector), version)
        byService.set(selector.service, [...(byService.get(selector.service) ?? []), part])
      }
    }
    return [...byService].flatMap(([value, parts]) => {
      const count = set.andCardinality(union(parts))
      return count === 0 ? [] : { value, count }
    })
  }

  private column(facet: Exclude<Facet, 'services'>, version: number): FacetColumn {
    return this.columns.getOrCompute(facet, version, () => {
      const prefix = FACET_PREFIXES[facet]
      const values =
        facet === 'showTypes'
          ? SHOW_TYPES
          : Array.from(this.catalog.postings.termsWithPrefix(prefix), (name) => name.slice(prefix.length))
      const lists = values.map((value) => [value, this.docsWithAny([prefix + value], version)] as const)
      return new FacetColumn(lists, this.catalog.nextDoc())
    })
  }

  private serviceColumn(countries: readonly string[], version: number): FacetColumn {
    const codes = [...countries].sort()
    return this.columns.getOrCompute(`services ${codes}`, version, () => {
      const terms = new Map<string, string[]>()
      for (const prefix of codes.map((country) => term.service(country, ''))) {
        for (const name of this.catalog.postings.termsWithPrefix(prefix)) {
          const service = name.slice(prefix.length)
          // Terms of a service's types and addons have a slash.
          if (!service.includes('/')) terms.set(service, [...(terms.get(service) ?? []), name])
        }
      }
      const lists = Array.from(terms, ([service, names]) => [service, this.docsWithAny(names, version)] as const)
      return new FacetColumn(lists, this.catalog.nextDoc())
    })
  }

  private docsWithAny(terms: readonly string[], version: number): Uint32Array {
    return union(terms.map((name) => this.catalog.docsWithTerm(name, version))).toUint32Array()
  }
}

const FACET_PREFIXES = {
  showTypes: term.showType('' as never),
  genres: term.genre(''),
  years: term.year(''),
  languages: term.originalLanguage(''),
} as const
