import type { Catalog } from '../../catalog/catalog.ts'
import { type DocSet, RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import type { Connector } from '../framework/connector.ts'
import { ExternalSort, MAX_GROUP_LENGTH, ScratchFolder } from '../streams/external-sort.ts'
import { ImdbDataset, parseIdNumber, type RowHandler, type TableName } from './imdb-dataset.ts'
import { buildTitleRecord, parseAkaTitle, type Role, type TitleFact, toShowType } from './title-record.ts'

/** The non-commercial data sets of IMDb: what they say of shows that are known by their IMDb id, or of all there are. */
export const imdbConnector: Connector = {
  name: 'imdb',
  summary: 'a folder with the IMDb data sets (TSV, plain or gzipped), which enrich shows that are known by IMDb id',
  options: {
    create: { description: 'make shows of all movies and series, not only of those that are known' },
  },
  open: async (path, { create }, { catalog }) => {
    const data = await ImdbDataset.open(path)
    const scratch = new ScratchFolder()
    const feed = new ImdbFeed(data, catalog, create === true, scratch)
    return {
      lines: () => feed.lines(),
      progress: () => data.progress(),
      dispose: async () => scratch.remove(),
    }
  },
}

/** What IMDb's terms ask for wherever its data is shown. */
const IMDB_ATTRIBUTION = [{ text: 'Information courtesy of IMDb. Used with permission.', link: 'https://www.imdb.com' }]

/** Of an episode that has no title of its own, IMDb says no more than its place. */
const UNTITLED_EPISODE = /^Episode #\d+\.\d+$/

const ROLES: Readonly<Record<string, Role>> = { actor: 'actor', actress: 'actor', self: 'self' }

/**
 * The IMDb data sets as a native feed. The tables are joined on disk: what each says of a title is sorted together by
 * title, what is said of an episode first by episode, and what is said of a person first by person. In memory are only
 * the sets of the ids that are wanted.
 */
export class ImdbFeed {
  private readonly data: ImdbDataset
  private readonly catalog: Catalog
  private readonly create: boolean
  private readonly scratch: ScratchFolder
  private readonly wanted: DocSet
  private readonly titles: ExternalSort
  private readonly problems: FeedLine[] = []
  private ratingsWhole = false
  private joined: Promise<void> | undefined

  constructor(data: ImdbDataset, catalog: Catalog, create: boolean, scratch: ScratchFolder) {
    this.data = data
    this.catalog = catalog
    this.create = create
    this.scratch = scratch
    this.wanted = findKnownIds(catalog)
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
      const show = buildTitleRecord(facts, { ratingsComplete: this.ratingsWhole })
      if (show !== undefined) yield this.line(show)
    }
  }

  private line(show: Record<string, unknown>): FeedLine {
    const imdbId = String(show.imdbId)
    const doc = this.catalog.findDoc(imdbId)
    const known = doc === undefined ? undefined : this.catalog.facts(doc)?.showType
    if (known === undefined || known === show.showType) return { line: 1, text: JSON.stringify(show) }
    const detail = `${imdbId} is a ${show.showType} at IMDb and a ${known} in the catalog`
    return { line: 1, note: 'left_out', detail, record: imdbId }
  }

  /** Reads all tables once. */
  private async join(): Promise<void> {
    const { wanted } = this
    const isWanted = (id: number) => Number.isNaN(id) || wanted.has(id)
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

    // Whose parents are wanted is not known before the titles have been read, if all of them are.
    await this.read(
      'title.episode',
      () => true,
      ([id, parent, season, episode]) => {
        if (season === undefined || episode === undefined || !(this.create || wanted.has(parseIdNumber(parent)))) return
        episodeIds.add(parseIdNumber(id))
        episodes.add(
          toSortKey(parseIdNumber(id)),
          JSON.stringify([parseIdNumber(parent), Number(season), Number(episode)]),
        )
      },
    )
    await this.read(
      'title.basics',
      (id) => this.create || isWanted(id) || episodeIds.has(id),
      (cells) => {
        const [tconst, type, title, , isAdult, year] = cells
        const id = parseIdNumber(tconst)
        if (Number.isNaN(id)) return
        if (episodeIds.has(id)) episodes.add(toSortKey(id), JSON.stringify({ title, year }))
        if (this.create && isAdult !== '1' && toShowType(type) !== undefined) wanted.add(id)
        if (wanted.has(id)) this.add(id, { basics: cells })
      },
    )
    this.joinEpisodes(episodes)

    const before = this.problems.length
    await this.read('title.ratings', isWanted, ([id, average]) => {
      const rating = Math.round(Number(average) * 10)
      if (rating >= 0 && rating <= 100) this.add(parseIdNumber(id), { rating })
    })
    this.ratingsWhole = this.data.has('title.ratings') && this.problems.length === before

    await this.read('title.akas', isWanted, (cells) => {
      const aka = parseAkaTitle(cells)
      if (aka !== undefined) this.add(parseIdNumber(cells[0]), { aka })
    })
    await this.read('title.crew', isWanted, ([title, directors]) => {
      for (const [order, person] of (directors ?? '').split(',').entries()) addPerson(person, title, 'director', order)
    })
    await this.read('title.principals', isWanted, ([title, ordering, person, category = '', job]) => {
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

  private async read(name: TableName, wants: (id: number) => boolean, take: RowHandler): Promise<void> {
    this.problems.push(...(await this.data.read(name, wants, take)))
  }

  private add(title: number, fact: TitleFact): void {
    if (!Number.isNaN(title)) this.titles.add(toSortKey(title), JSON.stringify(fact))
  }

  /** Gives each series its episodes, with what they are called. */
  private joinEpisodes(episodes: ExternalSort): void {
    for (const { texts } of episodes.groups()) {
      const all = texts.map((text) => JSON.parse(text) as [number, number, number] | { title?: string; year?: string })
      const named = all.find((one) => !Array.isArray(one)) as { title?: string; year?: string } | undefined
      const title = named?.title === undefined || UNTITLED_EPISODE.test(named.title) ? {} : { title: named.title }
      const year = named?.year === undefined ? {} : { year: Number(named.year) }
      for (const one of all) {
        if (Array.isArray(one)) this.add(one[0], { season: one[1], episode: one[2], ...title, ...year })
      }
    }
  }

  /** Gives each title its people, by name. */
  private joinPeople(people: ExternalSort): void {
    for (const { texts } of people.groups()) {
      const all = texts.map((text) => JSON.parse(text) as [number, Role, number] | string)
      const name = all.find((one) => typeof one === 'string')
      if (name === undefined) continue
      for (const one of all) {
        if (typeof one !== 'string') this.add(one[0], { role: one[1], order: one[2], name })
      }
    }
  }
}

/** The numbers of all IMDb ids that the catalog knows. */
function findKnownIds(catalog: Catalog): DocSet {
  const ids = new RoaringBitmap32()
  for (const key of catalog.documents.imdbIds()) {
    const id = parseIdNumber(key)
    if (id < 2 ** 32) ids.add(id)
  }
  return ids
}

/** A number as a key that sorts as numbers do. */
function toSortKey(id: number): string {
  return String(id).padStart(10, '0')
}
