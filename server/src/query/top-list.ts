import type { Catalog } from '../catalog/catalog.ts'
import { findService } from '../catalog/storage/reference.ts'
import { SHOW_TYPES } from '../model/show.ts'
import type { TopQuery } from './queries.ts'

/** The shows of a service's official top list. Without a show type, movies and series are interleaved by rank. */
export function getTopList(catalog: Catalog, { country, service, showType }: TopQuery): number[] {
  if (findService(catalog.reference(), service)?.hasTopList !== true) return []
  const types = showType === undefined ? SHOW_TYPES : [showType]
  const lists = types.map((type) => findDocs(catalog, catalog.topList(country, service, type)))
  const length = Math.max(...lists.map((list) => list.length))
  return Array.from({ length }, (_, rank) => lists.flatMap((list) => list[rank] ?? [])).flat()
}

/** The documents of ids, without deleted shows. Each once: two ids may belong to one show by now. */
function findDocs(catalog: Catalog, ids: readonly string[]): number[] {
  const docs = ids.flatMap((id) => {
    const doc = catalog.findDoc(id)
    return doc === undefined || catalog.facts(doc)?.deleted !== false ? [] : doc
  })
  return [...new Set(docs)]
}
