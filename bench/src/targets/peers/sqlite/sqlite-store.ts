import Database from 'better-sqlite3'
import type { ChangesQuery, FilterQuery, FoundChange, FoundShow, PeerStore } from '../peer-store.ts'
import type { Reference } from '../prerender/reference.ts'
import { BitmaskEncoder, CATALOG_WORDS, includesCatalog } from './bitmask.ts'
import { documentKey } from './schema.ts'
import { SqliteTitles } from './sqlite-titles.ts'

/**
 * SQLite through better-sqlite3, in the server process. Tuned: memory-mapped file; cached prepared statements; shows
 * prerendered per country; catalogs and genres as bitmasks; a covering index for each order in both directions, scanned
 * from the cursor; FTS5 with prefix indexes for keywords; FTS5 trigrams with an edit-distance check for misspelled titles.
 */
export class SqliteStore implements PeerStore {
  readonly #db: Database.Database
  readonly #countries: readonly string[]
  readonly #catalogs: ReadonlyMap<string, BitmaskEncoder>
  readonly #genres: BitmaskEncoder
  readonly #prepared = new Map<string, Database.Statement>()
  readonly #titles: SqliteTitles

  constructor(file: string, reference: Reference) {
    this.#db = new Database(file)
    this.#db.pragma('journal_mode = WAL')
    this.#db.pragma('synchronous = NORMAL')
    this.#db.pragma('query_only = ON')
    this.#db.pragma(`mmap_size = ${2 ** 40}`)
    this.#db.pragma('cache_size = -262144')
    this.#db.pragma('temp_store = MEMORY')
    this.#countries = Object.keys(reference.countries)
    this.#catalogs = new Map(
      Object.entries(reference.catalogs).map(([k, names]) => [k, new BitmaskEncoder(names, CATALOG_WORDS)]),
    )
    this.#genres = new BitmaskEncoder(Object.keys(reference.genres), 1)
    this.#titles = new SqliteTitles((sql) => this.#prepare(sql))
  }

  show(id: string, country: string | undefined): string | undefined {
    const column = id.startsWith('tt') ? 'imdb' : id.includes('/') ? 'tmdb' : 'id'
    const key = column === 'id' ? Number(id) : id
    if (country !== undefined) {
      const found = this.#prepare(`SELECT id FROM shows WHERE ${column} = ?`).pluck().get(key) as number | undefined
      return found === undefined ? undefined : this.#text(found, this.#countries.indexOf(country), true)
    }
    const sql = `SELECT head || all_options || all_seasons || '}' FROM shows WHERE ${column} = ?`
    return this.#prepare(sql).pluck().get(key) as string | undefined
  }

  filters(search: FilterQuery): FoundShow[] {
    const { sql, values } = this.#filterStatement(search)
    const country = this.#countries.indexOf(search.country)
    const rows = this.#prepare(sql).all(...values) as { id: number; value: string | number | null }[]
    return rows.map(({ id, value }, i) => ({
      id,
      value,
      text: i < search.limit - 1 ? this.#text(id, country, search.episodes) : '',
    }))
  }

  title(phrase: string, country: string, movie: boolean | undefined): string[] {
    const number = this.#countries.indexOf(country)
    return this.#titles.find(phrase, number, movie).map((id) => this.#text(id, number, false))
  }

  /** JSON texts of shows that were found by another index. */
  texts(ids: readonly number[], country: string): string[] {
    const number = this.#countries.indexOf(country)
    return ids.map((id) => this.#text(id, number, false))
  }

  changes(search: ChangesQuery): FoundChange[] {
    const { services, movie, from, descending } = search
    const country = this.#countries.indexOf(search.country)
    const order = descending ? 'time DESC, rank' : 'time, rank'
    const sql = `SELECT time, rank, show_id AS showId, body FROM changes
      WHERE country = ? AND type = ? AND item = ? AND time BETWEEN ? AND ?
        ${services.length > 0 ? `AND service IN (${services.map(() => '?').join()})` : ''}
        ${movie === undefined ? '' : 'AND movie = ?'}
        ${from === undefined ? '' : 'AND (time <> ? OR rank >= ?)'}
      ORDER BY ${order} LIMIT ?`
    const min = from && !descending ? Math.max(search.min, from[0]) : search.min
    const max = from && descending ? Math.min(search.max, from[0]) : search.max
    const rows = this.#prepare(sql).all(
      [country, search.changeType, search.itemType, min, max],
      ...services,
      ...(movie === undefined ? [] : [movie ? 1 : 0]),
      ...(from ?? []),
      search.limit,
    ) as Omit<FoundChange, 'text'>[]
    return rows.map((row) => ({ ...row, text: this.#text(row.showId, country, false) }))
  }

  #filterStatement(search: FilterQuery): { sql: string; values: unknown[] } {
    const { order, descending, from, keywords, catalogs, genres } = search
    const direction = descending ? 'DESC' : 'ASC'
    const values: unknown[] = []
    const where = ['p.country = ?']
    const addCondition = (condition: string, ...bound: unknown[]) => {
      where.push(condition)
      values.push(...bound)
    }
    values.push(this.#countries.indexOf(search.country))
    if (keywords.length > 0) addCondition('words MATCH ?', keywords.map((word) => `"${word}"*`).join(' AND '))
    if (search.movie !== undefined) addCondition('p.movie = ?', search.movie ? 1 : 0)
    if (search.language !== undefined) addCondition('p.language = ?', search.language)
    if (search.yearMin !== undefined) addCondition('p.year >= ?', search.yearMin)
    if (search.yearMax !== undefined) addCondition('p.year <= ?', search.yearMax)
    if (search.ratingMin !== undefined) addCondition('p.rating >= ?', search.ratingMin)
    if (search.ratingMax !== undefined) addCondition('p.rating <= ?', search.ratingMax)
    if (genres.length > 0) {
      const [mask] = this.#genres.encode((genre) => genres.includes(genre))
      if (search.allGenres) addCondition('p.genres & ? = ?', mask, mask)
      else addCondition('p.genres & ? <> 0', mask)
    }
    if (catalogs.length > 0) {
      const masks = this.#catalogs
        .get(search.country)!
        .encode((name) => catalogs.some((entry) => includesCatalog(entry, name)))
      addCondition('(p.catalogs0 & ? <> 0 OR p.catalogs1 & ? <> 0 OR p.catalogs2 & ? <> 0)', ...masks)
    }
    if (from !== undefined) {
      const value = order === 'title' ? from[0] : Number(from[0])
      // The first condition seeks in the index, the second one skips rows before the cursor.
      addCondition(`p.${order} ${descending ? '<=' : '>='} ?`, value)
      addCondition(`(p.${order} <> ? OR p.id >= ?)`, value, from[1])
    }
    const source =
      keywords.length > 0
        ? 'words CROSS JOIN listings p ON p.id = words.rowid'
        : `listings p INDEXED BY by_${order}_${direction}`
    const sql = `SELECT p.id, p.${order} AS value FROM ${source} WHERE ${where.join(' AND ')}
      ORDER BY p.${order} ${direction}, p.id LIMIT ?`
    return { sql, values: [...values, search.limit] }
  }

  #text(id: number, country: number, episodes: boolean): string {
    const show = this.#prepare('SELECT head, outline FROM shows WHERE id = ?').get(id) as ShowRow
    const columns = episodes ? 'options, seasons' : 'options'
    const key = documentKey(country, id)
    const listing = this.#prepare(`SELECT ${columns} FROM documents WHERE key = ?`).get(key) as ListingRow | undefined
    const seasons = episodes ? (listing?.seasons ?? show.outline) : ''
    return `${show.head}${listing?.options ?? '{}'}${seasons}}`
  }

  #prepare(sql: string): Database.Statement {
    let statement = this.#prepared.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare(sql)
      this.#prepared.set(sql, statement)
    }
    return statement
  }
}

interface ShowRow {
  readonly head: string
  readonly outline: string
}

interface ListingRow {
  readonly options: string
  readonly seasons?: string
}
