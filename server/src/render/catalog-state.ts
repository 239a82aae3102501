import type { Catalog } from '../catalog/catalog.ts'
import type { Reference } from '../catalog/reference.ts'
import type { Environment } from '../catalog/storage/environment.ts'
import { CacheMeter } from '../lib/cache-meter.ts'
import type { ReferenceNames } from './query-engine.ts'
import { MAX_REFERENCE_CACHE_BYTES, ReferenceRenderer } from './reference-renderer.ts'

/** What all responses from one catalog version share. */
interface CatalogState {
  readonly version: number
  readonly contentHash: string
  readonly reference: ReferenceRenderer
  readonly names: ReferenceNames
}

/**
 * The state of the catalog in the current read transaction. It reads the version once in each transaction, and the
 * rest only when the version has changed: content hash and reference data change only with it.
 */
export class CatalogStateReader {
  readonly referenceMeter = new CacheMeter('reference', MAX_REFERENCE_CACHE_BYTES)
  private readonly catalog: Catalog
  private readonly currentTransaction: () => number
  private seenTransaction = -1
  private revision = -1
  private state: CatalogState | undefined

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.currentTransaction = readTransactionCounter(catalog.environment)
  }

  get(): CatalogState {
    const transaction = this.currentTransaction()
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
    const contentHash = catalog.contentHash()
    const { revision, reference } = catalog.referenceWithRevision()
    if (state !== undefined && this.revision === revision) return { ...state, version, contentHash }
    this.revision = revision
    return {
      version,
      contentHash,
      reference: new ReferenceRenderer(catalog, reference, this.referenceMeter),
      names: createReferenceNames(reference),
    }
  }
}

function createReferenceNames({ countries, genres, services }: Reference): ReferenceNames {
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

/** Members of lmdb tables that its types do not declare; see lib/runtime-hacks/README.md. */
interface LmdbTable {
  /** Begins a read transaction if none is open. */
  ensureReadTxn?(): void
  resetReadTxn(): void
  addListener(event: 'begin-transaction', listener: () => void): void
}

const transactionCounters = new WeakMap<Environment, () => number>()

/**
 * A number that identifies the current read transaction. lmdb keeps one open for about a millisecond, over many
 * requests; while the number is the same, all reads see one snapshot. There is one counter for each environment.
 */
function readTransactionCounter(environment: Environment): () => number {
  let counter = transactionCounters.get(environment)
  if (counter === undefined) {
    counter = createTransactionCounter(environment)
    transactionCounters.set(environment, counter)
  }
  return counter
}

function createTransactionCounter(environment: Environment): () => number {
  let begun = 0
  // Each table emits the event only for transactions that its own reads began.
  for (const table of Object.values(environment) as LmdbTable[]) table.addListener('begin-transaction', () => begun++)
  const root = environment.root as unknown as LmdbTable
  root.resetReadTxn()
  root.ensureReadTxn?.()
  // Without the event every call returns a new number: slower, but correct.
  if (begun === 0) return () => ++begun
  return function current() {
    root.ensureReadTxn?.()
    return begun
  }
}
