import type { Catalog } from '../../src/catalog/catalog.ts'
import { FilterExecutor } from '../../src/query/filters/filter-executor.ts'
import { SortedColumns } from '../../src/query/filters/sorted-columns.ts'
import { PeopleSearcher } from '../../src/query/people/people-search.ts'
import { TitleSearcher } from '../../src/query/titles/title-search.ts'
import type { EvaluationCatalog } from './evaluation-catalogs.ts'
import heldOut from './held-out-queries.json' with { type: 'json' }
import judged from './judged-queries.json' with { type: 'json' }

/** Queries by class, each with the title that is wanted. */
type QuerySet = Readonly<Record<string, readonly (readonly string[])[]>>

/** What is evaluated: a set of queries on a catalog. The held-out set has other titles, which nothing is tuned on. */
export const EVALUATIONS = {
  demo: { catalog: 'demo', queries: judged.classes },
  large: { catalog: 'large', queries: judged.classes },
  'held-out': { catalog: 'large', queries: heldOut.classes },
} as const satisfies Record<string, { catalog: EvaluationCatalog; queries: QuerySet }>
export type EvaluationName = keyof typeof EVALUATIONS

/** How many searches of a class put the wanted title first, among the first three, and among the first ten. */
export interface ClassFigures {
  readonly queries: number
  readonly first: number
  readonly firstThree: number
  readonly firstTen: number
}

/** A search that did not have the wanted title among the first three. */
export interface Miss {
  readonly kind: string
  readonly query: string
  readonly wanted: string
  /** Its position from 1; 0 if it was not found. */
  readonly position: number
  readonly found: readonly string[]
}

/** The results of a judged set on one catalog. */
export interface Evaluation {
  readonly classes: Readonly<Record<string, ClassFigures>>
  readonly all: ClassFigures
  /** The wanted titles, typed letter by letter from the third letter on: how many searches, and how many found nothing. */
  readonly typing: { readonly searches: number; readonly empty: number }
  readonly misses: readonly Miss[]
}

const FIRST_TYPED = 3

/** Runs all queries of a set whose title the catalog has. */
export function evaluateSearch(catalog: Catalog, name: EvaluationName): Evaluation {
  const searcher = new TitleSearcher(
    catalog,
    new FilterExecutor(catalog, new PeopleSearcher(catalog)),
    new SortedColumns(catalog),
  )
  const version = catalog.version()
  const search = (title: string) =>
    searcher.search(
      { kind: 'title', title, country: 'us', catalogs: [], genres: [], granularity: 'show', language: 'en' },
      version,
    )
  const docs = titleDocs(catalog)
  const classes: Record<string, ClassFigures> = {}
  const misses: Miss[] = []
  const wantedTitles = new Set<string>()
  const querySet: QuerySet = EVALUATIONS[name].queries
  for (const [kind, queries] of Object.entries(querySet)) {
    const counts = { queries: 0, first: 0, firstThree: 0, firstTen: 0 }
    for (const [query, wanted] of queries as readonly [string, string][]) {
      const doc = docs.get(wanted)
      if (doc === undefined) continue
      wantedTitles.add(wanted.replace(YEAR, ''))
      const results = search(query)
      const position = results.indexOf(doc) + 1
      counts.queries++
      if (position === 1) counts.first++
      if (position >= 1 && position <= 10) counts.firstTen++
      if (position >= 1 && position <= 3) counts.firstThree++
      else
        misses.push({ kind, query, wanted, position, found: results.slice(0, 3).map((one) => describe(catalog, one)) })
    }
    if (counts.queries > 0) classes[kind] = counts
  }
  return { classes, all: addUp(Object.values(classes)), typing: typeTitles(wantedTitles, search), misses }
}

const YEAR = / \(\d{4}\)$/

/** Documents by title, and by title and year. Of several with a title, the first counts. */
function titleDocs(catalog: Catalog): Map<string, number> {
  const docs = new Map<string, number>()
  for (const doc of catalog.documents.docs()) {
    const show = catalog.show(doc)
    for (const name of [show?.title ?? '', `${show?.title} (${show?.year})`]) if (!docs.has(name)) docs.set(name, doc)
  }
  return docs
}

function describe(catalog: Catalog, doc: number): string {
  const show = catalog.show(doc)
  return `${show?.title} (${show?.year})`
}

function typeTitles(titles: Iterable<string>, search: (title: string) => readonly number[]): Evaluation['typing'] {
  let searches = 0
  let empty = 0
  for (const title of titles) {
    for (let length = Math.min(FIRST_TYPED, title.length); length <= title.length; length++) {
      searches++
      if (search(title.slice(0, length)).length === 0) empty++
    }
  }
  return { searches, empty }
}

function addUp(all: readonly ClassFigures[]): ClassFigures {
  const sum = (key: keyof ClassFigures) => all.reduce((total, figures) => total + figures[key], 0)
  return { queries: sum('queries'), first: sum('first'), firstThree: sum('firstThree'), firstTen: sum('firstTen') }
}
