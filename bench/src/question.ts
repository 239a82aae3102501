import type { Bench } from './bench.ts'
import { type Comparison, tableOf } from './compare.ts'
import type { Table } from './support/table.ts'

/** The answer to a question of the benchmarks: tables for people, figures for programs. */
export interface Findings {
  readonly tables: readonly Table[]
  readonly figures: unknown
}

/** A question that the benchmarks answer. */
export interface Question {
  readonly name: string
  /** The question as a sentence. */
  readonly asks: string
  find(bench: Bench): Promise<Findings>
}

/** The findings of a question that consists of comparisons. */
export function findingsOf(comparisons: readonly Comparison[]): Findings {
  return { tables: comparisons.map(tableOf), figures: comparisons }
}
