import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { readOutput, startProcess } from '../../../lib/processes.ts'
import { SHOW_ORDERS } from '../peer-store.ts'
import type { PrerenderedChange } from '../prerender/prerendered-change.ts'
import { prerenderFeed } from '../prerender/prerendered-feed.ts'
import type { Listing, PrerenderedShow } from '../prerender/prerendered-show.ts'
import type { Reference } from '../prerender/reference.ts'
import { catalogKey, changeKind, INDEX_COMMANDS, listingKey, tableCommands } from './schema.ts'

const DATABASE = 'catalog'
const BATCH_SIZE = 2000
/** Popularity columns, in the order of `Listing.popularity`. */
const POPULARITY_ORDERS = SHOW_ORDERS.filter((order) => order.startsWith('popularity_'))

/** Loads an exported feed into a database in that folder, unless there is one; returns the path of the database. */
export async function fillGroonga(folder: string, feed: string, reference: Reference, now: number): Promise<string> {
  if (existsSync(folder)) return join(folder, DATABASE)
  const draft = `${folder}.draft`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft)
  const groonga = startProcess('groonga', ['-n', join(draft, DATABASE)], { stdio: ['pipe', 'pipe', 'pipe'] })
  const output = readOutput(groonga, 'groonga')
  const loader = new GroongaLoader(groonga.stdin!)
  await loader.run(tableCommands(Object.keys(reference.countries)))
  for await (const record of prerenderFeed(feed, reference, now)) {
    if (record.kind === 'change') await loader.add('Changes', changeRow(record.change))
    else {
      await loader.add('Shows', showRow(record.show))
      for (const listing of record.show.listings) await loader.add('Listings', listingRow(record.show, listing))
      for (const change of record.changes) await loader.add('Changes', changeRow(change))
    }
  }
  await loader.flush()
  await loader.run(INDEX_COMMANDS)
  groonga.stdin!.end()
  const failed = (await output).split('\n').find((line) => /^\[\[-\d/.test(line))
  if (failed !== undefined) throw new Error(`groonga: ${failed}`)
  renameSync(draft, folder)
  return join(folder, DATABASE)
}

type TableName = 'Shows' | 'Listings' | 'Changes'

/** Sends commands and rows to a Groonga that reads its standard input. */
class GroongaLoader {
  readonly #input: Writable
  readonly #rows: Record<TableName, object[]> = { Shows: [], Listings: [], Changes: [] }

  constructor(input: Writable) {
    this.#input = input
  }

  async run(commands: readonly string[]): Promise<void> {
    await this.#write(`${commands.join('\n')}\n`)
  }

  async add(table: TableName, row: object): Promise<void> {
    this.#rows[table].push(row)
    if (this.#rows[table].length === BATCH_SIZE) await this.#load(table)
  }

  async flush(): Promise<void> {
    for (const table of Object.keys(this.#rows) as TableName[]) await this.#load(table)
  }

  async #load(table: TableName): Promise<void> {
    const rows = this.#rows[table].splice(0)
    if (rows.length > 0) await this.#write(`load --table ${table}\n${JSON.stringify(rows)}\n`)
  }

  async #write(text: string): Promise<void> {
    if (!this.#input.write(text)) await once(this.#input, 'drain')
  }
}

function showRow(show: PrerenderedShow): object {
  const { id, imdbId, tmdbId, movie, head, outline, allOptions, allSeasons, titles } = show
  return {
    _key: id,
    imdb: imdbId,
    tmdb: tmdbId,
    movie,
    head,
    outline,
    all_options: allOptions,
    all_seasons: allSeasons,
    titles,
    ...Object.fromEntries(show.popularity.map(([country, value]) => [`popularity_${country}`, value])),
    ...Object.fromEntries(show.listings.map(({ country }) => [`listing_${country}`, listingKey(country, id)])),
  }
}

function listingRow(show: PrerenderedShow, { country, options, seasons, catalogs, popularity }: Listing): object {
  const { id, movie, language, originalTitle, year, rating, genres, words } = show
  return {
    _key: listingKey(country, id),
    show: id,
    country,
    movie,
    language,
    title: originalTitle,
    year: year ?? 0,
    rating,
    genres,
    words,
    // With the entries that include them: a search names each entry once.
    catalogs: [...new Set(catalogs.flatMap(enclosingCatalogs))].map((catalog) => catalogKey(country, catalog)),
    ...Object.fromEntries(POPULARITY_ORDERS.map((order, i) => [order, popularity[i]])),
    options,
    seasons,
  }
}

/** `prime.addon.starz` is in `prime.addon` and in `prime`. */
function enclosingCatalogs(catalog: string): string[] {
  const parts = catalog.split('.')
  return parts.map((_, i) => parts.slice(0, i + 1).join('.'))
}

function changeRow({ country, changeType, itemType, time, rank, movie, showId, service, body }: PrerenderedChange) {
  return {
    kind: changeKind(country, changeType, itemType),
    time,
    rank,
    movie,
    service,
    show: showId,
    listing: listingKey(country, showId),
    body,
  }
}
