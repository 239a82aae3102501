import type { DocumentStore } from '../../catalog/documents/document-store.ts'
import type { RecordChecksums } from '../../catalog/documents/record-checksums.ts'
import type { PrinterMemory, PrinterModule } from './printer-module.ts'

/** What records are read from: the documents of a catalog, or of a snapshot. */
export type RecordDocuments = Pick<
  DocumentStore,
  'textsRecord' | 'offersRecord' | 'outlineRecord' | 'sampledChecksums' | 'markChecked'
>

/**
 * The records of shows in the memory of a printer, in entries of two: a show has its texts and its offers, its seasons their outline
 * and their offers. What is loaded is valid until the next of its kind is.
 */
export interface ShowRecords {
  /** The address of the entry of a show; undefined if it is larger than there is room for. */
  loadShow(doc: number): number | undefined
  /** The same for the seasons of a show. */
  loadSeasons(doc: number): number | undefined
}

export type EntryKind = 'show' | 'seasons'

/* The header of an entry, in words of 32 bits, as `server/printer/entries.ts` reads it. */
export const HEADER_BYTES = 16
export const DOC_WORD = 0
export const VERSION_WORD = 1
export const FIRST_SIZE_WORD = 2
export const SECOND_SIZE_WORD = 3

/**
 * Reads the two records of an entry and passes each on before it reads the next, since lmdb lends one at a time. They are printed
 * without being parsed, so that only their checksums tell damage.
 */
export function readRecords(
  documents: RecordDocuments,
  kind: EntryKind,
  doc: number,
  take: (record: Buffer | undefined) => void,
): void {
  const parts = kind === 'show' ? SHOW_PARTS : SEASON_PARTS
  const checksums = documents.sampledChecksums(doc, parts)
  const check = (name: Parameters<RecordChecksums['check']>[0], record: Buffer | undefined) => {
    checksums.check(name, record)
    take(record)
  }
  if (kind === 'show') {
    check('texts', documents.textsRecord(doc))
    check('offers', documents.offersRecord('offers', doc))
  } else {
    check('outlines', documents.outlineRecord(doc))
    check('seasonOffers', documents.offersRecord('seasonOffers', doc))
  }
  documents.markChecked(doc, parts)
}

const SHOW_PARTS = ['texts', 'offers'] as const
const SEASON_PARTS = ['seasons'] as const

/** Copies a record into the memory of a printer. The buffer that lmdb lends is larger than its `length` says. */
function copyRecord(memory: PrinterMemory, record: Buffer, address: number): void {
  memory.bytes.set(record.subarray(0, record.length), address)
}

/** Records that are read anew each time: for responses that are rendered from a snapshot. */
export class UncachedRecords implements ShowRecords {
  private readonly documents: RecordDocuments
  private readonly show: EntryBuffer
  private readonly seasons: EntryBuffer

  constructor(documents: RecordDocuments, module: PrinterModule, memory: PrinterMemory) {
    this.documents = documents
    this.show = new EntryBuffer(module, memory)
    this.seasons = new EntryBuffer(module, memory)
  }

  loadShow(doc: number): number {
    return this.load('show', doc, this.show)
  }

  loadSeasons(doc: number): number {
    return this.load('seasons', doc, this.seasons)
  }

  private load(kind: EntryKind, doc: number, buffer: EntryBuffer): number {
    buffer.clear()
    readRecords(this.documents, kind, doc, (record) => buffer.add(record))
    return buffer.address
  }
}

const MIN_BUFFER_BYTES = 64 * 1024

/** Memory for one entry, which grows with it. */
export class EntryBuffer {
  address = 0
  /** The bytes of the entry so far, with its header. */
  size = 0
  private records = 0
  private capacity = 0
  private readonly module: PrinterModule
  private readonly memory: PrinterMemory

  constructor(module: PrinterModule, memory: PrinterMemory) {
    this.module = module
    this.memory = memory
  }

  clear(): void {
    this.size = HEADER_BYTES
    this.records = 0
  }

  add(record: Buffer | undefined): void {
    const size = record?.length ?? 0
    if (this.size + size > this.capacity) this.enlarge(this.size + size)
    if (record !== undefined) copyRecord(this.memory, record, this.address + this.size)
    this.memory.words[this.address / 4 + FIRST_SIZE_WORD + this.records++] = size
    this.size += size
  }

  private enlarge(needed: number): void {
    const { address, size } = this
    this.capacity = Math.max(2 * needed, MIN_BUFFER_BYTES)
    this.address = this.module.allocate(this.capacity)
    this.memory.bytes.copyWithin(this.address, address, address + size)
  }
}
