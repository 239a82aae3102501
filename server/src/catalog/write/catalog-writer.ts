import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Show } from '../../model/show.ts'
import type { Catalog } from '../catalog.ts'
import { DocumentWriter } from '../documents/document-writer.ts'
import type { SeenRecord } from '../documents/seen-records.ts'
import { APPEND, CATALOG_FORMAT, INSERT } from '../storage/environment.ts'
import { type Batch, type BatchSink, CatalogDivergedError, type CatalogMark, type CommitOptions } from './batch.ts'
import { isLoggable, WriteBuffer } from './write-buffer.ts'

/** The write side of the embedded engine. One process at a time writes; LMDB makes others wait. */
export class CatalogWriter {
  private readonly catalog: Catalog
  private readonly shows: DocumentWriter

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.shows = new DocumentWriter(catalog)
  }

  /**
   * Makes batches and makes them true, all of them or none, and returns the catalog's version. What the catalog says of
   * shows follows each batch at once; terms, columns and changes are gathered, and written once at the end. While the
   * batches are being made nobody else writes, so what they are made from stays as it is.
   */
  apply(make: () => Iterable<Batch>, outcome: CommitOptions = {}): number {
    const { catalog } = this
    try {
      return catalog.environment.root.transactionSync(() => {
        const pending = new WriteBuffer(catalog)
        for (const batch of make()) this.applyBatch(batch, pending)
        return this.writeMeta(pending, outcome)
      })
    } catch (error) {
      catalog.invalidate()
      throw error
    } finally {
      catalog.uncommittedTerms = undefined
    }
  }

  /**
   * As `apply`, with a record kept elsewhere meanwhile. What was written becomes true only once the record is settled,
   * and not at all if that fails. Until then nothing else may use this catalog within the process.
   */
  async applyAndLog(make: () => Iterable<Batch>, record: BatchSink): Promise<number> {
    const { catalog } = this
    try {
      return await catalog.environment.root.transactionSync(async () => {
        const pending = new WriteBuffer(catalog)
        for (const batch of make()) {
          const docs = this.applyBatch(batch, pending)
          if (isLoggable(batch)) await record.append(batch, docs)
        }
        const version = this.writeMeta(pending, { position: record.position })
        if (pending.batches > 0) {
          await record.commit({
            version,
            edition: catalog.contentHash(),
            nextDoc: pending.nextDoc,
            counts: catalog.counts(),
          })
        }
        return version
      })
    } catch (error) {
      catalog.invalidate()
      throw error
    } finally {
      catalog.uncommittedTerms = undefined
    }
  }

  /** Returns the documents of the batch's shows, by id. */
  private applyBatch(batch: Batch, pending: WriteBuffer): ReadonlyMap<string, number> {
    const { tops, sources } = this.catalog.environment
    pending.addBatch(batch)
    const docs = new Map<string, number>()
    const { nextDoc } = pending
    for (const show of batch.shows) docs.set(show.id, this.applyShow(show, pending))
    for (const change of batch.changes) {
      const doc = docs.get(change.showId) ?? this.catalog.findOwnDoc(change.showId)
      if (doc === undefined) throw new Error(`A change names show ${change.showId}, which the catalog does not have`)
      pending.addChange(doc, change)
    }
    for (const { country, service, showType, shows } of batch.topLists ?? []) {
      const key = `${country}/${service}/${showType}`
      if (shows.length > 0) tops.putSync(key, shows)
      else tops.removeSync(key)
    }
    if (batch.source !== undefined) sources.putSync(batch.source.name, batch.source)
    for (const told of batch.told ?? []) {
      const doc = docs.get(told.id)
      if (doc !== undefined) this.catalog.seenRecords.replace(doc, told, doc < nextDoc ? INSERT : APPEND)
      else this.addSeenRecord(told)
    }
    return docs
  }

  /** Notes what a show was told without being altered by it. */
  private addSeenRecord(told: SeenRecord): void {
    const doc = this.catalog.findOwnDoc(told.id)
    if (doc !== undefined) this.catalog.seenRecords.add(doc, told)
  }

  private writeMeta(pending: WriteBuffer, { position, copyOf, expected }: CommitOptions): number {
    const { catalog } = this
    const { changes } = catalog
    const { meta } = catalog.environment
    if (pending.batches === 0) return catalog.version()
    // What is only noted about a source alters no answer, and so makes no new version.
    const version = copyOf?.version ?? catalog.version() + (pending.bumpsVersion ? 1 : 0)
    pending.flush(version)
    if (pending.forgetChangesBefore !== undefined) {
      for (const range of changes.listIds()) changes.truncateBefore(range, pending.forgetChangesBefore, version)
    }
    if (pending.reference !== undefined) {
      meta.putSync('reference', pending.reference)
      meta.putSync('referenceRevision', version)
    }
    const counts = pending.countsBuilder.counts()
    meta.putSync('counts', counts)
    meta.putSync('highestId', pending.highestId)
    meta.putSync('nextDoc', pending.nextDoc)
    meta.putSync('format', CATALOG_FORMAT)
    if (pending.bumpsVersion) {
      const summary = JSON.stringify([catalog.contentHash(), pending.at, counts, pending.changeCount])
      const edition = createHash('sha256').update(summary).digest('hex').slice(0, 12)
      meta.putSync('edition', copyOf?.edition ?? edition)
      meta.putSync('version', version)
    }
    if (position !== undefined) meta.putSync('position', position)
    if (expected !== undefined)
      this.checkMark(expected, { version, edition: catalog.contentHash(), nextDoc: pending.nextDoc })
    // What was read between two writings of one version cannot be told from what is read after.
    if (pending.flushCount > 1 || copyOf !== undefined) catalog.invalidate()
    return version
  }

  private checkMark(expected: CatalogMark, found: CatalogMark): void {
    if (isDeepStrictEqual(expected, found)) return
    const [wanted, got] = [expected, found].map((mark) => JSON.stringify(mark))
    throw new CatalogDivergedError(`The catalog has come to ${got} where its ledger has ${wanted}`)
  }

  /** Writes a show, and returns its document. */
  private applyShow(show: Show, pending: WriteBuffer): number {
    const { catalog } = this
    const known = catalog.findOwnDoc(show.id)
    const old = known === undefined ? undefined : catalog.show(known)
    const doc = known ?? pending.nextDoc++
    pending.beginDocument(doc)
    if (known !== undefined) catalog.seenRecords.delete(doc)
    this.shows.write(doc, old, show)
    pending.replaceDocument(doc, old, show)
    return doc
  }
}
