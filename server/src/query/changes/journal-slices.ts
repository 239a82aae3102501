import type { Catalog } from '../../catalog/catalog.ts'
import type { StoredChange } from '../../catalog/changes/stored-change.ts'
import { VersionedCache } from '../../lib/versioned-cache.ts'
import { currentToken, encodeToken, type JournalPlace, resolveCountryToken } from './journal-token.ts'

/** Changes of a slice: what is read in one turn of the event loop. */
const SLICE_CHANGES = 100

const MAX_CACHE_BYTES = 8 * 1024 * 1024

/** The size of a decoded change, about. */
const CHANGE_BYTES = 600

/** A change, and the token behind it. */
interface TokenedChange {
  readonly change: StoredChange
  readonly token: string
}

/** Changes of a country that follow each other in the journal. */
interface JournalSlice {
  readonly changes: readonly TokenedChange[]
  /** The token behind the slice. */
  readonly token: string
  /** Whether the journal has more behind it. */
  readonly hasMore: boolean
}

/**
 * Reads the journal of a country in slices, from a token on. Readers that follow the journal are all at its end, so they
 * read the same slices, however their filters differ: a cached slice is decoded once for all of them.
 */
export class JournalSlices {
  readonly cache = new VersionedCache<string, JournalSlice>({
    name: 'journal_slices',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ changes }, key) => 200 + 2 * key.length + CHANGE_BYTES * changes.length,
  })
  private readonly catalog: Catalog

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /** The slice behind a token. Throws for a token that is malformed or has expired. */
  read(country: string, token: string): JournalSlice {
    const version = this.catalog.version()
    const place = resolveCountryToken(this.catalog, token)
    const key = `${country}/${place.version}/${place.offset}`
    return this.cache.getOrCompute(key, version, () => this.readFrom(country, place, version))
  }

  private readFrom(country: string, place: JournalPlace, version: number): JournalSlice {
    const { catalog } = this
    const changes: TokenedChange[] = []
    let count = 0
    for (const entry of catalog.journal.changesFrom(place, country, version)) {
      if (count++ === SLICE_CHANGES) {
        const { version, offset } = entry
        return { changes, token: encodeToken(catalog, { version, offset }), hasMore: true }
      }
      if (entry.change === undefined) continue
      const token = encodeToken(catalog, { version: entry.version, offset: entry.offset + 1 })
      changes.push({ change: entry.change, token })
    }
    return { changes, token: currentToken(catalog), hasMore: false }
  }
}
