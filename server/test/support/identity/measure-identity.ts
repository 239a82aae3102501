import type { Catalog } from '../../../src/catalog/catalog.ts'
import { importFeed } from '../../../src/ingest/import-feed.ts'
import { LocalLedger } from '../../../src/ledger/local-ledger.ts'
import { feedFromRecords } from '../feed.ts'
import type { LabelledList, LabelledRecord } from './labelled-lists.ts'

/** How well an import tells works apart and joins them. */
export interface IdentityFigures {
  readonly records: number
  /** Pairs of records from two lists that are about the same work, and those of them that ended in one show. */
  readonly truePairs: number
  readonly found: number
  readonly recall: number
  /** Pairs of records that ended in one show, and those of them that are about two works. */
  readonly joinedPairs: number
  readonly wrong: number
  readonly wrongShare: number
  readonly ambiguous: number
  /** Records of missed and wrong pairs, for whoever improves the comparison. */
  readonly missed: readonly [LabelledRecord, LabelledRecord][]
  readonly mistaken: readonly [LabelledRecord, LabelledRecord][]
}

/** Imports the lists one after the other into a catalog of a folder, and compares the shows with the labels. */
export async function measureIdentity(lists: readonly LabelledList[], folder: string): Promise<IdentityFigures> {
  const ledger = new LocalLedger(folder)
  let ambiguous = 0
  try {
    for (const { source, records } of lists) {
      const head = [
        { kind: 'feed', source, mode: 'snapshot' },
        { kind: 'service', id: source, name: source },
        ...['drama', 'documentary', 'animation'].map((id) => ({ kind: 'genre', id })),
      ]
      const feed = feedFromRecords([...head, ...records.map(({ record }) => record)])
      const { notices } = await importFeed(feed, ledger, { clock: () => 1_700_000_000 })
      ambiguous += notices.ambiguous_show ?? 0
    }
    return compare(lists, ledger.catalog, ambiguous)
  } finally {
    await ledger.close()
  }
}

function compare(lists: readonly LabelledList[], catalog: Catalog, ambiguous: number): IdentityFigures {
  const entries = lists.flatMap(({ source, records }) =>
    records.map((entry) => ({
      ...entry,
      source,
      doc: catalog.identities.findRecord(source, entry.record.recordId) ?? -1,
    })),
  )
  const missed: [LabelledRecord, LabelledRecord][] = []
  const mistaken: [LabelledRecord, LabelledRecord][] = []
  let [truePairs, joinedPairs] = [0, 0]
  for (const group of groupBy(entries, ({ label }) => label)) {
    for (const [a, b] of findTruePairs(group)) {
      truePairs++
      if (a.doc !== b.doc) missed.push([a, b])
    }
  }
  for (const group of groupBy(entries, ({ doc }) => doc)) {
    for (const [a, b] of pairs(group)) {
      joinedPairs++
      if (a.label !== b.label) mistaken.push([a, b])
    }
  }
  const found = truePairs - missed.length
  return {
    records: entries.length,
    truePairs,
    found,
    recall: found / truePairs,
    joinedPairs,
    wrong: mistaken.length,
    wrongShare: mistaken.length / joinedPairs,
    ambiguous,
    missed,
    mistaken,
  }
}

/**
 * The pairs of one work that an import should find. Two records of one list are two shows, so of a work that a list has
 * twice, another list can be joined with one only: the pair that was found, else the first.
 */
function* findTruePairs<T extends { readonly source: string; readonly doc: number }>(
  group: readonly T[],
): Iterable<[T, T]> {
  const bySource = groupBy(group, ({ source }) => source)
  for (const [some, others] of pairs(bySource)) {
    const all = some.flatMap((a) => others.map((b): [T, T] => [a, b]))
    yield all.find(([a, b]) => a.doc === b.doc) ?? (all[0] as [T, T])
  }
}

function groupBy<T, K>(items: readonly T[], key: (item: T) => K): T[][] {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group === undefined) groups.set(key(item), [item])
    else group.push(item)
  }
  return [...groups.values()]
}

function* pairs<T>(items: readonly T[]): Iterable<[T, T]> {
  for (let i = 0; i < items.length; i++) {
    for (let j = i + 1; j < items.length; j++) yield [items[i] as T, items[j] as T]
  }
}
