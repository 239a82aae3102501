import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type DocSet, RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import { ConnectorError } from '../connector.ts'
import { ExternalSort, type ScratchFolder, type SortGroup } from '../streams/external-sort.ts'
import { PagedFiles } from '../streams/source-files.ts'
import { readTsvRows } from '../streams/tsv-reader.ts'
import { parseAkaTitle, parseBasics, type Role, type TitleFact, toShowType } from './title-record.ts'

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

/** IMDb's placeholder title of an untitled episode. */
const UNTITLED_EPISODE = /^Episode #\d+\.\d+$/

const ROLES: Readonly<Record<string, Role>> = { actor: 'actor', actress: 'actor', self: 'self' }

/**
 * Joins the IMDb tables by title with sort-merge joins on disk. Rows become facts, sorted by title. Episodes are first
 * joined with their titles by episode id, people with their names by person id. Memory holds only bitmaps of ids.
 */
export class TitleJoin {
  readonly problems: FeedLine[] = []
  /** Whether all ratings were read, so that a missing rating means that there is none. */
  ratingsComplete = false
  private readonly dataset: ImdbDataset
  /** IMDb numbers of the titles to read. */
  private readonly selected: DocSet
  /** Whether all movies and series are read, beside the selected titles. */
  private readonly selectAll: boolean
  private readonly scratch: ScratchFolder
  private readonly titles: ExternalSort

  constructor(dataset: ImdbDataset, selected: DocSet, selectAll: boolean, scratch: ScratchFolder) {
    this.dataset = dataset
    this.selected = selected
    this.selectAll = selectAll
    this.scratch = scratch
    this.titles = new ExternalSort(scratch)
  }

  /** The facts of each title as JSON, by padded IMDb number. May be called more than once. */
  groups(): Generator<SortGroup> {
    return this.titles.groups()
  }

  /** The share of the facts that the latest call of `groups` has read. */
  progress(): number {
    return this.titles.progress()
  }

  /** Reads each table once and joins them by title. */
  async run(): Promise<void> {
    const { selected } = this
    // Malformed ids pass the filter, so that the row is reported.
    const isSelected = (id: number) => Number.isNaN(id) || selected.has(id)
    const episodes = new ExternalSort(this.scratch)
    const episodeIds = new RoaringBitmap32()
    const people = new ExternalSort(this.scratch)
    const personIds = new RoaringBitmap32()
    const addPerson = (person: string | undefined, title: string | undefined, role: Role, order: number) => {
      const [id, titleId] = [parseIdNumber(person), parseIdNumber(title)]
      if (Number.isNaN(id) || Number.isNaN(titleId)) return
      personIds.add(id)
      people.add(toSortKey(id), JSON.stringify([titleId, role, order]))
    }

    // Read first, because `title.basics` is filtered by the episodes. With all titles the parents are not known yet.
    await this.read(
      'title.episode',
      () => true,
      ([id, parent, season, episode]) => {
        const [number, series] = [parseIdNumber(id), parseIdNumber(parent)]
        if (Number.isNaN(number) || Number.isNaN(series) || season === undefined || episode === undefined) return
        if (!this.selectAll && !selected.has(series)) return
        episodeIds.add(number)
        episodes.add(toSortKey(number), JSON.stringify([series, Number(season), Number(episode)]))
      },
    )
    await this.read(
      'title.basics',
      (id) => this.selectAll || isSelected(id) || episodeIds.has(id),
      (cells) => {
        const basics = parseBasics(cells)
        const { imdbId, titleType, title, isAdult, startYear: year } = basics
        const id = parseIdNumber(imdbId)
        if (Number.isNaN(id)) return
        if (episodeIds.has(id)) episodes.add(toSortKey(id), JSON.stringify({ title, year }))
        if (this.selectAll && isAdult !== '1' && toShowType(titleType) !== undefined) selected.add(id)
        if (selected.has(id)) this.add(id, { basics })
      },
    )
    this.joinEpisodes(episodes)

    const problemsBefore = this.problems.length
    await this.read('title.ratings', isSelected, ([id, average]) => {
      const rating = Math.round(Number(average) * 10)
      if (rating >= 0 && rating <= 100) this.add(parseIdNumber(id), { rating })
    })
    this.ratingsComplete = this.dataset.has('title.ratings') && this.problems.length === problemsBefore

    await this.read('title.akas', isSelected, (cells) => {
      const aka = parseAkaTitle(cells)
      if (aka !== undefined) this.add(parseIdNumber(cells[0]), { aka })
    })
    await this.read('title.crew', isSelected, ([title, directors]) => {
      for (const [order, person] of (directors ?? '').split(',').entries()) addPerson(person, title, 'director', order)
    })
    await this.read('title.principals', isSelected, ([title, ordering, person, category = '', job]) => {
      const role = ROLES[category] ?? (/\bcreat(or|ed by)\b/i.test(job ?? '') ? 'creator' : undefined)
      if (role !== undefined) addPerson(person, title, role, Number(ordering))
    })
    await this.read(
      'name.basics',
      (id) => Number.isNaN(id) || personIds.has(id),
      ([person, name]) => {
        const id = parseIdNumber(person)
        if (name !== undefined && !Number.isNaN(id)) people.add(toSortKey(id), JSON.stringify(name))
      },
    )
    this.joinPeople(people)
  }

  private async read(name: TableName, includeId: (id: number) => boolean, onRow: RowHandler): Promise<void> {
    this.problems.push(...(await this.dataset.read(name, includeId, onRow)))
  }

  private add(title: number, fact: TitleFact): void {
    if (!Number.isNaN(title)) this.titles.add(toSortKey(title), JSON.stringify(fact))
  }

  /** Joins episodes with their titles and years, and adds them to their series. */
  private joinEpisodes(episodes: ExternalSort): void {
    for (const { texts } of episodes.groups()) {
      const rows = texts.map((text) => JSON.parse(text) as [number, number, number] | { title?: string; year?: string })
      const named = rows.find((row) => !Array.isArray(row)) as { title?: string; year?: string } | undefined
      const title = named?.title === undefined || UNTITLED_EPISODE.test(named.title) ? {} : { title: named.title }
      const year = named?.year === undefined ? {} : { year: Number(named.year) }
      for (const row of rows) {
        if (Array.isArray(row)) this.add(row[0], { season: row[1], episode: row[2], ...title, ...year })
      }
    }
  }

  /** Joins people with their names, and adds them to their titles. */
  private joinPeople(people: ExternalSort): void {
    for (const { texts } of people.groups()) {
      const rows = texts.map((text) => JSON.parse(text) as [number, Role, number] | string)
      const name = rows.find((row) => typeof row === 'string')
      if (name === undefined) continue
      for (const row of rows) {
        if (typeof row !== 'string') this.add(row[0], { role: row[1], order: row[2], name })
      }
    }
  }
}

/** Pads a number, so that text order is numeric order. */
function toSortKey(id: number): string {
  return String(id).padStart(10, '0')
}
