import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, type Key, open, type RootDatabase } from 'lmdb'
import { makeFolder } from '../../lib/files.ts'
import { UserError } from '../../lib/user-error.ts'

/** The version of the on-disk format of all tables. A catalog in another format is refused. */
export const CATALOG_FORMAT = 6

/** The tables of a catalog in one LMDB environment, so that one transaction spans all of them. */
export interface Environment {
  readonly root: RootDatabase
  /** Single values: the version, the format, counters, reference data. */
  readonly meta: Database<unknown, string>
  /**
   * Show id, IMDb id and TMDB id to document number. The id of a show that was merged into another leads to that one;
   * with an equals sign in front it leads to the tombstone of the merged show.
   */
  readonly ids: Database<number, string>
  /** Document number to the fields that are sorted by, to the texts that are printed, and to the outline of a series. */
  readonly facts: Database<Buffer, number>
  readonly texts: Database<Buffer, number>
  readonly outlines: Database<Buffer, number>
  /** Document number to the offers of the show, and to those of its seasons and episodes, by country. */
  readonly offers: Database<Buffer, number>
  readonly seasonOffers: Database<Buffer, number>
  /** The dictionary: text to number, and number to text. */
  readonly dictionaryNumbers: Database<number, string>
  readonly dictionaryTexts: Database<string, number>
  /** Term to posting list. */
  readonly postings: Database<Buffer, string>
  /** Sorted columns: directory by name, block by number. */
  readonly columns: Database<Buffer, string>
  readonly columnBlocks: Database<Buffer, number>
  /** Delete variant to title words. */
  readonly spellings: Database<string, string>
  /** Past changes, and windows as changes to come: sorted lists, stored as columns are. */
  readonly changes: Database<Buffer, string>
  readonly changeBlocks: Database<Buffer, number>
  readonly windows: Database<Buffer, string>
  readonly windowBlocks: Database<Buffer, number>
  /** Official top lists by country, service and type. */
  readonly tops: Database<unknown, string>
  /** Name of a source to its last import. */
  readonly sources: Database<unknown, string>
  /** Document number to its seen records. */
  readonly seenRecords: Database<Buffer, number>
  /** The identity index; a catalog that is read only may lack it. */
  readonly recordKeys: Database<number, string> | undefined
  readonly titleKeys: Database<Buffer, number> | undefined
  /** What each commit altered, in the order of commits; a catalog that is read only may lack it. */
  readonly journal: Database<Buffer, Key> | undefined
}

/** Thrown when the data file of a catalog is damaged. */
export class CatalogDamagedError extends UserError {
  override readonly name = 'CatalogDamagedError'

  constructor(file: string) {
    super(
      `The catalog in ${file} is damaged: it was cut off or overwritten. Put a backup in its place, or move the file ` +
        'away and import the feeds again; docs/operating.md says how to restore a backup.',
    )
  }
}

interface EnvironmentOptions {
  readonly readOnly?: boolean
}

/** Whether a data directory holds a catalog, empty or not. */
export function hasCatalog(dataDirectory: string): boolean {
  return statSync(join(dataDirectory, 'catalog', 'data.mdb'), { throwIfNoEntry: false }) !== undefined
}

/** Opens the catalog's environment in a data directory, and creates it where there is none. */
export function openEnvironment(dataDirectory: string, { readOnly = false }: EnvironmentOptions = {}): Environment {
  const path = join(dataDirectory, 'catalog')
  if (!readOnly) makeFolder(path)
  const file = join(path, 'data.mdb')
  if (hasCatalog(dataDirectory) && isDamagedDataFile(file)) throw new CatalogDamagedError(file)
  const root = open({
    path,
    maxDbs: 32,
    readOnly,
    encoding: 'binary',
    // Every process must see the newest commit at the start of each turn of the event loop.
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
    recordKeys: table('recordKeys', 'ordered-binary', 'ordered-binary'),
    titleKeys: table('titleKeys', 'binary', 'uint32'),
    journal: root.openDB<Buffer, Key>('journal', { encoding: 'binary', keyEncoding: 'ordered-binary' }),
  }
}

/** Options of a put. New documents have the highest number: appending them fills the pages of the tree completely. */
export const APPEND = { append: true }
export const INSERT = {}

/* The first two pages of an LMDB file are meta pages; the one with the higher transaction number is current. */
const LMDB_MAGIC = 0xbeefc0de
const META_OFFSETS = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152, end: 160 }

/**
 * Whether a data file has no valid meta page, or misses more pages than an intact file can. LMDB maps the file into
 * memory, and reading a missing page kills the process, so this is checked before the file is opened.
 */
function isDamagedDataFile(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    // A file that was just created is empty.
    if (fstatSync(file).size === 0) return false
    const first = readMetaPage(file, 0)
    if (first === undefined) return true
    const second = readMetaPage(file, first.pageSize)
    if (second === undefined) return true
    const { lastPage, pageSize } = second.transaction > first.transaction ? second : first
    const pages = Number(lastPage) + 1
    return pages - fstatSync(file).size / pageSize > maxUnwrittenPages(pages)
  } finally {
    closeSync(file)
  }
}

/** Last pages that a transaction allocated and freed again are never written: mostly none, a few at most. */
function maxUnwrittenPages(pages: number): number {
  return Math.max(pages / 10, Math.min(64, pages / 2))
}

function readMetaPage(file: number, offset: number) {
  const bytes = Buffer.alloc(META_OFFSETS.end)
  const size = readSync(file, bytes, 0, META_OFFSETS.end, offset)
  if (size < META_OFFSETS.end || bytes.readUInt32LE(META_OFFSETS.magic) !== LMDB_MAGIC) return undefined
  return {
    pageSize: bytes.readUInt32LE(META_OFFSETS.pageSize),
    lastPage: bytes.readBigUInt64LE(META_OFFSETS.lastPage),
    transaction: bytes.readBigUInt64LE(META_OFFSETS.transaction),
  }
}
