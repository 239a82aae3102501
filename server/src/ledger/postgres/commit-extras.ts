import type { Reference } from '../../catalog/reference.ts'
import type { SourceRecord } from '../../catalog/storage/meta.ts'
import type { Batch } from '../../catalog/write/batch.ts'
import type { TopList } from '../../model/service.ts'

/** What the batches of a commit say beside shows and changes. Only the last word on each counts. */
export interface CommitExtras {
  readonly reference?: Reference
  readonly topLists: readonly TopList[]
  readonly sources: readonly SourceRecord[]
  readonly forgetChangesBefore?: number
}

export const EMPTY_EXTRAS: CommitExtras = Object.freeze({ topLists: [], sources: [] })

/** The extras with those of one more batch. */
export function extrasWith(extras: CommitExtras, batch: Batch): CommitExtras {
  const { reference, topLists, source, forgetChangesBefore } = batch
  const silent =
    reference === undefined && topLists === undefined && source === undefined && forgetChangesBefore === undefined
  if (silent) return extras
  return {
    ...extras,
    ...(reference !== undefined && { reference }),
    ...(forgetChangesBefore !== undefined && { forgetChangesBefore }),
    topLists: topLists === undefined ? extras.topLists : lastWords([...extras.topLists, ...topLists], placeOf),
    sources: source === undefined ? extras.sources : lastWords([...extras.sources, source], ({ name }) => name),
  }
}

/** Batches that say the extras, after all others of a commit. */
export function* extraBatches({ sources, ...extras }: CommitExtras, at: number): Iterable<Batch> {
  const [first, ...others] = sources
  yield { at, shows: [], changes: [], ...extras, ...(first !== undefined && { source: first }) }
  for (const source of others) yield { at, shows: [], changes: [], source }
}

function placeOf({ country, service, showType }: TopList): string {
  return `${country}/${service}/${showType}`
}

function lastWords<T>(all: readonly T[], nameOf: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [nameOf(one), one])).values()]
}
