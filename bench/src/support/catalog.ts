import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeDelta } from './delta.ts'
import { marquee } from './marquee-command.ts'
import { say } from './progress.ts'
import { type SampleShow, takeSample } from './sample.ts'

const STORE = fileURLToPath(new URL('../../.data', import.meta.url))
const SERVER = fileURLToPath(new URL('../../../server/dist', import.meta.url))

/** Shows that the questions are about; more than the 2,000 ids that one of them needs. */
const SAMPLE_SIZE = 3000

/** A catalog of some size, ready to be served, and the files that it was made from. */
export interface Catalog {
  readonly shows: number
  readonly folder: string
  /** What `marquee demo` wrote. */
  readonly feed: string
  /** A day's delta: one show in a hundred. It is in the catalog already. */
  readonly delta: string
  /** All that is in the catalog, as `marquee export` wrote it: what peers are filled with. */
  readonly everything: string
  /** The data directory. */
  readonly data: string
  readonly sample: readonly SampleShow[]
}

/** Changes are told for a month, and offers end every day: after so long, a catalog is made anew. */
const KEPT_MS = 3 * 86_400_000

/**
 * The catalog with that many shows, made if it is not there yet. It is kept for the next run, under a name that changes
 * with the server, so that nothing is measured on what another version made.
 */
export async function catalogOf(shows: number): Promise<Catalog> {
  const folder = join(STORE, `${shows}-${serverHash()}`)
  if (!existsSync(folder) || Date.now() - statSync(join(folder, 'feed.ndjson.gz')).mtimeMs > KEPT_MS) {
    removeOthers(shows)
    const draft = `${folder}.draft`
    mkdirSync(draft, { recursive: true })
    await make(shows, draft)
    renameSync(draft, folder)
  }
  const file = (name: string) => join(folder, name)
  return {
    shows,
    folder,
    feed: file('feed.ndjson.gz'),
    delta: file('delta.ndjson.gz'),
    everything: file('everything.ndjson.gz'),
    data: file('data'),
    sample: JSON.parse(readFileSync(file('sample.json'), 'utf8')) as SampleShow[],
  }
}

/** Removes catalogs of that size that another version made, or that are too old: they can be large. */
function removeOthers(shows: number): void {
  if (!existsSync(STORE)) return
  for (const name of readdirSync(STORE)) {
    if (name.startsWith(`${shows}-`)) rmSync(join(STORE, name), { recursive: true })
  }
}

async function make(shows: number, folder: string): Promise<void> {
  const file = (name: string) => join(folder, name)
  const data = file('data')
  const size = shows.toLocaleString('en')
  say(`${size} shows: writing the feed`)
  await marquee(
    ['demo', '--shows', String(shows), '--seed', '1', '--countries', '20', '--out', file('feed.ndjson.gz')],
    data,
  )
  say(`${size} shows: importing it`)
  await marquee(['import', file('feed.ndjson.gz'), '--json'], data)
  say(`${size} shows: importing a day's changes`)
  await writeDelta(file('feed.ndjson.gz'), file('delta.ndjson.gz'), 100)
  await marquee(['import', file('delta.ndjson.gz'), '--json'], data)
  say(`${size} shows: exporting all of it for the peers`)
  await marquee(['export', '--out', file('everything.ndjson.gz'), '--json'], data)
  writeFileSync(file('sample.json'), JSON.stringify(await takeSample(file('feed.ndjson.gz'), shows, SAMPLE_SIZE)))
}

/** Bytes on disk of all files below a folder. */
export function diskUse(folder: string): number {
  let total = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) total += statSync(join(entry.parentPath, entry.name)).blocks * 512
  }
  return total
}

/** Names the version of the server by what was built. */
function serverHash(): string {
  const hash = createHash('sha256')
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  for (const name of files.toSorted()) hash.update(name).update(readFileSync(join(SERVER, name)))
  return hash.digest('hex').slice(0, 12)
}
