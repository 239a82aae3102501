import type { Database } from 'lmdb'
import { crc32 } from '../../lib/bytes.ts'
import type { HistorySnapshot } from '../../model/history.ts'
import type { TopList } from '../../model/service.ts'
import type { ShowType } from '../../model/show.ts'
import type { Attribution } from '../../model/source-ranks.ts'
import { DamagedCatalogError } from './environment.ts'
import { EMPTY_REFERENCE, type Reference } from './reference.ts'

/** A position in the log of a ledger. */
export interface LogPosition {
  /** The id of the ledger. */
  readonly ledger: string
  /** The number of the last commit that the catalog has applied; 0 before the first. */
  readonly commit: number
}

/** A complete snapshot with a scope: its time, and what it covers; an absent list covers all. */
export interface Confirmation {
  readonly at: number
  readonly countries?: readonly string[]
  readonly services?: readonly string[]
}

/** A source of feeds with its last import. An import of an exported feed brings sources without one. */
export interface SourceRecord {
  readonly name: string
  /** The credits that its licence requires to be shown with its data. */
  readonly attribution?: readonly Attribution[]
  readonly lastImport?: {
    readonly at: number
    readonly mode: 'snapshot' | 'delta'
    readonly shows: number
    readonly changes: Readonly<Record<string, number>>
    readonly notices: Readonly<Record<string, number>>
    /** Whether the feed was complete. A truncated one adds and updates, but removes nothing. */
    readonly complete: boolean
  }
  /** The time of its last complete snapshot without a scope, which states all its offers. */
  readonly confirmedAt?: number
  /** Its later complete snapshots with a scope, by time: the last of each scope that no later one covers. */
  readonly confirmations?: readonly Confirmation[]
  /** Keys of the top lists that it has stated after all other sources. */
  readonly topLists?: readonly string[]
  /** The time of its first import, from which on its history is recorded; that of the last one before there was history. */
  readonly recordedSince?: number
  /** Old snapshots that its history was filled from, by time. */
  readonly snapshots?: readonly HistorySnapshot[]
}

/** The size of the catalog. */
export interface CatalogCounts {
  readonly shows: number
  readonly offers: number
  readonly offersBySource: Readonly<Record<string, number>>
}

/** Reference data with the catalog version at which it last changed. */
export interface VersionedReference {
  readonly revision: number
  readonly reference: Reference
}

/** The values under fixed keys. */
interface MetaValues {
  readonly format: number
  readonly version: number
  readonly edition: string
  /** A hash over when each source was last confirmed. */
  readonly confirmationHash: string
  readonly position: LogPosition
  readonly nextDoc: number
  readonly highestId: number
  readonly counts: CatalogCounts
  readonly reference: Reference
  readonly referenceRevision: number
  /** The CRC-32 of the stored reference data; catalogs of older formats have none. */
  readonly referenceChecksum: number
  /** The catalog versions of the blocks of documents: see `readBlockVersions`. */
  readonly blockVersions: readonly number[]
  /** How the identity index was built. */
  readonly identityIndex: number
}

const NO_COUNTS: CatalogCounts = { shows: 0, offers: 0, offersBySource: {} }

/** The records of a catalog that belong to no show: version, counters, reference data, sources and top lists. */
export class MetaStore {
  private readonly meta: Database<unknown, string>
  private readonly sourceTable: Database<unknown, string>
  private readonly topListTable: Database<unknown, string>
  private cachedReference: VersionedReference | undefined

  constructor(tables: Readonly<Record<'meta' | 'sources' | 'tops', Database<unknown, string>>>) {
    this.meta = tables.meta
    this.sourceTable = tables.sources
    this.topListTable = tables.tops
  }

  get<K extends keyof MetaValues>(key: K): MetaValues[K] | undefined {
    return readValue(this.meta, 'meta', key) as MetaValues[K] | undefined
  }

  /** Only within a write transaction. */
  put<K extends keyof MetaValues>(key: K, value: MetaValues[K]): void {
    this.meta.putSync(key, value)
  }

  delete(key: keyof MetaValues): void {
    this.meta.removeSync(key)
  }

  counts(): CatalogCounts {
    return this.get('counts') ?? NO_COUNTS
  }

  /** The reference data; read again only when its revision has changed. */
  reference(): VersionedReference {
    const revision = this.get('referenceRevision') ?? 0
    if (this.cachedReference?.revision !== revision) {
      const checksum = this.get('referenceChecksum')
      if (checksum !== undefined && checksum !== this.computeReferenceChecksum()) {
        throw new DamagedCatalogError('meta', 'the reference data does not have its checksum')
      }
      this.cachedReference = { revision, reference: this.get('reference') ?? EMPTY_REFERENCE }
    }
    return this.cachedReference
  }

