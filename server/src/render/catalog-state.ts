import type { Catalog } from '../catalog/catalog.ts'
import type { Reference } from '../catalog/reference.ts'
import type { Environment } from '../catalog/storage/environment.ts'
import type { ReferenceNames } from './query-engine.ts'
import { ReferenceRenderer } from './reference-renderer.ts'

/** What all answers out of one version of the catalog have in common. */
export interface CatalogState {
  readonly version: number
  readonly contentHash: string
  readonly reference: ReferenceRenderer
  readonly names: ReferenceNames
}

/**
 * The state of the catalog as reads see it at this moment. The version is looked at once in each read transaction, and
 * all else only if the version is another: edition and reference data do not change without it.
 */
export class CatalogStateReader {
  private readonly catalog: Catalog
  private readonly transaction: () => number
  private seenTransaction = -1
  private revision = -1
  private state: CatalogState | undefined

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.transaction = readTransactionCounter(catalog.environment)
  }

  get(): CatalogState {
    const transaction = this.transaction()
    if (this.state === undefined || this.seenTransaction !== transaction) {
      this.state = this.readState()
      this.seenTransaction = transaction
    }
    return this.state
  }

  private readState(): CatalogState {
    const { catalog, state } = this
    const version = catalog.version()
    if (state?.version === version) return state
    const edition = catalog.contentHash()
    const { revision, reference } = catalog.referenceWithRevision()
    if (state !== undefined && this.revision === revision) return { ...state, version, contentHash: edition }
    this.revision = revision
    return {
      version,
      contentHash: edition,
      reference: new ReferenceRenderer(catalog, reference),
      names: createReferenceNames(reference),
    }
  }
}

/** The names that the reference data holds. */
export function createReferenceNames({ countries, genres, services }: Reference): ReferenceNames {
  const countryCodes = Object.keys(countries).sort()
  const genreIds = Object.keys(genres).sort()
  const addons = new Set(
    Object.values(services).flatMap(({ id, countries }) =>
      Object.values(countries).flatMap(({ addons }) => addons.map((addon) => `${id}.${addon.id}`)),
    ),
  )
  const inUse = new Set(Object.values(services).flatMap(({ id, countries }) => (isNotEmpty(countries) ? id : [])))
  return {
    hasCountry: (code) => Object.hasOwn(countries, code),
    hasGenre: (id) => Object.hasOwn(genres, id),
    hasService: (id) => inUse.has(id),
    hasAddon: (service, addon) => addons.has(`${service}.${addon}`),
    countryCodes: () => countryCodes,
    genreIds: () => genreIds,
  }
}

function isNotEmpty(record: object): boolean {
  return Object.keys(record).length > 0
}

/** What lmdb has beyond its published types: it begins a read transaction if none is open, and tells when it does. */
interface LmdbTable {
  ensureReadTxn?(): void
  resetReadTxn(): void
  addListener(event: 'begin-transaction', listener: () => void): void
}

const transactionCounters = new WeakMap<Environment, () => number>()

/**
 * A number for the read transaction that reads are made in at this moment. lmdb keeps one open for about a millisecond
 * and for many requests; while the number is the same, nothing that is read can be another. One counter for each
 * environment, however many ask.
 */
export function readTransactionCounter(environment: Environment): () => number {
  const known = transactionCounters.get(environment)
  if (known !== undefined) return known
  const counter = createTransactionCounter(environment)
  transactionCounters.set(environment, counter)
  return counter
}

function createTransactionCounter(environment: Environment): () => number {
  let begun = 0
  // Each table tells only of the transactions that its own reads began.
  for (const table of Object.values(environment) as LmdbTable[]) table.addListener('begin-transaction', () => begun++)
  const root = environment.root as unknown as LmdbTable
  root.resetReadTxn()
  root.ensureReadTxn?.()
  // An lmdb that does not tell makes every look a new one: slower, but not wrong.
  if (begun === 0) return () => ++begun
  return function current() {
    root.ensureReadTxn?.()
    return begun
  }
}
