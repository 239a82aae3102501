import type { Catalog } from '../catalog/catalog.ts'
import { findServiceInCountry, type Reference } from '../catalog/storage/reference.ts'
import { CacheMeter } from '../lib/cache.ts'
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
  private seenTransaction = -1
  private revision = -1
  private state: CatalogState | undefined

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  get(): CatalogState {
    const transaction = this.catalog.readTransactionId()
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

function createReferenceNames(reference: Reference): ReferenceNames {
  const { countries, genres, services } = reference
  const countryCodes = Object.keys(countries).sort()
  const genreIds = Object.keys(genres).sort()
  const serviceIds = new Map<string, readonly string[]>()
  return {
    hasCountry: (code) => Object.hasOwn(countries, code),
    hasGenre: (id) => Object.hasOwn(genres, id),
    countryCodes: () => countryCodes,
    genreIds: () => genreIds,
    serviceIds(country) {
      let ids = serviceIds.get(country)
      if (ids === undefined) {
        ids = Object.keys(services).filter((id) => findServiceInCountry(reference, id, country) !== undefined)
        serviceIds.set(country, ids)
      }
      return ids
    },
    addonIds: (country, service) => findServiceInCountry(reference, service, country)?.addons.map(({ id }) => id) ?? [],
  }
}
