import type { Change } from '../model/change.ts'
import type { TopList } from '../model/service.ts'
import type { Show } from '../model/show.ts'
import type { Reference } from './reference.ts'
import type { SourceRecord } from './source-record.ts'
import type { ToldStatement } from './told-statements.ts'

/**
 * What is to become true of the catalog, all at once. Plain data: the same batches, applied in the same order to an
 * empty catalog, give the same catalog anywhere.
 */
export interface Batch {
  /** The instant that the batch speaks of. */
  readonly at: number
  /** Shows as they are from now on, each whole, each at most once. */
  readonly shows: readonly Show[]
  /** What is to be added to the change log. */
  readonly changes: readonly Change[]
  readonly reference?: Reference
  readonly topLists?: readonly TopList[]
  readonly source?: SourceRecord
  /** Changes before this instant are no longer needed. */
  readonly forgetChangesBefore?: number
  /** What shows, of this batch or as they were before, need not be told again: for this copy of the catalog alone. */
  readonly told?: readonly ToldStatement[]
}
