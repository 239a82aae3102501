import type { Catalog } from '../../catalog/catalog.ts'
import { type DocSet, RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import type { Connector } from '../connector.ts'
import { MAX_GROUP_LENGTH, ScratchFolder } from '../streams/external-sort.ts'
import { ImdbDataset, parseIdNumber, type TableName, TitleJoin, toImdbId } from './title-join.ts'
import { hasDisjointPeople, TitleLinker, type TitleLinks } from './title-linker.ts'
import { buildTitleRecord, parseBasics, parseCount, type TitleFact } from './title-record.ts'

/** The non-commercial IMDb datasets. They enrich the shows of the catalog by IMDb id, or with `--create` add all titles. */
export const openImdb: Connector['open'] = async (path, { link, create }, { catalog }) => {
  const linker = link === true || create === true ? new TitleLinker(catalog) : undefined
  const dataset = await ImdbDataset.open(path, linker === undefined ? [] : LINKING_TABLES)
  const scratch = new ScratchFolder()
  const feed = new ImdbFeed(dataset, catalog, { linker, create: create === true }, scratch)
  return {
    lines: () => feed.lines(),
    progress: () => feed.progress(),
    dispose: async () => scratch.remove(),
  }
}

/** Tables that are read once more to link titles. */
const LINKING_TABLES: readonly TableName[] = ['title.basics', 'title.ratings']

/** The attribution that IMDb's terms require wherever its data is shown. */
const IMDB_ATTRIBUTION = [{ text: 'Information courtesy of IMDb. Used with permission.', link: 'https://www.imdb.com' }]

/** The share of the first pass that the join takes, about. */
const JOIN_SHARE = 0.8

const NO_LINKS: TitleLinks = { showIds: new Map(), ambiguous: new RoaringBitmap32(), rivals: () => [], notes: [] }

interface ImdbFeedOptions {
  /** Finds the titles of shows without an IMDb id. */
  readonly linker: TitleLinker | undefined
  /** Whether titles that are no show of the catalog become one. */
  readonly create: boolean
}

/** Converts the IMDb tables into a native feed: links titles to shows, joins the tables, and emits a record a title. */
class ImdbFeed {
  private readonly dataset: ImdbDataset
  private readonly catalog: Catalog
  private readonly linker: TitleLinker | undefined
  private readonly create: boolean
  /** IMDb numbers of the titles to read. */
  private readonly selected: DocSet
  private readonly join: TitleJoin
  private links = NO_LINKS
  /** The join, which is done once for both passes of an import. */
  private joined: Promise<void> | undefined
  private joinShare = JOIN_SHARE
  private isJoined = false

  constructor(dataset: ImdbDataset, catalog: Catalog, { linker, create }: ImdbFeedOptions, scratch: ScratchFolder) {
    this.dataset = dataset
    this.catalog = catalog
    this.linker = linker
    this.create = create
    this.selected = findKnownIds(catalog)
    this.join = new TitleJoin(dataset, this.selected, create, scratch)
  }

  /** The share of the current pass that is done: of the join first, then of the titles. */
  progress(): number {
    if (!this.isJoined) return this.joinShare * this.dataset.progress()
    return this.joinShare + (1 - this.joinShare) * this.join.progress()
  }

  async *lines(): AsyncGenerator<FeedLine> {
    // A second pass has nothing to join.
    if (this.isJoined) this.joinShare = 0
    yield {
      line: 1,
      text: JSON.stringify({ kind: 'feed', source: 'imdb', mode: 'delta', attribution: IMDB_ATTRIBUTION }),
    }
    this.joined ??= this.linkAndJoin()
    await this.joined
    this.isJoined = true
    yield* this.join.problems
    yield* this.links.notes
    const { showIds, ambiguous } = this.links
    const isLinked = (title: number) => showIds.has(title)
    // A linked title comes before other titles that fit the show, which is taken then.
    if (this.create && showIds.size > 0) {
      yield* this.titleLines(isLinked)
      yield* this.titleLines((title) => !isLinked(title) && !ambiguous.has(title))
    } else yield* this.titleLines((title) => !ambiguous.has(title))
  }

  /** The lines of the titles that pass a filter, in the order of their ids. */
  private *titleLines(include: (title: number) => boolean): Generator<FeedLine> {
    for (const { key, texts, size } of this.join.groups()) {
      const title = Number(key)
      if (!include(title)) continue
      if (size > MAX_GROUP_LENGTH) {
        yield { line: 1, problem: 'line_too_long', detail: `${toImdbId(title)} has ${size} letters in the tables` }
        continue
      }
      const facts = texts.map((text) => JSON.parse(text) as TitleFact)
      const line = this.toLine(title, facts)
      if (line !== undefined) yield line
    }
  }

  /** The record of a title; a note if the catalog has the title as another type, or if the people are others. */
  private toLine(title: number, facts: readonly TitleFact[]): FeedLine | undefined {
    const linkedId = this.links.showIds.get(title)
    const imdbId = toImdbId(title)
    const doc = this.catalog.findDoc(linkedId ?? imdbId)
    const known = doc === undefined ? undefined : this.catalog.show(doc)
    const show = buildTitleRecord(facts, { ratingsComplete: this.join.ratingsComplete, known })
    if (show === undefined) return undefined
    const note = (detail: string): FeedLine => ({ line: 1, note: 'left_out', detail, record: imdbId })
    if (known !== undefined && known.showType !== show.showType) {
      return note(`${imdbId} is a ${show.showType} at IMDb and a ${known.showType} in the catalog`)
    }
    if (linkedId === undefined) return { line: 1, text: JSON.stringify(show) }
    if (known !== undefined && hasDisjointPeople(known, show)) {
      // Otherwise the importer would take the next best for the show.
      for (const rival of this.links.rivals(title)) this.links.ambiguous.add(rival)
      const { id, title: knownTitle, year } = known
      return note(`${imdbId} fits show ${id}, ${knownTitle} (${year}), but they have no person in common`)
    }
    return { line: 1, text: JSON.stringify({ ...show, id: linkedId }) }
  }

  private async linkAndJoin(): Promise<void> {
    if (this.linker !== undefined) await this.link(this.linker)
    await this.join.run()
  }

  /** Reads titles and votes, and finds the titles of shows without an IMDb id. */
  private async link(linker: TitleLinker): Promise<void> {
    if (linker.isIdle) return
    // Problems of these tables are reported when they are read again.
    await this.dataset.read(
      'title.basics',
      (id) => !Number.isNaN(id) && !this.selected.has(id),
      (cells) => linker.addTitle(parseBasics(cells)),
    )
    await this.dataset.read(
      'title.ratings',
      (id) => linker.isCandidate(id),
      ([id, , votes]) => linker.addVotes(parseIdNumber(id), parseCount(votes) ?? 0),
    )
    this.links = linker.resolve()
    for (const title of this.links.showIds.keys()) this.selected.add(title)
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
