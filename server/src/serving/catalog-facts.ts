import type { Catalog } from '../catalog/catalog.ts'
import { DEMO_SOURCE } from '../demo/feed-records.ts'
import type { CatalogFacts } from '../http/site/web-pages.ts'

/** Tells the pages what kind of catalog they show. It is read anew only when the catalog has changed. */
export function catalogFacts(catalog: Catalog): () => CatalogFacts {
  let version: number | undefined
  let facts: CatalogFacts = { isDemo: false, countries: [], attributions: [] }
  return () => {
    if (catalog.version() === version) return facts
    version = catalog.version()
    const sources = catalog.sources()
    facts = {
      isDemo: sources.some(({ name }) => name === DEMO_SOURCE),
      countries: Object.keys(catalog.reference().countries).sort(),
      attributions: sources.flatMap(({ attribution }) => attribution ?? []),
    }
    return facts
  }
}
