import type { QuotaDelta } from '../quota-counts.ts'
import type { UsageDelta } from '../usage-book.ts'

/** Counts of one process that are added to those of all, once. */
export interface Settlement {
  /** The process, and the number of this one among its settlements. */
  readonly settler: string
  readonly number: number
  readonly quota: readonly QuotaDelta[]
  readonly usage: readonly UsageDelta[]
}

/** Where a settlement that could not be sent is kept: those of a process are in order. */
export function outboxKey({ settler, number }: Pick<Settlement, 'settler' | 'number'>): string {
  return `${settler}/${String(number).padStart(12, '0')}`
}
