import type { Catalog } from '../../catalog/catalog.ts'
import { titleVariants } from '../../catalog/index/analyzer.ts'
import { term } from '../../catalog/index/terms.ts'
import type { ShowType } from '../../model/show.ts'

/** Where a title is looked for. */
export interface ServiceCatalog {
  readonly country: string
  readonly service: string
  readonly showType: ShowType
}

/**
 * The ids of the shows that a service has in a country and that go by a title, in any language, without regard to case,
 * accents and punctuation.
 */
export function showsByTitle(
  catalog: Catalog,
  title: string,
  { country, service, showType }: ServiceCatalog,
): string[] {
  const version = catalog.version()
  const offered = catalog.docsWithTerm(term.service(country, service), version)
  const ids = new Set<string>()
  for (const form of titleVariants(title)) {
    for (const doc of catalog.docsWithTerm(term.titleEqual(form), version).toArray()) {
      const facts = offered.has(doc) ? catalog.facts(doc) : undefined
      if (facts?.showType === showType) ids.add(facts.id)
    }
  }
  return [...ids]
}

/** Whether a service offers anything in a country. */
export function hasOffers(catalog: Catalog, service: string, country: string): boolean {
  return catalog.docsWithTerm(term.service(country, service), catalog.version()).size > 0
}
