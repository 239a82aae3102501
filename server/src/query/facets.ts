import type { Catalog } from '../catalog/catalog.ts'
import { type DocSet, union } from '../catalog/index/doc-set.ts'
import { term } from '../catalog/index/terms.ts'
import { SHOW_TYPES } from '../model/show.ts'
import { type FilterExecutor, selectorTerm } from './filter-executor.ts'
import type { CatalogSelector, CountQuery, Facet } from './queries.ts'

/** How many of the shows have a value. Keys in this order. */
interface FacetCount {
  readonly value: string
  readonly count: number
}

/** The count of the shows that match, and their counts by facet. Keys in this order. */
interface ShowCount {
  readonly count: number
  readonly facets: Partial<Record<Facet, FacetCount[]>>
}

/** Counts the shows that match a query, as a whole and by its facets: an intersection of bitmaps for each value. */
export function countFacets(catalog: Catalog, executor: FilterExecutor, query: CountQuery): ShowCount {
  const version = catalog.version()
  const { set } = executor.execute(query, version)
  const facets: Partial<Record<Facet, FacetCount[]>> = {}
  for (const facet of query.facets) {
    const counts =
      facet === 'services' && query.options !== undefined
        ? countPassing(catalog, executor, query, set, version)
        : countIntersections(set, facetSets(catalog, query, facet, version))
    facets[facet] = counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  }
  return { count: set.size, facets }
}

/** The services of options that pass the filters on options, which posting lists do not know. */
function countPassing(
  catalog: Catalog,
  executor: FilterExecutor,
  query: CountQuery,
  set: DocSet,
  version: number,
): FacetCount[] {
  const counts = executor.matchOptions(query, version).countServices(set.toUint32Array())
  return Array.from(counts, ([number, count]) => ({ value: catalog.dictionary.text(number), count }))
}

function countIntersections(set: DocSet, sets: Iterable<[value: string, docs: DocSet]>): FacetCount[] {
  const counts: FacetCount[] = []
  for (const [value, docs] of sets) {
    const count = set.andCardinality(docs)
    if (count > 0) counts.push({ value, count })
  }
  return counts
}

/** The values of a facet, each with its documents. */
function* facetSets(
  catalog: Catalog,
  query: CountQuery,
  facet: Facet,
  version: number,
): Iterable<[value: string, docs: DocSet]> {
  const docs = (name: string) => catalog.docsWithTerm(name, version)
  if (facet === 'services') yield* serviceSets(catalog, query, version)
  else if (facet === 'showTypes') {
    for (const type of SHOW_TYPES) yield [type, docs(term.showType(type))]
  } else {
    const prefix = FACET_PREFIXES[facet]
    for (const name of catalog.postings.termsWithPrefix(prefix)) yield [name.slice(prefix.length), docs(name)]
  }
}

const FACET_PREFIXES = { genres: term.genre(''), years: term.year(''), languages: term.originalLanguage('') } as const

/** The documents of each service in the countries; of its part in the catalogs, if the query names some. */
function serviceSets({ postings }: Catalog, { countries, catalogs }: CountQuery, version: number): Map<string, DocSet> {
  const sets = new Map<string, DocSet[]>()
  const add = (country: string, selector: CatalogSelector) => {
    const docs = postings.get(selectorTerm(country, selector), version)
    const known = sets.get(selector.service)
    if (known === undefined) sets.set(selector.service, [docs])
    else known.push(docs)
  }
  for (const country of countries) {
    for (const selector of catalogs) add(country, selector)
    if (catalogs.length > 0) continue
    const prefix = term.service(country, '')
    for (const name of postings.termsWithPrefix(prefix)) {
      const service = name.slice(prefix.length)
      // Terms of a service's types and addons have a slash.
      if (!service.includes('/')) add(country, { service })
    }
  }
  return new Map([...sets].map(([service, docs]) => [service, union(docs)]))
}
