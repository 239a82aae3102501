import type { Catalog } from '../../catalog/catalog.ts'
import { type DocSet, RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import type { Connector } from '../framework/connector.ts'
import { ExternalSort, MAX_GROUP_LENGTH, ScratchFolder } from '../streams/external-sort.ts'
import { ImdbDataset, parseIdNumber, type RowHandler, type TableName } from './imdb-dataset.ts'
import { buildTitleRecord, parseAkaTitle, type Role, type TitleFact, toShowType } from './title-record.ts'

/** The non-commercial IMDb datasets. They enrich the shows of the catalog by IMDb id, or with `--create` add all titles. */
export const imdbConnector: Connector = {
  name: 'imdb',
  summary: 'a folder with the IMDb data sets (TSV, plain or gzipped), which enrich shows that are known by IMDb id',
  options: {
    create: { description: 'make shows of all movies and series, not only of those that are known' },
  },
  open: async (path, { create }, { catalog }) => {
    const dataset = await ImdbDataset.open(path)
    const scratch = new ScratchFolder()
    const feed = new ImdbFeed(dataset, catalog, create === true, scratch)
    return {
      lines: () => feed.lines(),
      progress: () => dataset.progress(),
      dispose: async () => scratch.remove(),
    }
  },
}

/** The attribution that IMDb's terms require wherever its data is shown. */
const IMDB_ATTRIBUTION = [{ text: 'Information courtesy of IMDb. Used with permission.', link: 'https://www.imdb.com' }]

/** IMDb's placeholder title of an untitled episode. */
const UNTITLED_EPISODE = /^Episode #\d+\.\d+$/

const ROLES: Readonly<Record<string, Role>> = { actor: 'actor', actress: 'actor', self: 'self' }

/**
 * Converts the IMDb tables into a native feed by sort-merge joins on disk. Rows become facts, sorted by title. Episodes
 * are first joined with their titles by episode id, people with their names by person id. Memory holds only bitmaps of
 * the selected ids.
 */
class ImdbFeed {
  private readonly dataset: ImdbDataset
  private readonly catalog: Catalog
  private readonly create: boolean
  private readonly scratch: ScratchFolder
  /** IMDb numbers of the titles to read. */
  private readonly selected: DocSet
  private readonly titles: ExternalSort
  private readonly problems: FeedLine[] = []
  private ratingsComplete = false
  /** The join, which is done once for both passes of an import. */
  private joined: Promise<void> | undefined

  constructor(dataset: ImdbDataset, catalog: Catalog, create: boolean, scratch: ScratchFolder) {
    this.dataset = dataset
    this.catalog = catalog
    this.create = create
    this.scratch = scratch
    this.selected = findKnownIds(catalog)
    this.titles = new ExternalSort(scratch)
  }

  async *lines(): AsyncGenerator<FeedLine> {
    yield {
      line: 1,
      text: JSON.stringify({ kind: 'feed', source: 'imdb', mode: 'delta', attribution: IMDB_ATTRIBUTION }),
    }
    this.joined ??= this.join()
    await this.joined
    yield* this.problems
    for (const { key, texts, size } of this.titles.groups()) {
      if (size > MAX_GROUP_LENGTH) {
        yield { line: 1, problem: 'line_too_long', detail: `tt${Number(key)} has ${size} letters in the tables` }
        continue
      }
      const facts = texts.map((text) => JSON.parse(text) as TitleFact)
      const show = buildTitleRecord(facts, { ratingsComplete: this.ratingsComplete })
      if (show !== undefined) yield this.toLine(show)
    }
  }

  /** The record of a title; a note if the catalog has the title as another type. */
  private toLine(show: Record<string, unknown>): FeedLine {
    const imdbId = String(show.imdbId)
    const doc = this.catalog.findDoc(imdbId)
    const existing = doc === undefined ? undefined : this.catalog.facts(doc)?.showType
    if (existing === undefined || existing === show.showType) return { line: 1, text: JSON.stringify(show) }
    const detail = `${imdbId} is a ${show.showType} at IMDb and a ${existing} in the catalog`
    return { line: 1, note: 'left_out', detail, record: imdbId }
  }

  /** Reads each table once and joins them by title. */
  private async join(): Promise<void> {
    const { selected } = this
    // Malformed ids pass the filter, so that the row is reported.
    const isSelected = (id: number) => Number.isNaN(id) || selected.has(id)
    const episodes = new ExternalSort(this.scratch)
    const episodeIds = new RoaringBitmap32()
    const people = new ExternalSort(this.scratch)
    const personIds = new RoaringBitmap32()
    const addPerson = (person: string | undefined, title: string | undefined, role: Role, order: number) => {
      const id = parseIdNumber(person)
      if (Number.isNaN(id)) return
      personIds.add(id)
      people.add(toSortKey(id), JSON.stringify([parseIdNumber(title), role, order]))
    }

    // Read first, because `title.basics` is filtered by the episodes. With `--create` the parents are not known yet.
    await this.read(
      'title.episode',
      () => true,
      ([id, parent, season, episode]) => {
        if (season === undefined || episode === undefined || !(this.create || selected.has(parseIdNumber(parent))))
          return
        episodeIds.add(parseIdNumber(id))
        episodes.add(
          toSortKey(parseIdNumber(id)),
          JSON.stringify([parseIdNumber(parent), Number(season), Number(episode)]),
        )
      },
    )
    await this.read(
      'title.basics',
      (id) => this.create || isSelected(id) || episodeIds.has(id),
      (cells) => {
        const [tconst, type, title, , isAdult, year] = cells
        const id = parseIdNumber(tconst)
        if (Number.isNaN(id)) return
        if (episodeIds.has(id)) episodes.add(toSortKey(id), JSON.stringify({ title, year }))
        if (this.create && isAdult !== '1' && toShowType(type) !== undefined) selected.add(id)
        if (selected.has(id)) this.add(id, { basics: cells })
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

/** The numbers of all IMDb ids in the catalog. */
function findKnownIds(catalog: Catalog): DocSet {
  const ids = new RoaringBitmap32()
  for (const key of catalog.documents.imdbIds()) {
    const id = parseIdNumber(key)
    if (id < 2 ** 32) ids.add(id)
  }
  return ids
}

/** Pads a number, so that text order is numeric order. */
function toSortKey(id: number): string {
  return String(id).padStart(10, '0')
}
