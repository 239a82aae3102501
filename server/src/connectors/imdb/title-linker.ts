import type { Catalog } from '../../catalog/catalog.ts'
import { fold, titleVariants } from '../../catalog/index/analyzer.ts'
import { type DocSet, RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { term } from '../../catalog/index/terms.ts'
import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import type { Show } from '../../model/show.ts'
import { parseIdNumber, toImdbId } from './title-join.ts'
import { parseCount, type TitleBasics, toShowType } from './title-record.ts'

/** A title of IMDb that fits a show of the catalog. */
interface Candidate {
  readonly title: number
  /** How well the year fits: 0 if it is equal, 1 if it is a year off or within the run of a series. */
  readonly tier: 0 | 1
  votes: number
}

/** Which titles are about which shows. */
export interface TitleLinks {
  /** Own ids of shows, by IMDb number. */
  readonly showIds: ReadonlyMap<number, string>
  /** Titles that fit a show of which several fit, or several shows. They are linked to none. */
  readonly ambiguous: DocSet
  /** The other titles that fit the show of a linked title. */
  readonly rivals: (title: number) => readonly number[]
  readonly notes: readonly FeedLine[]
}

/** The number of ids that a note lists. */
const MAX_LISTED = 5

/**
 * Finds the IMDb titles of the shows that have no IMDb id: those of equal title and type whose year fits. Of several
 * with an equally good year, the one with the most votes is taken. A tie is linked to nobody.
 */
export class TitleLinker {
  private readonly catalog: Catalog
  private readonly unlinked: DocSet
  private readonly byDoc = new Map<number, Candidate[]>()
  private readonly byTitle = new Map<number, Candidate[]>()

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.unlinked = findUnlinkedDocs(catalog)
  }

  /** Whether there is no show to link. */
  get isIdle(): boolean {
    return this.unlinked.size === 0
  }

  /** Compares a title with the shows. */
  addTitle(basics: TitleBasics): void {
    const number = parseIdNumber(basics.imdbId)
    const showType = toShowType(basics.titleType)
    const startYear = parseCount(basics.startYear)
    if (Number.isNaN(number) || showType === undefined || startYear === undefined || basics.isAdult === '1') return
    const years = { startYear, endYear: showType === 'movie' ? startYear : parseCount(basics.endYear) }
    for (const doc of this.findDocs(basics)) {
      const facts = this.catalog.facts(doc)
      if (facts === undefined || facts.deleted || facts.showType !== showType || facts.year === undefined) continue
      const tier = rankYear(facts.year, years)
      if (tier !== undefined) this.addCandidate(doc, { title: number, tier, votes: 0 })
    }
  }

  /** Whether a title fits a show, so that its votes are needed. */
  isCandidate(title: number): boolean {
    return this.byTitle.has(title)
  }

  addVotes(title: number, votes: number): void {
    for (const candidate of this.byTitle.get(title) ?? []) candidate.votes = votes
  }

  /** Chooses a title for each show. */
  resolve(): TitleLinks {
    const showIds = new Map<number, string>()
    const ambiguous: DocSet = new RoaringBitmap32()
    const notes: FeedLine[] = []
    const addNote = (detail: string, record: string) =>
      notes.push({ line: 1, note: 'ambiguous_show', detail: `${detail}; it is not linked`, record })
    const excludeAll = (doc: number) => {
      for (const { title } of this.byDoc.get(doc) ?? []) ambiguous.add(title)
    }
    const docsByTitle = new Map<number, number[]>()
    for (const [doc, candidates] of this.byDoc) {
      const best = findBest(candidates)
      const [winner] = best
      if (winner === undefined) continue
      if (best.length === 1) {
        docsByTitle.set(winner.title, [...(docsByTitle.get(winner.title) ?? []), doc])
        continue
      }
      excludeAll(doc)
      const ids = best.slice(0, MAX_LISTED).map(({ title }) => toImdbId(title))
      addNote(`${ids.join(', ')} fit it by title and year, each with ${winner.votes} votes`, this.describe(doc))
    }
    for (const [title, docs] of docsByTitle) {
      if (docs.length === 1) showIds.set(title, this.catalog.facts(docs[0] as number)?.id ?? '')
      else {
        for (const doc of docs) excludeAll(doc)
        const shows = docs.slice(0, MAX_LISTED).map((doc) => this.catalog.facts(doc)?.id)
        addNote(`It may be any of the shows ${shows.join(', ')}`, toImdbId(title))
      }
    }
    const rivals = (title: number) =>
      (docsByTitle.get(title) ?? []).flatMap((doc) =>
        (this.byDoc.get(doc) ?? []).map((candidate) => candidate.title).filter((other) => other !== title),
      )
    return { showIds, ambiguous, rivals, notes }
  }

  private findDocs({ title, originalTitle }: TitleBasics): Set<number> {
    const titles = new Set([title, originalTitle].filter((text) => text !== undefined))
    return new Set(
      [...titles].flatMap((text) => findDocsByTitle(this.catalog, text).filter((doc) => this.unlinked.has(doc))),
    )
  }

  private addCandidate(doc: number, candidate: Candidate): void {
    for (const [map, key] of [
      [this.byDoc, doc],
      [this.byTitle, candidate.title],
    ] as const) {
      const list = map.get(key)
      if (list === undefined) map.set(key, [candidate])
      else list.push(candidate)
    }
  }

  private describe(doc: number): string {
    const { title, year } = this.catalog.show(doc) ?? {}
    return `${title} (${year})`
  }
}

/** Whether two records name people in the same role and share none of them: they are about different works. */
export function hasDisjointPeople(show: Show, record: Readonly<Record<string, unknown>>): boolean {
  let compared = false
  for (const role of ['directors', 'creators', 'cast'] as const) {
    const [known, stated] = [show[role] ?? [], (record[role] as readonly string[] | undefined) ?? []]
    if (known.length === 0 || stated.length === 0) continue
    compared = true
    const names = new Set(known.map(fold))
    if (stated.some((name) => names.has(fold(name)))) return false
  }
  return compared
}

/** How well a year fits a title; undefined if it does not. */
function rankYear(
  year: number,
  { startYear, endYear }: { readonly startYear: number; readonly endYear: number | undefined },
): Candidate['tier'] | undefined {
  if (year === startYear) return 0
  return year >= startYear - 1 && year <= (endYear ?? year) + 1 ? 1 : undefined
}

/** The candidates of the best tier that have the most votes. */
function findBest(candidates: readonly Candidate[]): readonly Candidate[] {
  const tier = Math.min(...candidates.map((candidate) => candidate.tier))
  const fitting = candidates.filter((candidate) => candidate.tier === tier)
  const votes = Math.max(...fitting.map((candidate) => candidate.votes))
  return fitting.filter((candidate) => candidate.votes === votes)
}

/** The documents of shows without an IMDb id. */
function findUnlinkedDocs(catalog: Catalog): DocSet {
  const docs: DocSet = new RoaringBitmap32([...catalog.documents.docs()])
  for (const id of catalog.documents.imdbIds()) {
    const doc = catalog.findDoc(id)
    if (doc !== undefined) docs.delete(doc)
  }
  return docs
}

/** The documents whose title in any language equals a title, ignoring case, accents and punctuation. */
function findDocsByTitle(catalog: Catalog, title: string): number[] {
  const version = catalog.version()
  const docs = new Set<number>()
  for (const variant of titleVariants(title)) {
    for (const doc of catalog.docsWithTerm(term.titleEqual(variant), version).toArray()) docs.add(doc)
  }
  return [...docs]
}
