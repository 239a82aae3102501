import pg from 'pg'
import type { ChangesQuery, FilterQuery, FoundChange, FoundShow, PeerStore } from '../peer-store.ts'

// Ids, ranks and times fit into JavaScript numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * PostgreSQL with hand-written SQL. Tuned: a connection pool over the Unix socket; named prepared statements on the
 * partition of the country; shows prerendered per country, so that the database concatenates text and builds no JSON;
 * arrays with GIN indexes; an index with the id for each order in both directions; pages selected from narrow rows before
 * their texts are fetched; pg_trgm for misspelled titles. Custom plans: a generic plan would scan an order index where a
 * rare genre needs the GIN index.
 */
export class PostgresStore implements PeerStore {
  readonly #pool: pg.Pool
  readonly #names = new Map<string, string>()

  /** Connects with a `pg` configuration in JSON. */
  constructor(connection: string) {
    this.#pool = new pg.Pool({
      ...(JSON.parse(connection) as pg.PoolConfig),
      max: 8,
      options: '-c plan_cache_mode=force_custom_plan',
    })
  }

  async show(id: string, country: string | undefined): Promise<string | undefined> {
    const column = id.startsWith('tt') ? 'imdb' : id.includes('/') ? 'tmdb' : 'id'
    const sql =
      country === undefined
        ? `SELECT head || all_options || all_seasons || '}' AS text FROM shows WHERE ${column} = $1`
        : `SELECT s.head || coalesce(d.options, '{}') || coalesce(d.seasons, s.outline) || '}' AS text
           FROM shows s LEFT JOIN documents_${country} d ON d.id = s.id WHERE s.${column} = $1`
    return (await this.#rows<{ text: string }>(sql, [id]))[0]?.text
  }

  async filters(search: FilterQuery): Promise<FoundShow[]> {
    const { country, order, descending, episodes } = search
    const { where, values } = conditions(search)
    const by = `${order} ${descending ? 'DESC' : 'ASC'}, id`
    const sql = `SELECT p.id, p.value, s.head || d.options ${episodes ? '|| d.seasons' : ''} || '}' AS text
      FROM (SELECT id, ${order} AS value, row_number() OVER () AS n
            FROM (SELECT id, ${order} FROM listings_${country} ${where} ORDER BY ${by} LIMIT ${search.limit}) ordered) p
      JOIN documents_${country} d ON d.id = p.id JOIN shows s ON s.id = p.id ORDER BY p.n`
    return await this.#rows<FoundShow>(sql, values)
  }

  async title(phrase: string, country: string, movie: boolean | undefined): Promise<string[]> {
    const sql = `SELECT s.head || coalesce(d.options, '{}') || '}' AS text
      FROM title_search($1, $2, $3) WITH ORDINALITY AS f(id, n)
      JOIN shows s ON s.id = f.id LEFT JOIN documents_${country} d ON d.id = f.id ORDER BY f.n`
    return (await this.#rows<{ text: string }>(sql, [phrase, country, movie ?? null])).map(({ text }) => text)
  }

  async changes(search: ChangesQuery): Promise<FoundChange[]> {
    const { country, services, movie, from, descending } = search
    const min = from && !descending ? Math.max(search.min, from[0]) : search.min
    const max = from && descending ? Math.min(search.max, from[0]) : search.max
    const values: unknown[] = [country, search.changeType, search.itemType, min, max]
    const bind = (value: unknown) => `$${values.push(value)}`
    const by = descending ? '"time" DESC, rank' : '"time", rank'
    const sql = `SELECT c."time", c.rank, c.show_id AS "showId", c.body::text AS body,
        s.head || coalesce(d.options, '{}') || '}' AS text
      FROM (SELECT "time", rank, show_id, body FROM changes
        WHERE country = $1 AND type = $2 AND item = $3 AND "time" BETWEEN $4 AND $5
          ${services.length > 0 ? `AND service = ANY (${bind(services)})` : ''}
          ${movie === undefined ? '' : `AND movie = ${bind(movie)}`}
          ${from === undefined ? '' : `AND ("time" <> ${bind(from[0])} OR rank >= ${bind(from[1])})`}
        ORDER BY ${by} LIMIT ${search.limit}) c
      JOIN shows s ON s.id = c.show_id LEFT JOIN documents_${country} d ON d.id = c.show_id
      ORDER BY ${by}`
    return await this.#rows<FoundChange>(sql, values)
  }

  async #rows<T>(text: string, values: unknown[]): Promise<T[]> {
    let name = this.#names.get(text)
    if (name === undefined) {
      name = `q${this.#names.size}`
      this.#names.set(text, name)
    }
    return (await this.#pool.query({ name, text, values })).rows as T[]
  }
}

function conditions(search: FilterQuery): { where: string; values: unknown[] } {
  const { order, descending, from, genres, catalogs, keywords } = search
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const all: string[] = []
  if (catalogs.length > 0) all.push(`catalogs && ${bind(catalogs)}`)
  if (genres.length > 0) all.push(`genres ${search.allGenres ? '@>' : '&&'} ${bind(genres)}`)
  if (search.movie !== undefined) all.push(`movie = ${bind(search.movie)}`)
  if (search.language !== undefined) all.push(`language = ${bind(search.language)}`)
  if (search.yearMin !== undefined) all.push(`year >= ${bind(search.yearMin)}`)
  if (search.yearMax !== undefined) all.push(`year <= ${bind(search.yearMax)}`)
  if (search.ratingMin !== undefined) all.push(`rating >= ${bind(search.ratingMin)}`)
  if (search.ratingMax !== undefined) all.push(`rating <= ${bind(search.ratingMax)}`)
  if (keywords.length > 0) {
    const query = keywords.map((word) => `'${word}':*`).join(' & ')
    all.push(`id IN (SELECT w.id FROM words w WHERE w.words @@ ${bind(query)}::tsquery)`)
  }
  if (from !== undefined) {
    const value = order === 'title' ? bind(from[0]) : `${bind(Number(from[0]))}::int`
    // The first condition seeks in the index, the second one skips rows before the cursor.
    all.push(`${order} ${descending ? '<=' : '>='} ${value}`)
    all.push(`(${order} <> ${value} OR id >= ${bind(from[1])})`)
  }
  return { where: all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`, values }
}