  /** Stores reference data. Only within a write transaction. */
  putReference(reference: Reference, revision: number): void {
    this.put('reference', reference)
    this.put('referenceRevision', revision)
    this.put('referenceChecksum', this.computeReferenceChecksum())
  }

  private computeReferenceChecksum(): number {
    return crc32((this.meta.getBinary('reference') as Buffer | undefined) ?? Buffer.alloc(0))
  }

  source(name: string): SourceRecord | undefined {
    return readChecked(this.sourceTable, 'sources', name) as SourceRecord | undefined
  }

  /** All sources. Damaged ones are left out where they are handled, and thrown otherwise. */
  sources(onDamage?: OnDamage): SourceRecord[] {
    return readAll(this.sourceTable, onDamage, (name) => this.source(name) as SourceRecord)
  }

  /** Only within a write transaction. */
  putSource(source: SourceRecord): void {
    this.sourceTable.putSync(source.name, withChecksum(source))
  }

  /** Only within a write transaction. */
  deleteSource(name: string): void {
    this.sourceTable.removeSync(name)
  }

  /** The show ids of a top list in rank order. */
  topList(country: string, service: string, showType: ShowType): readonly string[] {
    return (
      (readChecked(this.topListTable, 'tops', topListKey({ country, service, showType })) as string[] | undefined) ?? []
    )
  }

  /** All top lists. Damaged ones are left out where they are handled, and thrown otherwise. */
  topLists(onDamage?: OnDamage): TopList[] {
    const { topListTable: table } = this
    return readAll(table, onDamage, (key) => parseTopList(key, readChecked(table, 'tops', key) as string[]))
  }

  /** Stores a top list, or deletes it where it is empty. Only within a write transaction. */
  putTopList(list: TopList): void {
    if (list.shows.length > 0) this.topListTable.putSync(topListKey(list), withChecksum(list.shows))
    else this.topListTable.removeSync(topListKey(list))
  }
}

/** Reads a JSON value. One that cannot be parsed is damaged. */
function readValue(table: Database<unknown, string>, name: string, key: string): unknown {
  try {
    return table.get(key)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new DamagedCatalogError(name, `the value of ${key} cannot be read`, error)
  }
}

/** Called with a value that is damaged. */
type OnDamage = (error: unknown) => void

function readAll<T>(table: Database<unknown, string>, onDamage: OnDamage | undefined, read: (key: string) => T): T[] {
  return [...table.getKeys({})].flatMap((key) => {
    try {
      return [read(key)]
    } catch (error) {
      if (onDamage === undefined) throw error
      onDamage(error)
      return []
    }
  })
}

/** A stored value with the CRC-32 of its JSON text. Catalogs of older formats have the value alone. */
interface CheckedValue {
  readonly crc: number
  readonly value: unknown
}

const withChecksum = (value: unknown): CheckedValue => ({ crc: crc32(Buffer.from(JSON.stringify(value))), value })

/** Reads a value with its checksum, if it has one. */
function readChecked(table: Database<unknown, string>, name: string, key: string): unknown {
  const stored = readValue(table, name, key)
  const { crc, value } = Object(stored) as Partial<CheckedValue>
  if (crc === undefined && value === undefined) return stored
  if (value === undefined || withChecksum(value).crc !== crc) {
    throw new DamagedCatalogError(name, `the value of ${key} does not have its checksum`)
  }
  return value
}

/** The key of a top list, here and in a ledger. */
export function topListKey({ country, service, showType }: Omit<TopList, 'shows'>): string {
  return `${country}/${service}/${showType}`
}

/** The top list under a key. */
export function parseTopList(key: string, shows: readonly string[]): TopList {
  const [country, service, showType] = key.split('/') as [string, string, ShowType]
  return { country, service, showType, shows }
}

/** The count of documents in a block. */
export const DOCS_PER_BLOCK = 256

/**
 * For each block of documents the catalog version at which one of them was last written. Whoever decodes documents into
 * memory decodes only those blocks again that have changed.
 */
export function readBlockVersions(meta: MetaStore): readonly number[] {
  return meta.get('blockVersions') ?? []
}

/** Sets the version of the blocks that hold the documents. Only within a write transaction. */
export function updateBlockVersions(meta: MetaStore, docs: Iterable<number>, version: number): void {
  const blocks = new Set<number>()
  for (const doc of docs) blocks.add(Math.floor(doc / DOCS_PER_BLOCK))
  if (blocks.size === 0) return
  const versions = [...readBlockVersions(meta)]
  for (const block of blocks) {
    while (versions.length < block) versions.push(0)
    versions[block] = version
  }
  meta.put('blockVersions', versions)
}
