import type { Catalog } from '../catalog/catalog.ts'
import { findService } from '../catalog/reference.ts'
import { SHOW_TYPES } from '../model/show.ts'
import type { TopQuery } from './queries.ts'

/** The shows of a service's official list; of both types, those of equal rank side by side. */
export function getTopList(catalog: Catalog, { country, service, showType }: TopQuery): number[] {
  if (findService(catalog.reference(), service)?.hasTopList !== true) return []
  const types = showType === undefined ? SHOW_TYPES : [showType]
  const lists = types.map((type) => findDocs(catalog, catalog.topList(country, service, type)))
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, rank) => lists.flatMap((list) => list[rank] ?? [])).flat()
}

/** The shows of a list that are still there, each once: two entries may have turned out to be one show. */
function findDocs(catalog: Catalog, ids: readonly string[]): number[] {
  const docs = ids.flatMap((id) => {
    const doc = catalog.findDoc(id)
    return doc === undefined || catalog.facts(doc)?.deleted !== false ? [] : doc
  })
  return [...new Set(docs)]
}
