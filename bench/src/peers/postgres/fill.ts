import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { GRAPH_FUNCTIONS } from '../postgraphile/graph-functions.ts'
import type { Reference } from '../rendering/reference.ts'
import { renderedCatalog } from '../rendering/rendered-catalog.ts'
import type { RenderedChange } from '../rendering/rendered-change.ts'
import type { RenderedShow } from '../rendering/rendered-show.ts'
import { FUNCTIONS, INDEXES, tables } from './schema.ts'

/** Fills a database from an exported feed, unless it is filled already. */
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
    await client.query(tables(Object.keys(reference.countries)))
    const filler = await Filler.connect(connection)
    for await (const record of renderedCatalog(feed, reference, now)) {
      if (record.kind === 'change') await filler.addChange(record.change)
      else {
        await filler.addShow(record.show)
        for (const change of record.changes) await filler.addChange(change)
      }
    }
    await filler.end()
    await client.query(INDEXES)
    await client.query(FUNCTIONS + GRAPH_FUNCTIONS)
    await client.query('VACUUM (ANALYZE)')
    await client.query('CREATE SCHEMA state CREATE TABLE filled ()')
  } finally {
    await client.end()
  }
}

const TABLE_NAMES = ['shows', 'documents', 'places', 'popularity', 'words', 'titles', 'changes'] as const
type TableName = (typeof TABLE_NAMES)[number]

/** Writes all tables at once, each through a COPY of its own. */
class Filler {
  readonly #copies: Readonly<Record<TableName, Copy>>
  #titles = 0
  #changes = 0

  private constructor(copies: Readonly<Record<TableName, Copy>>) {
    this.#copies = copies
  }

  static async connect(connection: pg.PoolConfig): Promise<Filler> {
    const copies = await Promise.all(
      TABLE_NAMES.map(async (name) => [name, await Copy.open(connection, name)] as const),
    )
    return new Filler(Object.fromEntries(copies) as Record<TableName, Copy>)
  }

  async addShow(show: RenderedShow): Promise<void> {
    const { shows, documents, places, popularity, words, titles } = this.#copies
    const { id, imdbId, tmdbId, movie, year, rating, language, genres, originalTitle } = show
    await shows.add([id, imdbId, tmdbId, movie, show.head, show.outline, show.allOptions, show.allSeasons])
    await words.add([id, vector(show.words)])
    for (const title of show.titles) await titles.add([this.#titles++, id, movie, title, vector(title.split(' '))])
    for (const [country, value] of show.popularity) await popularity.add([country, id, value])
    for (const { country, options, seasons, catalogs, popularity: spans } of show.places) {
      await documents.add([country, id, options, seasons])
      const all = array(withWiderOnes(catalogs))
      await places.add([country, id, movie, year, rating, language, array(genres), all, originalTitle, ...spans])
    }
  }

  async addChange(change: RenderedChange): Promise<void> {
    const { country, changeType, itemType, time, rank, movie, showId, service, body } = change
    const n = this.#changes++
    await this.#copies.changes.add([n, country, changeType, itemType, time, rank, movie, showId, service, body])
  }

  async end(): Promise<void> {
    for (const copy of Object.values(this.#copies)) await copy.end()
  }
}

type Value = string | number | boolean | undefined

/** A COPY into one table, on a connection of its own. */
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
    this.#lines += `${values.map(copyText).join('\t')}\n`
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

function copyText(value: Value): string {
  if (value === undefined) return '\\N'
  return typeof value === 'string' ? value.replace(/[\\\t\n\r]/g, (sign) => ESCAPES[sign]!) : String(value)
}

function array(values: readonly string[]): string {
  return `{${values.join(',')}}`
}

/** Words hold letters and digits only, so that nothing in them needs escaping. */
function vector(words: readonly string[]): string {
  return words
    .filter((word) => word !== '')
    .map((word) => `'${word}'`)
    .join(' ')
}

/** With `prime.addon.starz` also `prime.addon` and `prime`, so that every form of an entry is one element. */
function withWiderOnes(catalogs: readonly string[]): string[] {
  const all = catalogs.flatMap((name) => {
    const parts = name.split('.')
    return parts.map((_, i) => parts.slice(0, i + 1).join('.'))
  })
  return [...new Set(all)]
}
