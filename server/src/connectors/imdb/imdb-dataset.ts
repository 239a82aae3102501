import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import { ConnectorError } from '../framework/connector.ts'
import { PagedFiles } from '../streams/source-files.ts'
import { readTsvRows } from '../streams/tsv-reader.ts'

/** The tables of the dataset and the columns that are read, the id first. */
const TABLES = {
  'title.basics': [
    'tconst',
    'titleType',
    'primaryTitle',
    'originalTitle',
    'isAdult',
    'startYear',
    'endYear',
    'runtimeMinutes',
    'genres',
  ],
  'title.ratings': ['tconst', 'averageRating', 'numVotes'],
  'title.akas': ['titleId', 'title', 'region', 'language', 'types', 'attributes', 'isOriginalTitle'],
  'title.episode': ['tconst', 'parentTconst', 'seasonNumber', 'episodeNumber'],
  'title.crew': ['tconst', 'directors'],
  'title.principals': ['tconst', 'ordering', 'nconst', 'category', 'job'],
  'name.basics': ['nconst', 'primaryName'],
} as const satisfies Record<string, readonly string[]>

export type TableName = keyof typeof TABLES

/** Further problems of the same table are not reported. */
const MAX_PROBLEMS = 1_000

/** Called with the selected cells of each row; missing values are undefined. */
export type RowHandler = (cells: readonly (string | undefined)[]) => void

/** A folder of IMDb tables as IMDb publishes them. Every table except `title.basics` may be missing. */
export class ImdbDataset {
  private readonly paths: ReadonlyMap<TableName, string>
  private readonly files: PagedFiles

  private constructor(paths: ReadonlyMap<TableName, string>, files: PagedFiles) {
    this.paths = paths
    this.files = files
  }

  /** @param readTwice tables that are read a second time, for the progress */
  static async open(folder: string, readTwice: readonly TableName[] = []): Promise<ImdbDataset> {
    if (!statSync(folder).isDirectory()) {
      throw new ConnectorError('it is no folder; the folder of the data sets is needed')
    }
    const paths = new Map<TableName, string>()
    for (const name of Object.keys(TABLES) as TableName[]) {
      const path = [`${name}.tsv.gz`, `${name}.tsv`].map((file) => join(folder, file)).find((file) => existsSync(file))
      if (path !== undefined) paths.set(name, path)
    }
    if (!paths.has('title.basics')) {
      throw new ConnectorError('it holds neither title.basics.tsv.gz nor title.basics.tsv, which say what there is')
    }
    const repeated = readTwice.flatMap((name) => paths.get(name) ?? [])
    return new ImdbDataset(paths, await PagedFiles.fromPaths([...paths.values(), ...repeated]))
  }

  has(name: TableName): boolean {
    return this.paths.has(name)
  }

  progress(): number {
    return this.files.progress()
  }

  /** Reads the rows whose id passes the filter, and returns the problems of the table. A missing table has none. */
  async read(name: TableName, includeId: (id: number) => boolean, onRow: RowHandler): Promise<FeedLine[]> {
    const path = this.paths.get(name)
    const problems: FeedLine[] = []
    if (path === undefined) return problems
    const includeRow = (bytes: Buffer, start: number, end: number) => includeId(parseIdBytes(bytes, start, end))
    for await (const rows of readTsvRows(this.files.open(path), { name, columns: TABLES[name], includeRow })) {
      for (const row of rows) {
        if ('cells' in row) onRow(row.cells)
        else if (problems.length < MAX_PROBLEMS) problems.push(row.problem)
      }
    }
    return problems
  }
}

/** Parses the number of an id such as `tt0113277` in place; NaN if it is malformed. */
function parseIdBytes(bytes: Buffer, start: number, end: number): number {
  if (end - start < 3 || end - start > 12) return Number.NaN
  let number = 0
  for (let i = start + 2; i < end; i++) {
    const digit = (bytes[i] as number) - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    number = number * 10 + digit
  }
  return number
}

/** The id of a title by its number, such as `tt0113277`. */
export function toImdbId(number: number): string {
  return `tt${String(number).padStart(7, '0')}`
}

/** Parses the number of an id such as `tt0113277`; NaN if it is malformed. */
export function parseIdNumber(id: string | undefined): number {
  return /^[a-z]{2}\d{1,10}$/.test(id ?? '') ? Number((id as string).slice(2)) : Number.NaN
}
