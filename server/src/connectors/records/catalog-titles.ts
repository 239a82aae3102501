import type { Catalog } from '../../catalog/catalog.ts'
import { titleVariants } from '../../catalog/index/analyzer.ts'
import { term } from '../../catalog/index/terms.ts'

/** The documents whose title in any language equals a title, ignoring case, accents and punctuation. */
export function findDocsByTitle(catalog: Catalog, title: string): number[] {
  const version = catalog.version()
  const docs = new Set<number>()
  for (const variant of titleVariants(title)) {
    for (const doc of catalog.docsWithTerm(term.titleEqual(variant), version).toArray()) docs.add(doc)
  }
  return [...docs]
}
