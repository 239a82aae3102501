import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { makeFolder } from '../../lib/files.ts'
import { UserError } from '../../lib/user-error.ts'

/** The form of everything below. A catalog of another form is refused rather than misread. */
export const CATALOG_FORMAT = 5

/** The tables of a catalog, all in one LMDB environment: a transaction over any of them is one transaction. */
export interface Environment {
  readonly root: RootDatabase
  /** Single values: the version, the format, counters, reference data. */
  readonly meta: Database<unknown, string>
  /**
   * Show id, IMDb id and TMDB id to document number. The own id of a show that was merged into another leads to
   * that one; behind an equals sign it still leads to the document that is kept of the former.
   */
  readonly ids: Database<number, string>
  /** Document number to what sorting needs, to what answers print, and to the outline of a series. */
  readonly facts: Database<Buffer, number>
  readonly texts: Database<Buffer, number>
  readonly outlines: Database<Buffer, number>
  /** Document number to the offers of the show, and of its seasons and episodes, by country. */
  readonly offers: Database<Buffer, number>
  readonly seasonOffers: Database<Buffer, number>
  /** Recurring texts, both ways. */
  readonly dictionaryNumbers: Database<number, string>
  readonly dictionaryTexts: Database<string, number>
  /** Term to set of document numbers. */
  readonly postings: Database<Buffer, string>
  /** Sorted columns: directory by name, block by number. */
  readonly columns: Database<Buffer, string>
  readonly columnBlocks: Database<Buffer, number>
  /** Misspelt forms of title words to the words. */
  readonly spellings: Database<string, string>
  /** Past changes, and the offers that will start or end, both in the order in which they are told: as columns. */
  readonly changes: Database<Buffer, string>
  readonly changeBlocks: Database<Buffer, number>
  readonly windows: Database<Buffer, string>
  readonly windowBlocks: Database<Buffer, number>
  /** Official top lists, by country, service and type. */
  readonly tops: Database<unknown, string>
  /** Who feeds the catalog, and what is known of it. */
  readonly sources: Database<unknown, string>
  /** Document number to what it was last told. */
  readonly seenRecords: Database<Buffer, number>
}

/** Thrown when the file of a catalog cannot be read without harm. */
export class CatalogDamagedError extends UserError {
  override readonly name = 'CatalogDamaged'

  constructor(file: string) {
    super(
      `The catalog in ${file} is damaged: it was cut off or overwritten. Put a backup in its place, or move the file ` +
        'away and import the feeds again; docs/operating.md says how to restore a backup.',
    )
  }
}

export interface EnvironmentOptions {
  readonly readOnly?: boolean
}

/** Whether a data directory holds a catalog, be it empty. */
export function hasCatalog(dataDirectory: string): boolean {
  return statSync(join(dataDirectory, 'catalog', 'data.mdb'), { throwIfNoEntry: false }) !== undefined
}

/** Opens the catalog's environment in a data directory, making it where there is none. */
export function openEnvironment(dataDirectory: string, { readOnly = false }: EnvironmentOptions = {}): Environment {
  const path = join(dataDirectory, 'catalog')
  if (!readOnly) makeFolder(path)
  const file = join(path, 'data.mdb')
  if (hasCatalog(dataDirectory) && isDamagedDataFile(file)) throw new CatalogDamagedError(file)
  const root = open({
    path,
    maxDbs: 24,
    readOnly,
    encoding: 'binary',
    // Reads must see the newest commit at the start of each turn of the event loop, in every process.
    eventTurnBatching: false,
    commitDelay: 0,
  })
  const table = <V, K extends string | number>(
    name: string,
    encoding: 'binary' | 'json' | 'ordered-binary',
    keyEncoding: 'ordered-binary' | 'uint32',
  ) => root.openDB<V, K>(name, { encoding, keyEncoding }) as Database<V, K>
  return {
    root,
    meta: table('meta', 'json', 'ordered-binary'),
    ids: table('ids', 'ordered-binary', 'ordered-binary'),
    facts: table('facts', 'binary', 'uint32'),
    texts: table('texts', 'binary', 'uint32'),
    outlines: table('outlines', 'binary', 'uint32'),
    offers: table('offers', 'binary', 'uint32'),
    seasonOffers: table('seasonOffers', 'binary', 'uint32'),
    dictionaryNumbers: table('dictionaryNumbers', 'ordered-binary', 'ordered-binary'),
    dictionaryTexts: table('dictionaryTexts', 'json', 'uint32'),
    postings: table('postings', 'binary', 'ordered-binary'),
    columns: table('columns', 'binary', 'ordered-binary'),
    columnBlocks: table('columnBlocks', 'binary', 'uint32'),
    spellings: table('spellings', 'json', 'ordered-binary'),
    changes: table('changes', 'binary', 'ordered-binary'),
    changeBlocks: table('changeBlocks', 'binary', 'uint32'),
    windows: table('windows', 'binary', 'ordered-binary'),
    windowBlocks: table('windowBlocks', 'binary', 'uint32'),
    tops: table('tops', 'json', 'ordered-binary'),
    sources: table('sources', 'json', 'ordered-binary'),
    seenRecords: table('told', 'binary', 'uint32'),
  }
}

/** How records are put: new documents have the highest number, and at the end they fill the pages to the brim. */
export const APPEND = { append: true }
export const INSERT = {}

/* The first two pages of an LMDB file each hold a header; the one with the higher transaction number counts. */
const LMDB_MAGIC = 0xbeefc0de
const HEADER_OFFSETS = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152, end: 160 }

/**
 * Whether a data file does not begin as one, or lacks more pages than a good one ever does. ParsedQuery such a file ends the
 * process that maps it into memory, without a word, so this is looked at before it is opened.
 */
export function isDamagedDataFile(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    // One that was just made has nothing in it yet.
    if (fstatSync(file).size === 0) return false
    const first = readHeader(file, 0)
    if (first === undefined) return true
    const second = readHeader(file, first.pageSize)
    if (second === undefined) return true
    const { lastPage, pageSize } = second.transaction > first.transaction ? second : first
    const pages = Number(lastPage) + 1
    return pages - fstatSync(file).size / pageSize > maxUnwrittenPages(pages)
  } finally {
    closeSync(file)
  }
}

/** Pages that a transaction took and gave back are never written if they are the last: mostly none, at most a few. */
function maxUnwrittenPages(pages: number): number {
  return Math.max(pages / 10, Math.min(64, pages / 2))
}

function readHeader(file: number, at: number) {
  const bytes = Buffer.alloc(HEADER_OFFSETS.end)
  if (
    readSync(file, bytes, 0, HEADER_OFFSETS.end, at) < HEADER_OFFSETS.end ||
    bytes.readUInt32LE(HEADER_OFFSETS.magic) !== LMDB_MAGIC
  )
    return undefined
  return {
    pageSize: bytes.readUInt32LE(HEADER_OFFSETS.pageSize),
    lastPage: bytes.readBigUInt64LE(HEADER_OFFSETS.lastPage),
    transaction: bytes.readBigUInt64LE(HEADER_OFFSETS.transaction),
  }
}
