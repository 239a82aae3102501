import type { Transaction } from 'lmdb'
import type { Dictionary } from '../storage/dictionary.ts'
import type { Environment } from '../storage/environment.ts'
import { MetaStore, type SourceRecord } from '../storage/meta.ts'
import { DocumentStore } from './document-store.ts'

/**
 * Documents and the records of sources as of one catalog version, over many turns of the event loop: an LMDB read transaction that stays open. While
 * it does, no page that it can see is reused, so the file of a catalog that is written meanwhile grows: close it soon.
 */
export class DocumentSnapshot {
  readonly documents: DocumentStore
  /** Entries are never altered, so the dictionary needs no snapshot. */
  readonly dictionary: Dictionary
  private readonly meta: MetaStore
  private transaction: Transaction | undefined

  constructor(environment: Environment, dictionary: Dictionary) {
    const transaction = environment.root.useReadTransaction()
    const { ids, facts, texts, outlines, offers, seasonOffers, history, checksums } = environment
    const tables = {
      ...{ ids, facts, texts, outlines, offers, seasonOffers },
      ...(history !== undefined && { history }),
      ...(checksums !== undefined && { checksums }),
    }
    const pinned = Object.entries(tables).map(([name, table]) => [
      name,
      pinTable(table as ReadTable<number>, transaction),
    ])
    this.transaction = transaction
    this.dictionary = dictionary
    this.documents = new DocumentStore(Object.fromEntries(pinned), dictionary)
    const { meta, sources, tops } = environment
    this.meta = new MetaStore({ meta, tops, sources: pinTable(sources, transaction) as typeof sources })
  }

  source(name: string): SourceRecord | undefined {
    return this.meta.source(name)
  }

  /** Ends the transaction. May be called more than once. */
  close(): void {
    this.transaction?.done()
    this.transaction = undefined
  }
}

/** The reads of a table that documents and sources need. */
interface ReadTable<K> {
  get(key: K, options: { transaction: Transaction }): unknown
  getBinary(key: K, options: { transaction: Transaction }): Buffer | undefined
  getBinaryFast(key: K, options: { transaction: Transaction }): Buffer | undefined
}

function pinTable<K>(table: ReadTable<K>, transaction: Transaction): object {
  const options = { transaction }
  return {
    get: (key: K) => table.get(key, options),
    getBinary: (key: K) => table.getBinary(key, options),
    getBinaryFast: (key: K) => table.getBinaryFast(key, options),
  }
}
