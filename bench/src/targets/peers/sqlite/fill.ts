import { existsSync, renameSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { PrerenderedChange } from '../prerender/prerendered-change.ts'
import { prerenderFeed } from '../prerender/prerendered-feed.ts'
import type { PrerenderedShow } from '../prerender/prerendered-show.ts'
import type { Reference } from '../prerender/reference.ts'
import { BitmaskEncoder, CATALOG_WORDS } from './bitmask.ts'
import { documentKey, INDEXES, TABLES } from './schema.ts'

/** Loads an exported feed into a database file, unless the file exists. */
export async function fillSqlite(file: string, feed: string, reference: Reference, now: number): Promise<void> {
  if (existsSync(file)) return
  const draft = `${file}.draft`
  rmSync(draft, { force: true })
  const db = new Database(draft)
  db.pragma('journal_mode = OFF')
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -1000000')
  db.exec(TABLES)
  const loader = new SqliteLoader(db, reference)
  db.exec('BEGIN')
  for await (const record of prerenderFeed(feed, reference, now)) {
    if (record.kind === 'change') loader.addChange(record.change)
    else {
      loader.addShow(record.show)
      for (const change of record.changes) loader.addChange(change)
    }
  }
  db.exec('COMMIT')
  db.exec(INDEXES)
  db.pragma('journal_mode = WAL')
  db.close()
  renameSync(draft, file)
}

class SqliteLoader {
  readonly #countries: readonly string[]
  readonly #catalogs: ReadonlyMap<string, BitmaskEncoder>
  readonly #genres: BitmaskEncoder
  readonly #statements: ReturnType<typeof statements>

  constructor(db: Database.Database, reference: Reference) {
    this.#countries = Object.keys(reference.countries)
    this.#catalogs = new Map(
      Object.entries(reference.catalogs).map(([k, names]) => [k, new BitmaskEncoder(names, CATALOG_WORDS)]),
    )
    this.#genres = new BitmaskEncoder(Object.keys(reference.genres), 1)
    this.#statements = statements(db)
  }

  addShow(show: PrerenderedShow): void {
    const {
      insertShow,
      insertDocument,
      insertListing,
      insertPopularity,
      insertTitle,
      insertWords,
      insertTitleWords,
      insertGrams,
    } = this.#statements
    const { id, imdbId, tmdbId, head, outline, allOptions, allSeasons, language, rating, originalTitle } = show
    const movie = show.movie ? 1 : 0
    insertShow.run(id, imdbId, tmdbId, movie, head, outline, allOptions, allSeasons)
    const genres = this.#genres.encode((genre) => show.genres.includes(genre))
    for (const { country, options, seasons, catalogs, popularity } of show.listings) {
      const number = this.#countries.indexOf(country)
      const masks = this.#catalogs.get(country)!.encode((name) => catalogs.includes(name))
      insertDocument.run(documentKey(number, id), options, seasons)
      insertListing.run(
        [number, id, movie, show.year ?? null, rating, language, ...genres, ...masks],
        originalTitle,
        ...popularity,
      )
    }
    for (const [country, value] of show.popularity) {
      insertPopularity.run(this.#countries.indexOf(country), id, value)
    }
    for (const title of show.titles) {
      const { lastInsertRowid } = insertTitle.run(id, title)
      insertGrams.run(lastInsertRowid, title)
    }
    insertWords.run(id, show.words.join(' '))
    insertTitleWords.run(id, show.titles.join(' '))
  }

  addChange({ country, changeType, itemType, time, rank, movie, showId, service, body }: PrerenderedChange): void {
    const number = this.#countries.indexOf(country)
    this.#statements.insertChange.run(number, changeType, itemType, time, rank, movie ? 1 : 0, showId, service, body)
  }
}

function statements(db: Database.Database) {
  const values = (count: number) => `VALUES (${Array(count).fill('?').join(', ')})`
  return {
    insertShow: db.prepare(`INSERT INTO shows ${values(8)}`),
    insertDocument: db.prepare(`INSERT INTO documents ${values(3)}`),
    insertListing: db.prepare(`INSERT INTO listings ${values(15)}`),
    insertPopularity: db.prepare(`INSERT INTO popularity ${values(3)}`),
    insertTitle: db.prepare(`INSERT INTO titles (id, title) ${values(2)}`),
    insertWords: db.prepare(`INSERT INTO words (rowid, text) ${values(2)}`),
    insertTitleWords: db.prepare(`INSERT INTO title_words (rowid, text) ${values(2)}`),
    insertGrams: db.prepare(`INSERT INTO title_grams (rowid, text) ${values(2)}`),
    insertChange: db.prepare(`INSERT INTO changes ${values(9)}`),
  }
}
