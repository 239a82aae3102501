import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, Key, RootDatabase } from 'lmdb'
import { makeFolder } from '../../lib/files.ts'
import { openLmdb } from '../../lib/lmdb/lmdb.ts'
import { isLmdbDamage } from '../../lib/lmdb/lmdb-file.ts'

/** The version of the on-disk format of all tables. A catalog in another format is migrated or refused. */
export const CATALOG_FORMAT = 11

/** The oldest format whose documents and changes this program can read. */
const OLDEST_FORMAT = 5

/** From this format on, documents and blocks have checksums; posting lists have them from the next one on. */
export const CHECKSUM_FORMAT = 8

/** Whether a catalog in a format can be migrated to the current one. */
export function isMigratable(format: number): boolean {
  return format >= OLDEST_FORMAT && format < CATALOG_FORMAT
}

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
  /** Document number to the past of its offers; a catalog that is read only may lack it. */
  readonly history: Database<Buffer, number> | undefined
  /** Document number to the checksums of these records; a catalog of an older format may lack it. */
  readonly checksums: Database<Buffer, number> | undefined
  /** The dictionary: text to number, and number to text. */
  readonly dictionaryNumbers: Database<number, string>
  readonly dictionaryTexts: Database<string, number>
  /** Number to the checksum of its text; a catalog of an older format may lack it. */
  readonly dictionaryChecksums: Database<Buffer, number> | undefined
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

/** What an index needs of a table to update it. */
export interface UpdatableTable<V> {
  /** The stored bytes; valid until the next read. */
  getBinaryFast(key: string): Buffer | undefined
  putSync(key: string, value: V): unknown
  removeSync(key: string): unknown
}

interface EnvironmentOptions {
  readonly readOnly?: boolean
  /** The environment is deleted afterwards: commits do not wait for the disk. */
  readonly temporary?: boolean
}

/** Whether a data directory holds a catalog, empty or not. */
export function hasCatalog(dataDirectory: string): boolean {
  return statSync(join(dataDirectory, 'catalog', 'data.mdb'), { throwIfNoEntry: false }) !== undefined
}

/** Identifies the file of the catalog. A bootstrap or a restore replaces the file, and so changes the id. */
export function catalogFileId(dataDirectory: string): string {
  const { ino, birthtimeMs } = statSync(join(dataDirectory, 'catalog', 'data.mdb'))
  return `${ino} ${birthtimeMs}`
}

/** Opens the catalog's environment in a data directory, and creates it where there is none. */
export function openEnvironment(dataDirectory: string, options: EnvironmentOptions = {}): Environment {
  const environment = openTables(dataDirectory, options)
  if (options.readOnly !== true || !isUnfinished(environment)) return environment
  // A process that was killed while it created the catalog left tables out, which only a writer can add.
  void environment.root.close()
  void openTables(dataDirectory, {}).root.close()
  return openTables(dataDirectory, options)
}

/** Whether the creation of a catalog was interrupted: tables are missing, and the first transaction was not committed. */
function isUnfinished({ meta, ...tables }: Environment): boolean {
  const found: Database<unknown, string> | undefined = meta
  return found?.get('format') === undefined && [found, ...Object.values(tables)].includes(undefined)
}

function openTables(dataDirectory: string, options: EnvironmentOptions): Environment {
  const { readOnly = false, temporary = false } = options
  const path = join(dataDirectory, 'catalog')
  if (!readOnly) makeFolder(path)
  const root = openLmdb({
    path,
    maxDbs: 32,
    readOnly,
    noSync: temporary,
    encoding: 'binary',
    // Every process must see the newest commit at the start of each turn of the event loop.
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
    history: table('history', 'binary', 'uint32'),
    checksums: table('checksums', 'binary', 'uint32'),
    dictionaryNumbers: table('dictionaryNumbers', 'ordered-binary', 'ordered-binary'),
    dictionaryTexts: table('dictionaryTexts', 'json', 'uint32'),
    dictionaryChecksums: table('dictionaryChecksums', 'binary', 'uint32'),
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

/** Members of lmdb stores that its types do not declare; see lib/runtime-hacks/README.md. */
interface LmdbStore {
  ensureReadTxn?(): void
  resetReadTxn(): void
  addListener(event: 'begin-transaction', listener: () => void): void
}

/**
 * Creates a function that returns a number for the current read transaction. lmdb keeps one open for about a
 * millisecond, over many requests: while the number is the same, all reads see the same data. To be called once for an
 * environment, since it adds a listener to every table.
 */
export function createReadTransactionCounter(environment: Environment): () => number {
  let count = 0
  // A store reports only the transactions that its own reads started. A catalog that is read only may lack a table.
  for (const store of Object.values(environment) as (LmdbStore | undefined)[]) {
    store?.addListener('begin-transaction', () => count++)
  }
  const root = environment.root as unknown as LmdbStore
  root.resetReadTxn()
  root.ensureReadTxn?.()
  // With an lmdb that does not report them, every read counts as a new transaction: slower, but correct.
  if (count === 0) return () => ++count
  return function currentTransaction() {
    root.ensureReadTxn?.()
    return count
  }
}

/**
 * Thrown when a value of the catalog is missing, cannot be decoded or does not have its checksum. What was asked for
 * cannot be answered; everything else can.
 */
export class DamagedCatalogError extends Error {
  override readonly name = 'DamagedCatalogError'
  /** The table of the value, and what is wrong with it. */
  readonly table: string
  readonly problem: string

  constructor(table: string, problem: string, cause?: unknown) {
    super(`The catalog is damaged: ${problem}; \`marquee verify\` lists all damage`, { cause })
    this.table = table
    this.problem = problem
  }
}

/** Runs a decoder of a stored value. Whatever it throws means that the value is damaged. */
export function decodeStored<T>(table: string, describe: () => string, decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (error instanceof DamagedCatalogError) throw error
    throw new DamagedCatalogError(table, `${describe()} cannot be read`, error)
  }
}

/** What is wrong with a value, in short. */
export function describeDamage(error: unknown): string {
  return error instanceof DamagedCatalogError ? error.problem : (error as Error).message
}

/** The damage behind an exception: of a value, or of a page of the file that LMDB itself found. */
export function findDamage(error: unknown): DamagedCatalogError | undefined {
  if (error instanceof DamagedCatalogError) return error
  return isLmdbDamage(error) ? new DamagedCatalogError('pages', (error as Error).message, error) : undefined
}
