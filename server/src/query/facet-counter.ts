import type { Catalog } from '../catalog/catalog.ts'
import { union } from '../catalog/index/doc-set.ts'
import type { PostingList } from '../catalog/index/postings.ts'
import { term } from '../catalog/index/terms.ts'
import { type Bitset, countBits, countCommon, listBits, ScratchBitset } from '../lib/bitset/bitset.ts'
import { type MeteredCache, VersionedCache } from '../lib/cache.ts'
import { type FilterExecutor, MAX_UNITED_COUNTRIES, selectorTerm } from './filters/filter-executor.ts'
import type { ServiceCounts } from './options/option-matcher.ts'
import type { CatalogSelector, CountQuery, CountStep, Facet, ShowFilters } from './queries.ts'

/** Memory for columns: those of some millions of shows. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024

/** Memory for the names of the services of countries. */
const MAX_NAMES_BYTES = 4 * 1024 * 1024

type FacetCounts = Partial<Record<Facet, FacetCount[]>>

/** How many shows match with another value of a filter. Keys in this order. */
type StepCount = Pick<CountStep, 'filter' | 'value'> & { readonly count: number }

/** The count of the shows that match, their counts by facet, and those of steps, if any. Keys in this order. */
export interface ShowCount {
  readonly count: number
  readonly facets: FacetCounts
  readonly steps?: readonly StepCount[]
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
    const { facets, steps, withoutOwnFilter } = query
    const others = withoutOwnFilter ? facets.filter((facet) => hasOwnFilter(query, facet)) : []
    const { count, facets: counted } = this.countFiltered(
      query,
      facets.filter((facet) => !others.includes(facet)),
      version,
    )
    for (const facet of others)
      Object.assign(counted, this.countFiltered(removeOwnFilter(query, facet), [facet], version).facets)
    const inOrder = Object.fromEntries(facets.map((facet) => [facet, counted[facet]]))
    if (steps.length === 0) return { count, facets: inOrder }
    const counts = steps.map(({ filter, value, filters }) => {
      return { filter, value, count: countBits(this.executor.findPassing(filters, version)) }
    })
    return { count, facets: inOrder, steps: counts }
  }

  /** Counts the shows that pass filters, as a whole and by some facets. */
  private countFiltered(
    filters: ShowFilters,
    facets: readonly Facet[],
    version: number,
  ): { readonly count: number; readonly facets: FacetCounts } {
    const { bits, services } = this.executor.countPassing(filters, version)
    const count = countBits(bits)
    const byTerm = new Map<Facet, FacetCount[]>()
    for (const facet of facets) {
      if (facet === 'services' && services !== undefined) byTerm.set(facet, this.nameServices(services))
      else if (isCountedByTerm(facet, filters)) byTerm.set(facet, this.countTerms(facet, filters, bits, version))
    }
    // The bits are overwritten.
    const part = takeSmallerPart(bits, count, this.catalog.nextDoc())
    const counted: FacetCounts = {}
    for (const facet of facets) {
      const counts = byTerm.get(facet) ?? this.column(facet, filters, version).count(part)
      counted[facet] = counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    }
    return { count, facets: counted }
  }

  private nameServices(counts: ServiceCounts): FacetCount[] {
    return Array.from(counts, ([number, count]) => ({ value: this.catalog.dictionary.text(number), count }))
  }

  private countTerms(facet: Facet, query: ShowFilters, bits: Bitset, version: number): FacetCount[] {
    return [...this.facetTerms(facet, query, version)].flatMap(([value, names]) => {
      const count = this.countWithAny(names, bits, version)
      return count === 0 ? [] : { value, count }
    })
  }

  /** The values of a facet, each with its terms: a service has one for every country and catalog. */
  private facetTerms(facet: Facet, { countries, catalogs }: ShowFilters, version: number): Map<string, string[]> {
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
  private column(facet: Facet, query: ShowFilters, version: number): FacetColumn {
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
function isCountedByTerm(facet: Facet, { countries, catalogs }: ShowFilters): boolean {
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

/** The filters on what a facet counts by, as if they were not set. */
const WITHOUT_OWN_FILTER: Readonly<Record<Facet, Partial<ShowFilters>>> = {
  services: { catalogs: [] },
  showTypes: { showType: undefined },
  genres: { genres: [] },
  years: { yearMin: undefined, yearMax: undefined },
  languages: { originalLanguage: undefined },
}

/** Whether a filter on what a facet counts by is set. Genres that must all be there are narrowed by one more, not replaced. */
function hasOwnFilter(filters: ShowFilters, facet: Facet): boolean {
  if (facet === 'genres' && filters.genresRelation === 'and') return false
  return Object.entries(WITHOUT_OWN_FILTER[facet]).some(
    ([name, unset]) => String(filters[name as keyof ShowFilters]) !== String(unset),
  )
}

function removeOwnFilter(filters: ShowFilters, facet: Facet): ShowFilters {
  return { ...filters, ...WITHOUT_OWN_FILTER[facet] }
}

/** A value, and how many shows have it. Keys in this order. */
export interface FacetCount {
  readonly value: string
  readonly count: number
}

/**
 * The values of a facet by document: a forward index, built from posting lists. Documents with the same values share a
 * combination, so that a count by all values is one pass over the documents, with one addition each, and one over the
 * combinations. Combinations form a trie: each is another one with one value more.
 */
class FacetColumn {
  private readonly names: readonly string[]
  /** The combination of each document; the first one is that of no values. */
  private readonly combinations: Uint16Array | Uint32Array
  /** Of each combination the one without its last value, which has a lower number, and the index of that value. */
  private readonly parents: Uint32Array
  private readonly values: Uint32Array
  /** How many of all documents have each value. */
  private readonly totals: Uint32Array

  /** @param docCount above all document numbers */
  constructor(lists: readonly (readonly [value: string, docs: Uint32Array])[], docCount: number) {
    this.names = lists.map(([value]) => value)
    const combinations = new Uint32Array(docCount)
    const parents = [0]
    const values = [0]
    lists.forEach(([, docs], value) => {
      // Values are added one after the other, so a combination is extended by this one at most once.
      const extended = new Map<number, number>()
      for (let i = 0; i < docs.length; i++) {
        const doc = docs[i] as number
        const parent = combinations[doc] as number
        let combination = extended.get(parent)
        if (combination === undefined) {
          combination = parents.length
          extended.set(parent, combination)
          parents.push(parent)
          values.push(value)
        }
        combinations[doc] = combination
      }
    })
    this.combinations = parents.length <= 0x1_0000 ? Uint16Array.from(combinations) : combinations
    this.parents = Uint32Array.from(parents)
    this.values = Uint32Array.from(values)
    const counts = new Uint32Array(parents.length)
    for (const combination of combinations) counts[combination] = (counts[combination] as number) + 1
    this.totals = this.sumValues(counts)
  }

  /** The memory that it takes, about. */
  get bytes(): number {
    return this.combinations.byteLength + 2 * this.parents.byteLength + 64 * this.names.length
  }

  /** How many of the documents have each value; values of none are left out. */
  count({ docs, isComplement }: CountedDocs): FacetCount[] {
    const sums = this.sumValues(countCombinations(this.combinations, this.parents.length, docs))
    if (isComplement) for (let i = 0; i < sums.length; i++) sums[i] = (this.totals[i] as number) - (sums[i] as number)
    return this.names.flatMap((value, i) => (sums[i] === 0 ? [] : { value, count: sums[i] as number }))
  }

  /** The counts of values from those of combinations, which are overwritten. */
  private sumValues(counts: Uint32Array): Uint32Array {
    const { names, parents, values } = this
    const sums = new Uint32Array(names.length)
    // Whoever has a combination has the one before it, too.
    for (let combination = parents.length - 1; combination > 0; combination--) {
      const count = counts[combination] as number
      if (count === 0) continue
      const value = values[combination] as number
      const parent = parents[combination] as number
      sums[value] = (sums[value] as number) + count
      counts[parent] = (counts[parent] as number) + count
    }
    return sums
  }
}

/** Documents to count by their values: those of a list, or all others. */
export interface CountedDocs {
  readonly docs: Uint32Array
  readonly isComplement: boolean
}

/** The documents of a set, or those that are not in it: whichever are fewer. The set may be overwritten. */
function takeSmallerPart(bits: Bitset, count: number, docCount: number): CountedDocs {
  if (2 * count <= docCount) return { docs: listBits(bits, count), isComplement: false }
  for (let i = 0; i < bits.length; i++) bits[i] = ~(bits[i] as number)
  // Bits behind the last document are not reached: the list is full before.
  return { docs: listBits(bits, docCount - count), isComplement: true }
}

function countCombinations(combinations: Uint16Array | Uint32Array, size: number, docs: Uint32Array): Uint32Array {
  const counts = new Uint32Array(size)
  for (let i = 0; i < docs.length; i++) {
    const combination = combinations[docs[i] as number] as number
    counts[combination] = (counts[combination] as number) + 1
  }
  return counts
}
