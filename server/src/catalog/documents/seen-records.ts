import type { Database, PutOptions } from 'lmdb'
import { ByteReader, ByteWriter } from '../storage/byte-stream.ts'

/** A record of a feed that a show already reflects in full: applying it again would change nothing. */
export interface SeenRecord {
  /** The digest of the record's line, and that of everything else that its meaning depends on. */
  readonly digest: Buffer
  readonly context: Buffer
  /** The show's own id, and the count of offers in the record. */
  readonly id: string
  readonly offers: number
  /** Whether offers of its parts were rolled up, which each import reports. */
  readonly rolledUp: boolean
  /** The instant at which one of its offers starts or ends, and the record means something else. */
  readonly validUntil: number
}

export const DIGEST_LENGTH = 16
export const CONTEXT_LENGTH = 8

/** The most records of a document: one for each of its last sources. */
const MAX_SEEN_PER_DOCUMENT = 4

/**
 * The last records of each document, so that an import can skip a line that it has seen before. Local to this copy of
 * the catalog, and no part of its content. Any other write of a document deletes its seen records.
 */
export class SeenRecordStore {
  private readonly table: Database<Buffer, number>
  private readonly out = new ByteWriter(256)

  constructor(table: Database<Buffer, number>) {
    this.table = table
  }

  get(doc: number): SeenRecord[] {
    const stored = this.table.getBinary(doc) as Buffer | undefined
    if (stored === undefined) return []
    const records: SeenRecord[] = []
    const input = new ByteReader(stored)
    while (!input.done) {
      const digest = input.bytes(DIGEST_LENGTH)
      const context = input.bytes(CONTEXT_LENGTH)
      const id = String(input.varint())
      const counted = input.varint()
      const validUntil = input.varint()
      records.push({ digest, context, id, offers: Math.floor(counted / 2), rolledUp: counted % 2 === 1, validUntil })
    }
    return records
  }

  /** Stores the record that a document was written from. Only within a write transaction. */
  replace(doc: number, record: SeenRecord, options: PutOptions): void {
    this.put(doc, [record], options)
  }

  /** Adds a record that left a document unchanged, before those of other sources. Only within a write transaction. */
  add(doc: number, record: SeenRecord): void {
    const others = this.get(doc).filter(({ context }) => !context.equals(record.context))
    this.put(doc, [record, ...others.slice(0, MAX_SEEN_PER_DOCUMENT - 1)], {})
  }

  /** Only within a write transaction. */
  delete(doc: number): void {
    this.table.removeSync(doc)
  }

  private put(doc: number, records: readonly SeenRecord[], options: PutOptions): void {
    const out = this.out.reset()
    for (const { digest, context, id, offers, rolledUp, validUntil } of records) {
      out.bytes(digest)
      out.bytes(context)
      out.varint(Number(id))
      out.varint(offers * 2 + Number(rolledUp))
      out.varint(validUntil)
    }
    this.table.putSync(doc, out.view(), options)
  }
}
