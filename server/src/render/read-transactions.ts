import type { Environment } from '../catalog/storage/environment.ts'

/** What lmdb has beyond its published types: it begins a read transaction if none is open, and tells when it does. */
interface Table {
  ensureReadTxn?(): void
  resetReadTxn(): void
  addListener(event: 'begin-transaction', listener: () => void): void
}

const counters = new WeakMap<Environment, () => number>()

/**
 * A number for the read transaction that reads are made in at this moment. lmdb keeps one open for about a millisecond
 * and for many requests; while the number is the same, nothing that is read can be another. One counter for each
 * environment, however many ask.
 */
export function readTransaction(environment: Environment): () => number {
  const known = counters.get(environment)
  if (known !== undefined) return known
  const counter = createCounter(environment)
  counters.set(environment, counter)
  return counter
}

function createCounter(environment: Environment): () => number {
  let begun = 0
  // Each table tells only of the transactions that its own reads began.
  for (const table of Object.values(environment) as Table[]) table.addListener('begin-transaction', () => begun++)
  const root = environment.root as unknown as Table
  root.resetReadTxn()
  root.ensureReadTxn?.()
  // An lmdb that does not tell makes every look a new one: slower, but not wrong.
  if (begun === 0) return () => ++begun
  return function current() {
    root.ensureReadTxn?.()
    return begun
  }
}
