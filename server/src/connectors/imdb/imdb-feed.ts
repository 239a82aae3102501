import type { Catalog } from '../../catalog/catalog.ts'
import { type DocSet, RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import { ExternalSort, LARGEST_GROUP } from '../external-sort.ts'
import type { ScratchFolder } from '../scratch-folder.ts'
import { akaTitleOf } from './aka-titles.ts'
import { type DataSet, numberOfId, type TableName, type TakeRow } from './data-set.ts'
import { assembleTitle, type Role, showTypeOf, type TitleFact } from './title-facts.ts'

/** What IMDb's terms ask for wherever its data is shown. */
const IMDB_ATTRIBUTION = [{ text: 'Information courtesy of IMDb. Used with permission.', link: 'https://www.imdb.com' }]

/** Of an episode that has no title of its own, IMDb says no more than its place. */
const NAMELESS = /^Episode #\d+\.\d+$/

const ROLES: Readonly<Record<string, Role>> = { actor: 'actor', actress: 'actor', self: 'self' }

/**
 * The IMDb data sets as a native feed. The tables are joined on disk: what each says of a title is sorted together by
 * title, what is said of an episode first by episode, and what is said of a person first by person. In memory are only
 * the sets of the ids that are wanted.
 */
export class ImdbFeed {
  private readonly data: DataSet
  private readonly catalog: Catalog
  private readonly create: boolean
  private readonly scratch: ScratchFolder
  private readonly wanted: DocSet
  private readonly titles: ExternalSort
  private readonly problems: FeedLine[] = []
  private ratingsWhole = false
  private joined: Promise<void> | undefined

  constructor(data: DataSet, catalog: Catalog, create: boolean, scratch: ScratchFolder) {
    this.data = data
    this.catalog = catalog
    this.create = create
    this.scratch = scratch
    this.wanted = knownIds(catalog)
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
      if (size > LARGEST_GROUP) {
        yield { line: 1, problem: 'line_too_long', detail: `tt${Number(key)} has ${size} letters in the tables` }
        continue
      }
      const facts = texts.map((text) => JSON.parse(text) as TitleFact)
      const show = assembleTitle(facts, { ratingsWhole: this.ratingsWhole })
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
      const id = numberOfId(person)
      if (Number.isNaN(id)) return
      personIds.add(id)
      people.add(keyOf(id), JSON.stringify([numberOfId(title), role, order]))
    }

    // Whose parents are wanted is not known before the titles have been read, if all of them are.
    await this.read(
      'title.episode',
      () => true,
      ([id, parent, season, episode]) => {
        if (season === undefined || episode === undefined || !(this.create || wanted.has(numberOfId(parent)))) return
        episodeIds.add(numberOfId(id))
        episodes.add(keyOf(numberOfId(id)), JSON.stringify([numberOfId(parent), Number(season), Number(episode)]))
      },
    )
    await this.read(
      'title.basics',
      (id) => this.create || isWanted(id) || episodeIds.has(id),
      (cells) => {
        const [tconst, type, title, , isAdult, year] = cells
        const id = numberOfId(tconst)
        if (Number.isNaN(id)) return
        if (episodeIds.has(id)) episodes.add(keyOf(id), JSON.stringify({ title, year }))
        if (this.create && isAdult !== '1' && showTypeOf(type) !== undefined) wanted.add(id)
        if (wanted.has(id)) this.add(id, { basics: cells })
      },
    )
    this.joinEpisodes(episodes)

    const before = this.problems.length
    await this.read('title.ratings', isWanted, ([id, average]) => {
      const rating = Math.round(Number(average) * 10)
      if (rating >= 0 && rating <= 100) this.add(numberOfId(id), { rating })
    })
    this.ratingsWhole = this.data.has('title.ratings') && this.problems.length === before

    await this.read('title.akas', isWanted, (cells) => {
      const aka = akaTitleOf(cells)
      if (aka !== undefined) this.add(numberOfId(cells[0]), { aka })
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
        const id = numberOfId(person)
        if (name !== undefined && !Number.isNaN(id)) people.add(keyOf(id), JSON.stringify(name))
      },
    )
    this.joinPeople(people)
  }

  private async read(name: TableName, wants: (id: number) => boolean, take: TakeRow): Promise<void> {
    this.problems.push(...(await this.data.read(name, wants, take)))
  }

  private add(title: number, fact: TitleFact): void {
    if (!Number.isNaN(title)) this.titles.add(keyOf(title), JSON.stringify(fact))
  }

  /** Gives each series its episodes, with what they are called. */
  private joinEpisodes(episodes: ExternalSort): void {
    for (const { texts } of episodes.groups()) {
      const all = texts.map((text) => JSON.parse(text) as [number, number, number] | { title?: string; year?: string })
      const named = all.find((one) => !Array.isArray(one)) as { title?: string; year?: string } | undefined
      const title = named?.title === undefined || NAMELESS.test(named.title) ? {} : { title: named.title }
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
function knownIds(catalog: Catalog): DocSet {
  const ids = new RoaringBitmap32()
  for (const key of catalog.environment.ids.getKeys({ start: 'tt', end: 'tu' })) {
    const id = numberOfId(key)
    if (id < 2 ** 32) ids.add(id)
  }
  return ids
}

/** A number as a key that sorts as numbers do. */
function keyOf(id: number): string {
  return String(id).padStart(10, '0')
}
