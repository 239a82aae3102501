import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runMarquee } from '../lib/marquee-cli.ts'
import { formatCount, logProgress } from '../lib/output.ts'
import { writeDelta } from './delta.ts'
import { type SampleShow, sampleFeed } from './feed.ts'

const CACHE_DIR = fileURLToPath(new URL('../../.data', import.meta.url))
const SERVER = fileURLToPath(new URL('../../../server/dist', import.meta.url))

/** Enough for the largest workload, which needs 2,000 ids. */
const SAMPLE_SIZE = 3000

/** Folders of the server whose code determines the content of feeds and of catalogs. */
const FEED_CODE = ['demo', 'model']
const CATALOG_CODE = [...FEED_CODE, 'catalog', 'ingest', 'ledger']

/** A catalog that is ready to serve, and the feeds it was imported from. */
export interface Catalog {
  readonly shows: number
  readonly folder: string
  /** Output of `marquee demo`. */
  readonly feed: string
  /** A delta of one show in a hundred, already imported. */
  readonly delta: string
  /** The data directory. */
  readonly data: string
  readonly sample: readonly SampleShow[]
}

/** Offers expire and changes age every day, so cached feeds are rebuilt after three days. */
const MAX_AGE_MS = 3 * 86_400_000

/**
 * Builds a demo catalog with that many shows, and episodes if given, or takes it from the cache. The cache key contains a hash of the server
 * code that writes catalogs, so a catalog of another version is never measured.
 */
export async function buildCatalog(shows: number, episodes?: number): Promise<Catalog> {
  const size = episodes === undefined ? String(shows) : `${shows}+${episodes}`
  const feeds = await getCached(`feeds-${size}`, FEED_CODE, (folder) => writeFeeds(folder, shows, episodes))
  const [feed, delta] = [join(feeds, 'feed.ndjson.gz'), join(feeds, 'delta.ndjson.gz')]
  const folder = await getCached(`catalog-${size}`, CATALOG_CODE, async (draft) => {
    for (const file of [feed, delta]) {
      logProgress(`${formatCount(shows)} shows: importing ${basename(file)}`)
      await runMarquee(['import', file, '--json'], join(draft, 'data'))
    }
  })
  const sample = JSON.parse(readFileSync(join(feeds, 'sample.json'), 'utf8')) as SampleShow[]
  return { shows, folder, feed, delta, data: join(folder, 'data'), sample }
}

/** Exports a catalog with `marquee export`, for loading into peers; reuses an earlier export. */
export async function exportCatalog({ shows, folder, data }: Catalog): Promise<string> {
  const file = join(folder, 'export.ndjson.gz')
  if (!existsSync(file)) {
    logProgress(`${formatCount(shows)} shows: exporting for the peers`)
    await runMarquee(['export', '--out', `${folder}/draft.ndjson.gz`, '--json'], data)
    renameSync(`${folder}/draft.ndjson.gz`, file)
  }
  return file
}

async function writeFeeds(folder: string, shows: number, episodes: number | undefined): Promise<void> {
  const file = (name: string) => join(folder, name)
  logProgress(`${formatCount(shows)} shows: writing the feed`)
  const demo = ['demo', '--shows', String(shows), '--seed', '1', '--countries', '20']
  if (episodes !== undefined) demo.push('--episodes', String(episodes))
  await runMarquee([...demo, '--out', file('feed.ndjson.gz')], folder)
  await writeDelta(file('feed.ndjson.gz'), file('delta.ndjson.gz'), 100)
  writeFileSync(file('sample.json'), JSON.stringify(await sampleFeed(file('feed.ndjson.gz'), shows, SAMPLE_SIZE)))
}

/** Returns a cached folder that is current, or builds it. Folders of other versions are deleted: they can be large. */
async function getCached(
  name: string,
  code: readonly string[],
  build: (draft: string) => Promise<void>,
): Promise<string> {
  const folder = join(CACHE_DIR, `${name}-${hashServerCode(code)}`)
  if (existsSync(folder) && Date.now() - statSync(folder).birthtimeMs < MAX_AGE_MS) return folder
  mkdirSync(CACHE_DIR, { recursive: true })
  for (const other of readdirSync(CACHE_DIR)) {
    if (other.startsWith(`${name}-`)) rmSync(join(CACHE_DIR, other), { recursive: true })
  }
  mkdirSync(`${folder}.draft`)
  await build(`${folder}.draft`)
  renameSync(`${folder}.draft`, folder)
  return folder
}

/** Disk space of all files below a folder, in bytes. */
export function measureDisk(folder: string): number {
  let total = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) total += statSync(join(entry.parentPath, entry.name)).blocks * 512
  }
  return total
}

/** Hashes the built files in some folders of the server. */
function hashServerCode(folders: readonly string[]): string {
  const hash = createHash('sha256')
  const built = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  const files = built.filter((name) => folders.some((folder) => name.startsWith(`${folder}/`)))
  for (const name of files.toSorted()) hash.update(name).update(readFileSync(join(SERVER, name)))
  return hash.digest('hex').slice(0, 12)
}
