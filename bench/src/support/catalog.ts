import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeDelta } from './delta.ts'
import { marquee } from './marquee-command.ts'
import { say } from './progress.ts'
import { type SampleShow, takeSample } from './sample.ts'

const STORE = fileURLToPath(new URL('../../.data', import.meta.url))
const SERVER = fileURLToPath(new URL('../../../server/dist', import.meta.url))

/** Shows that the questions are about; more than the 2,000 ids that one of them needs. */
const SAMPLE_SIZE = 3000

/** The parts of the server that shape what it writes: feeds, and catalogs. */
const FEED_PARTS = ['demo', 'model']
const CATALOG_PARTS = [...FEED_PARTS, 'catalog', 'ingest', 'ledger']

/** A catalog of some size, ready to be served, and the files that it was made from. */
export interface Catalog {
  readonly shows: number
  readonly folder: string
  /** What `marquee demo` wrote. */
  readonly feed: string
  /** A day's delta: one show in a hundred. It is in the catalog already. */
  readonly delta: string
  /** The data directory. */
  readonly data: string
  readonly sample: readonly SampleShow[]
}

/** Changes are told for a month, and offers end every day: after so long, a feed is made anew. */
const KEPT_MS = 3 * 86_400_000

/**
 * The catalog with that many shows, made if it is not there yet. It is kept for the next run, under a name that changes
 * with what the server writes, so that nothing is measured on what another version made.
 */
export async function catalogOf(shows: number): Promise<Catalog> {
  const feeds = await kept(`feeds-${shows}`, FEED_PARTS, (folder) => makeFeeds(shows, folder))
  const [feed, delta] = [join(feeds, 'feed.ndjson.gz'), join(feeds, 'delta.ndjson.gz')]
  const folder = await kept(`catalog-${shows}`, CATALOG_PARTS, async (draft) => {
    for (const file of [feed, delta]) {
      say(`${shows.toLocaleString('en')} shows: importing ${basename(file)}`)
      await marquee(['import', file, '--json'], join(draft, 'data'))
    }
  })
  const sample = JSON.parse(readFileSync(join(feeds, 'sample.json'), 'utf8')) as SampleShow[]
  return { shows, folder, feed, delta, data: join(folder, 'data'), sample }
}

/** All that is in a catalog, as `marquee export` writes it: what peers are filled with. */
export async function everythingIn({ shows, folder, data }: Catalog): Promise<string> {
  const file = join(folder, 'everything.ndjson.gz')
  if (!existsSync(file)) {
    say(`${shows.toLocaleString('en')} shows: exporting all of it for the peers`)
    await marquee(['export', '--out', `${folder}/draft.ndjson.gz`, '--json'], data)
    renameSync(`${folder}/draft.ndjson.gz`, file)
  }
  return file
}

async function makeFeeds(shows: number, folder: string): Promise<void> {
  const file = (name: string) => join(folder, name)
  say(`${shows.toLocaleString('en')} shows: writing the feed`)
  const demo = ['demo', '--shows', String(shows), '--seed', '1', '--countries', '20']
  await marquee([...demo, '--out', file('feed.ndjson.gz')], folder)
  await writeDelta(file('feed.ndjson.gz'), file('delta.ndjson.gz'), 100)
  writeFileSync(file('sample.json'), JSON.stringify(await takeSample(file('feed.ndjson.gz'), shows, SAMPLE_SIZE)))
}

/** A folder of the store, made if there is none of that name that this version of the server made lately. */
async function kept(name: string, parts: readonly string[], make: (draft: string) => Promise<void>): Promise<string> {
  const folder = join(STORE, `${name}-${hashOf(parts)}`)
  if (existsSync(folder) && Date.now() - statSync(folder).birthtimeMs < KEPT_MS) return folder
  mkdirSync(STORE, { recursive: true })
  // Others of the name were made by another version, or are too old, and can be large.
  for (const other of readdirSync(STORE)) {
    if (other.startsWith(`${name}-`)) rmSync(join(STORE, other), { recursive: true })
  }
  mkdirSync(`${folder}.draft`)
  await make(`${folder}.draft`)
  renameSync(`${folder}.draft`, folder)
  return folder
}

/** Bytes on disk of all files below a folder. */
export function diskUse(folder: string): number {
  let total = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) total += statSync(join(entry.parentPath, entry.name)).blocks * 512
  }
  return total
}

/** Names the version of some parts of the server by what was built. */
function hashOf(parts: readonly string[]): string {
  const hash = createHash('sha256')
  const built = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  const files = built.filter((name) => parts.some((part) => name.startsWith(`${part}/`)))
  for (const name of files.toSorted()) hash.update(name).update(readFileSync(join(SERVER, name)))
  return hash.digest('hex').slice(0, 12)
}
