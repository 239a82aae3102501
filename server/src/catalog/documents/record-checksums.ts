import type { Database, PutOptions } from 'lmdb'
import { crc32 } from '../../lib/bytes.ts'
import { DamagedCatalogError } from '../storage/environment.ts'

/** The records of a document, in the order of their checksums. */
const RECORDS = ['facts', 'texts', 'outlines', 'offers', 'seasonOffers', 'history'] as const

export type RecordName = (typeof RECORDS)[number]

const CHECKSUM_BYTES = 4

/** The records that every document has a checksum of. The one of its history is stored only where it has one. */
const FIXED_BYTES = RECORDS.indexOf('history') * CHECKSUM_BYTES

/** The checksum of a record that is not there. */
const NONE = 0

/** Collects the checksums of a document's records while they are written. */
export class ChecksumWriter {
  private readonly table: Database<Buffer, number>
  private readonly bytes = Buffer.alloc(RECORDS.length * CHECKSUM_BYTES)

  constructor(table: Database<Buffer, number>) {
    this.table = table
  }

  /** Sets the checksum of a record; undefined for one that the document does not have. */
  set(record: RecordName, stored: Buffer | undefined): void {
    this.bytes.writeUInt32LE(stored === undefined ? NONE : crc32(stored), RECORDS.indexOf(record) * CHECKSUM_BYTES)
  }

  /** Only within a write transaction. */
  write(doc: number, mode: PutOptions): void {
    const hasHistory = this.bytes.readUInt32LE(FIXED_BYTES) !== NONE
    this.table.putSync(doc, hasHistory ? this.bytes : this.bytes.subarray(0, FIXED_BYTES), mode)
  }
}

/** The checksums of the records of one document. Catalogs of older formats have none. */
export class RecordChecksums {
  private readonly doc: number
  private readonly stored: Buffer | undefined

  /** @param stored the value of the table; undefined where the catalog has no checksums */
  constructor(doc: number, stored: Buffer | undefined) {
    this.doc = doc
    this.stored = stored
  }

  /** Throws if a record does not have its checksum. */
  check(record: RecordName, bytes: Buffer | undefined): void {
    if (this.stored === undefined) return
    const at = RECORDS.indexOf(record) * CHECKSUM_BYTES
    const expected = at < this.stored.length ? this.stored.readUInt32LE(at) : NONE
    // The memory that lmdb lends is longer than the value: its `length` is that of the value.
    if (expected === (bytes === undefined ? NONE : crc32(bytes.subarray(0, bytes.length)))) return
    const problem = bytes === undefined ? 'are missing' : 'do not have their checksum'
    throw new DamagedCatalogError(record, `the ${DESCRIPTIONS[record]} of document ${this.doc} ${problem}`)
  }
}

const DESCRIPTIONS: Readonly<Record<RecordName, string>> = {
  facts: 'facts',
  texts: 'texts',
  outlines: 'seasons',
  offers: 'offers',
  seasonOffers: 'offers of seasons',
  history: 'past offers',
}
