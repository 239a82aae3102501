import type { Catalog } from '../catalog/catalog.ts'
import type { KnownNames } from './answers.ts'
import { knownNames } from './known-names.ts'
import { readTransaction } from './read-transactions.ts'
import { ReferenceBytes } from './reference-bytes.ts'

/** What all answers out of one version of the catalog have in common. */
export interface CatalogState {
  readonly version: number
  readonly edition: string
  readonly reference: ReferenceBytes
  readonly names: KnownNames
}

/**
 * The state of the catalog as reads see it at this moment. The version is looked at once in each read transaction, and
 * all else only if the version is another: edition and reference data do not change without it.
 */
export class CurrentState {
  private readonly catalog: Catalog
  private readonly transaction: () => number
  private seenIn = -1
  private revision = -1
  private state: CatalogState | undefined

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.transaction = readTransaction(catalog.environment)
  }

  get(): CatalogState {
    const transaction = this.transaction()
    if (this.state === undefined || this.seenIn !== transaction) {
      this.state = this.look()
      this.seenIn = transaction
    }
    return this.state
  }

  private look(): CatalogState {
    const { catalog, state } = this
    const version = catalog.version()
    if (state?.version === version) return state
    const edition = catalog.contentHash()
    const { revision, reference } = catalog.referenceWithRevision()
    if (state !== undefined && this.revision === revision) return { ...state, version, edition }
    this.revision = revision
    return { version, edition, reference: new ReferenceBytes(catalog, reference), names: knownNames(reference) }
  }
}
