import { describeDamage } from '../storage/environment.ts'

/** The parts of a catalog that a verification tells apart. */
export type CatalogPart =
  | 'documents'
  | 'changes'
  | 'history'
  | 'top lists'
  | 'reference data'
  | 'log'
  | 'ids'
  | 'postings'
  | 'spellings'
  | 'columns'
  | 'windows'
  | 'identities'
  | 'counts'
  | 'dictionary'
  | 'journal'
  | 'seen records'

/** What is wrong with an entry: it is not there, should not be there, says something else, or cannot be decoded. */
export type ProblemKind = 'missing' | 'unexpected' | 'different' | 'unreadable'

/** A kind of problem of one part: how often it was found, and the first examples. */
export interface CatalogProblem {
  readonly part: CatalogPart
  readonly problem: ProblemKind
  readonly count: number
  readonly examples: readonly string[]
  /** Whether the part can be built anew from the documents. */
  readonly repairable: boolean
}

/** Parts that hold what nothing else in the catalog holds. All others can be built from these. */
const DATA_PARTS: ReadonlySet<CatalogPart> = new Set([
  'documents',
  'changes',
  'history',
  'top lists',
  'reference data',
  'log',
])

const MAX_EXAMPLES = 5

/** Collects problems by part and kind, with a few examples of each. */
export class ProblemCollector {
  private readonly byKind = new Map<string, CatalogProblem & { count: number; examples: string[] }>()

  add(part: CatalogPart, problem: ProblemKind, example: string): void {
    const key = `${part} ${problem}`
    let found = this.byKind.get(key)
    if (found === undefined) {
      found = { part, problem, count: 0, examples: [], repairable: !DATA_PARTS.has(part) }
      this.byKind.set(key, found)
    }
    found.count++
    if (found.examples.length < MAX_EXAMPLES) found.examples.push(example)
  }

  /** Runs a check of a part. One that cannot read on is a problem itself. */
  attempt(part: CatalogPart, check: () => void): void {
    try {
      check()
    } catch (error) {
      this.add(part, 'unreadable', describeDamage(error))
    }
  }

  list(): CatalogProblem[] {
    return [...this.byKind.values()]
  }
}
