import Database from 'better-sqlite3'
import MiniSearch from 'minisearch'
import type { PeerStore } from '../peer-store.ts'
import type { Reference } from '../prerender/reference.ts'
import { SqliteStore } from '../sqlite/sqlite-store.ts'

const MAX_RESULTS = 20

/**
 * MiniSearch in memory for titles; the prerendered shows are in SQLite, because they do not fit into the heap. Tuned:
 * titles are normalized in advance and tokenized at spaces; all words must match; the last word matches as a prefix;
 * the allowed edit distance depends on the length of the word; only the show type is stored. It ranks by its own score,
 * not by popularity in the country.
 */
export class MiniSearchStore implements PeerStore {
  readonly #index: MiniSearch
  readonly #documents: SqliteStore

  private constructor(index: MiniSearch, documents: SqliteStore) {
    this.#index = index
    this.#documents = documents
  }

  /** Indexes the titles of a filled database. */
  static open(file: string, reference: Reference): MiniSearchStore {
    const index = new MiniSearch({
      fields: ['title'],
      storeFields: ['showId', 'movie'],
      idField: 'n',
      tokenize: (text) => text.split(' '),
      processTerm: (term) => term,
      searchOptions: {
        combineWith: 'AND',
        prefix: (_, i, terms) => i === terms.length - 1,
        fuzzy: (term) => (term.length < 4 ? false : term.length < 8 ? 1 : 2),
        maxFuzzy: 2,
        weights: { fuzzy: 0.1, prefix: 0.5 },
      },
    })
    const db = new Database(file, { readonly: true })
    const sql = 'SELECT t.n, t.title, t.id AS showId, s.movie FROM titles t JOIN shows s ON s.id = t.id'
    for (const row of db.prepare(sql).iterate()) index.add(row)
    db.close()
    return new MiniSearchStore(index, new SqliteStore(file, reference))
  }

  title(phrase: string, country: string, movie: boolean | undefined): string[] {
    const filter = movie === undefined ? {} : { filter: (found: object) => isMovie(found) === movie }
    const ids = new Set<number>()
    for (const found of this.#index.search(phrase, filter)) {
      ids.add(found.showId as number)
      if (ids.size === MAX_RESULTS) break
    }
    return this.#documents.texts([...ids], country)
  }
}

function isMovie(found: object): boolean {
  return (found as { movie?: number }).movie === 1
}
