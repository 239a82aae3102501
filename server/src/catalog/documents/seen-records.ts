import type { Database, PutOptions } from 'lmdb'
import { ByteReader, ByteWriter } from '../storage/byte-stream.ts'

/** A statement that a show already says all of: to make it again alters nothing. */
export interface SeenRecord {
  /** Names the words of the statement, and all else that its meaning depends on. */
  readonly words: Buffer
  readonly context: Buffer
  /** The show's own id, and how many offers the statement holds. */
  readonly id: string
  readonly offers: number
  /** When it would mean something else, since one of its offers starts or ends. */
  readonly validUntil: number
}

export const DIGEST_LENGTH = 16
export const CONTEXT_LENGTH = 8

/** Sources of a show that are remembered, at most. */
const MAX_SEEN_PER_DOCUMENT = 4

/**
 * What documents were last told, so that who tells it again need not be listened to. It belongs to this very copy of
 * the catalog and not to what the catalog says: whoever writes a document otherwise makes it forget.
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
    const told: SeenRecord[] = []
    const input = new ByteReader(stored)
    while (!input.done) {
      told.push({
        words: input.bytes(DIGEST_LENGTH),
        context: input.bytes(CONTEXT_LENGTH),
        id: String(input.varint()),
        offers: input.varint(),
        validUntil: input.varint(),
      })
    }
    return told
  }

  /** Notes what made a document as it is now. Only within a write transaction. */
  replace(doc: number, told: SeenRecord, how: PutOptions): void {
    this.put(doc, [told], how)
  }

  /** Notes what a document says already, beside what else it was told. Only within a write transaction. */
  add(doc: number, told: SeenRecord): void {
    const others = this.get(doc).filter(({ context }) => !context.equals(told.context))
    this.put(doc, [told, ...others.slice(0, MAX_SEEN_PER_DOCUMENT - 1)], {})
  }

  /** Only within a write transaction. */
  delete(doc: number): void {
    this.table.removeSync(doc)
  }

  private put(doc: number, all: readonly SeenRecord[], how: PutOptions): void {
    const out = this.out.reset()
    for (const { words, context, id, offers, validUntil } of all) {
      out.bytes(words)
      out.bytes(context)
      out.varint(Number(id))
      out.varint(offers)
      out.varint(validUntil)
    }
    this.table.putSync(doc, out.view(), how)
  }
}
