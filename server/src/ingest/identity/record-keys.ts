import { createHash } from 'node:crypto'
import { hashText } from '../../lib/text/hash-text.ts'
import { DERIVED_IDS } from '../../model/show.ts'
import type { ShowRecord } from '../parse/feed-record.ts'

/** Own ids longer than this are stored as a digest. */
const MAX_KEY_CHARS = 64

/**
 * The keys of a record within its source. By its primary key a record finds the show that it made: its own id, or, if it
 * has none, a digest of its key fields. The composite key stands in where the primary key leads to a show that the record
 * contradicts, because its source has given the id to something else.
 */
export class RecordKeys {
  readonly primary: string
  /** The show id that stands beside an own id: catalogs of earlier versions know the record by that. */
  readonly former: string | undefined
  /** Whether the id is one of the catalog, which a feed never uses for two shows. */
  readonly isCatalogId: boolean
  private readonly record: ShowRecord
  private readonly ownId: string | undefined
  private fieldsHash: string | undefined
  private compositeKey: string | undefined

  constructor(record: ShowRecord) {
    this.record = record
    this.ownId = record.recordId ?? record.id
    this.former = record.recordId === undefined ? undefined : record.id
    this.isCatalogId = record.recordId === undefined && record.id !== undefined && Number(record.id) < DERIVED_IDS.first
    this.primary = this.ownId === undefined ? `~${digest(keyFields(record))}` : toOwnKey(this.ownId)
  }

  /** Whether the source gives its records ids. */
  get hasOwnId(): boolean {
    return this.ownId !== undefined
  }

  /** Whether a link of the source with this key is one of the record's own id. */
  isPrimary(key: string): boolean {
    return key === this.primary || key === this.former
  }

  /** A hash of all that identifies the record: while it is the same, the record keeps its show. */
  get fields(): string {
    this.fieldsHash ??= hashText(JSON.stringify(this.allFields())).toString(36)
    return this.fieldsHash
  }

  get composite(): string {
    this.compositeKey ??= `~${digest([this.ownId, ...this.allFields()])}`
    return this.compositeKey
  }

  private allFields(): unknown[] {
    const { originalTitle, directors, creators, cast } = this.record
    return [...keyFields(this.record), originalTitle, directors, creators, cast]
  }
}

function keyFields({ showType, title, year, imdbId, tmdbId }: ShowRecord): unknown[] {
  return [showType, title, year ?? null, imdbId, tmdbId]
}

function toOwnKey(id: string): string {
  return id.length > MAX_KEY_CHARS || id.startsWith('~') ? `~${digest([id])}` : id
}

function digest(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest().subarray(0, 9).toString('base64url')
}
