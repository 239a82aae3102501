import type { Environment } from './environment.ts'

/** Members of lmdb stores that its types do not declare; see lib/runtime-hacks/README.md. */
interface LmdbStore {
  ensureReadTxn?(): void
  resetReadTxn(): void
  addListener(event: 'begin-transaction', listener: () => void): void
}

/**
 * Creates a function that returns a number for the current read transaction. lmdb keeps one open for about a
 * millisecond, over many requests: while the number is the same, all reads see the same data. To be called once for an
 * environment, since it adds a listener to every table.
 */
export function createReadTransactionCounter(environment: Environment): () => number {
  let count = 0
  // A store reports only the transactions that its own reads started. A catalog that is read only may lack a table.
  for (const store of Object.values(environment) as (LmdbStore | undefined)[]) {
    store?.addListener('begin-transaction', () => count++)
  }
  const root = environment.root as unknown as LmdbStore
  root.resetReadTxn()
  root.ensureReadTxn?.()
  // With an lmdb that does not report them, every read counts as a new transaction: slower, but correct.
  if (count === 0) return () => ++count
  return function currentTransaction() {
    root.ensureReadTxn?.()
    return count
  }
}
