import type { Catalog } from '../../catalog/catalog.ts'
import { type ColumnEntry, compareInDirection, type SortKey } from '../../catalog/sorted/column-store.ts'
import type { OptionMatcher } from '../options/option-matcher.ts'
import type { FilterQuery, ShowOrder } from '../queries.ts'

/** Orders whose values are computed for each query, since they depend on its filters or its seed. */
const COMPUTED_ORDERS = ['available_since', 'leaving', 'random'] as const

/** Whether an order has no column. */
export function isComputedOrder(order: ShowOrder): order is (typeof COMPUTED_ORDERS)[number] {
  return COMPUTED_ORDERS.includes(order as (typeof COMPUTED_ORDERS)[number])
}

/** The first documents from a key on, in a computed order. */
export function selectComputed(
  catalog: Catalog,
  options: OptionMatcher,
  { order, direction, seed = 0 }: FilterQuery,
  docs: Uint32Array,
  from: SortKey | undefined,
  limit: number,
): ColumnEntry[] {
  if (order !== 'random') {
    const read = order === 'leaving' ? 'earliestEnd' : 'latestStart'
    return selectFirst(docs, (doc) => options[read](doc), direction, from, limit)
  }
  const key = mix(seed)
  // No two documents have the same value, so the ids are read only of those that are taken.
  const start = from === undefined ? undefined : { value: from.value, id: 0 }
  const entries = selectFirst(docs, (doc) => ({ value: mix(key ^ doc), id: 0 }), direction, start, limit)
  return entries.map((entry) => ({ ...entry, id: catalog.sortValue(entry.doc, 'rating').id }))
}

/** The first documents by value and id, from a key on. */
function selectFirst(
  docs: Uint32Array,
  sortKey: (doc: number) => SortKey,
  direction: 'asc' | 'desc',
  from: SortKey | undefined,
  limit: number,
): ColumnEntry[] {
  const compare = compareInDirection(direction)
  const first: ColumnEntry[] = []
  for (const doc of docs) {
    const key = sortKey(doc)
    if (from !== undefined && compare(key, from) < 0) continue
    if (first.length === limit && compare(key, first[limit - 1] as ColumnEntry) >= 0) continue
    let at = first.length
    while (at > 0 && compare(key, first[at - 1] as ColumnEntry) < 0) at--
    first.splice(at, 0, { ...key, doc })
    if (first.length > limit) first.pop()
  }
  return first
}

/** Scrambles 32 bits (the finalizer of MurmurHash3). Different numbers stay different. */
function mix(number: number): number {
  let bits = number | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
