import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { GRAPHQL_FUNCTIONS } from '../postgraphile/graphql-functions.ts'
import type { PrerenderedChange } from '../prerender/prerendered-change.ts'
import { prerenderFeed } from '../prerender/prerendered-feed.ts'
import type { PrerenderedShow } from '../prerender/prerendered-show.ts'
import type { Reference } from '../prerender/reference.ts'
import { createTables, FUNCTIONS, INDEXES } from './schema.ts'

/** Loads an exported feed into a database, unless it was loaded before. */
export async function fillPostgres(
  connection: pg.PoolConfig,
  feed: string,
  reference: Reference,
  now: number,
): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query("SELECT to_regclass('state.filled') IS NOT NULL AS filled")
    if ((rows as { filled: boolean }[])[0]!.filled) return
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    await client.query(createTables(Object.keys(reference.countries)))
    const loader = await PostgresLoader.connect(connection)
    for await (const record of prerenderFeed(feed, reference, now)) {
      if (record.kind === 'change') await loader.addChange(record.change)
      else {
        await loader.addShow(record.show)
        for (const change of record.changes) await loader.addChange(change)
      }
    }
    await loader.end()
    await client.query(INDEXES)
    await client.query(FUNCTIONS + GRAPHQL_FUNCTIONS)
    await client.query('VACUUM (ANALYZE)')
    await client.query('CREATE SCHEMA state CREATE TABLE filled ()')
  } finally {
    await client.end()
  }
}

const TABLE_NAMES = ['shows', 'documents', 'listings', 'popularity', 'words', 'titles', 'changes'] as const
type TableName = (typeof TABLE_NAMES)[number]

/** Writes all tables concurrently, each through its own COPY. */
class PostgresLoader {
  readonly #copies: Readonly<Record<TableName, Copy>>
  #titles = 0
  #changes = 0

  private constructor(copies: Readonly<Record<TableName, Copy>>) {
    this.#copies = copies
  }

  static async connect(connection: pg.PoolConfig): Promise<PostgresLoader> {
    const copies = await Promise.all(
      TABLE_NAMES.map(async (name) => [name, await Copy.open(connection, name)] as const),
    )
    return new PostgresLoader(Object.fromEntries(copies) as Record<TableName, Copy>)
  }

  async addShow(show: PrerenderedShow): Promise<void> {
    const { shows, documents, listings, popularity, words, titles } = this.#copies
    const { id, imdbId, tmdbId, movie, year, rating, language, genres, originalTitle } = show
    await shows.add([id, imdbId, tmdbId, movie, show.head, show.outline, show.allOptions, show.allSeasons])
    await words.add([id, encodeTsvector(show.words)])
    for (const title of show.titles)
      await titles.add([this.#titles++, id, movie, title, encodeTsvector(title.split(' '))])
    for (const [country, value] of show.popularity) await popularity.add([country, id, value])
    for (const { country, options, seasons, catalogs, popularity: spans } of show.listings) {
      await documents.add([country, id, options, seasons])
      const all = encodeArray(withParentCatalogs(catalogs))
      await listings.add([
        country,
        id,
        movie,
        year,
        rating,
        language,
        encodeArray(genres),
        all,
        originalTitle,
        ...spans,
      ])
    }
  }

  async addChange(change: PrerenderedChange): Promise<void> {
    const { country, changeType, itemType, time, rank, movie, showId, service, body } = change
    const n = this.#changes++
    await this.#copies.changes.add([n, country, changeType, itemType, time, rank, movie, showId, service, body])
  }

  async end(): Promise<void> {
    for (const copy of Object.values(this.#copies)) await copy.end()
  }
}

type Value = string | number | boolean | undefined

/** A COPY into one table on its own connection. */
class Copy {
  readonly #client: pg.Client
  readonly #stream: NodeJS.WritableStream
  #lines = ''

  private constructor(client: pg.Client, stream: NodeJS.WritableStream) {
    this.#client = client
    this.#stream = stream
  }

  static async open(connection: pg.PoolConfig, table: string): Promise<Copy> {
    const client = new pg.Client(connection)
    await client.connect()
    return new Copy(client, client.query(copyFrom(`COPY ${table} FROM STDIN`)))
  }

  async add(values: readonly Value[]): Promise<void> {
    this.#lines += `${values.map(encodeCopyValue).join('\t')}\n`
    if (this.#lines.length > 65_536) await this.#flush()
  }

  async end(): Promise<void> {
    await this.#flush()
    this.#stream.end()
    await finished(this.#stream)
    await this.#client.end()
  }

  async #flush(): Promise<void> {
    const more = this.#stream.write(this.#lines)
    this.#lines = ''
    if (!more) await once(this.#stream, 'drain')
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function encodeCopyValue(value: Value): string {
  if (value === undefined) return '\\N'
  return typeof value === 'string' ? value.replace(/[\\\t\n\r]/g, (sign) => ESCAPES[sign]!) : String(value)
}

function encodeArray(values: readonly string[]): string {
  return `{${values.join(',')}}`
}

/** Words consist of letters and digits, so they need no escaping. */
function encodeTsvector(words: readonly string[]): string {
  return words
    .filter((word) => word !== '')
    .map((word) => `'${word}'`)
    .join(' ')
}

/** Adds `prime.addon` and `prime` to `prime.addon.starz`, so that each form of an entry is one array element. */
function withParentCatalogs(catalogs: readonly string[]): string[] {
  const all = catalogs.flatMap((name) => {
    const parts = name.split('.')
    return parts.map((_, i) => parts.slice(0, i + 1).join('.'))
  })
  return [...new Set(all)]
}
