import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyStore } from '../../accounts/keys/key-store.ts'
import { type Settings, serviceAddress } from '../../config.ts'
import { DEMO_SOURCE } from '../../demo/feed-records.ts'
import { describeImportWait, withImportLock } from '../../ingest/import-lock.ts'
import type { Ledger, TaskHolder } from '../../ledger/ledger.ts'
import { systemClock } from '../../lib/clock.ts'
import { startOfDay } from '../../model/time.ts'
import { openLedger } from '../../runtime/open-ledger.ts'
import { formatCount, formatNumber, Progress } from '../../runtime/progress.ts'

/** The number of shows of the demo catalog. */
const DEMO_SHOWS = 2_000

/** The parameters of a seeding, in a file beside the catalog until the seeding is complete. */
interface SeedMark {
  readonly at: number
  readonly baseUrl: string
}

/**
 * Seeds the demo catalog if there is no catalog, or resumes a seeding that an earlier start did not complete. Returns
 * whether the catalog is the demo.
 */
export async function seedDemoCatalog(settings: Settings, shows = DEMO_SHOWS): Promise<boolean> {
  const ledger = await openLedger(settings, 'demo')
  try {
    if (isDue(ledger, settings)) await seed(ledger, settings, shows)
    return ledger.catalog.sources().some(({ name }) => name === DEMO_SOURCE)
  } finally {
    await ledger.close()
  }
}

async function seed(ledger: Ledger, settings: Settings, shows: number): Promise<void> {
  const { seedDemo } = await import('../../demo/seed-demo.ts')
  const onWait = (holder: TaskHolder) => void process.stdout.write(`${describeImportWait(holder)}\n`)
  await withImportLock(ledger, { what: 'the demo', now: systemClock(), onWait }, async () => {
    // Another node may have seeded it while this one waited for the lock.
    if (!isDue(ledger, settings)) return
    const baseUrl = serviceAddress(settings)
    const mark = ledger.catalog.version() === 0 ? undefined : readSeedMark(settings)
    const at = mark?.at ?? startOfDay(systemClock())
    // With another address all feeds are imported again, because every link and image contains it.
    const after = mark?.baseUrl === baseUrl ? ledger.catalog.source(DEMO_SOURCE)?.lastImport?.at : undefined
    const file = seedMarkPath(settings)
    writeFileSync(file, JSON.stringify({ at, baseUrl } satisfies SeedMark))
    process.stdout.write(
      mark === undefined
        ? 'Making the demo catalog; this happens once.\n'
        : 'Completing the demo catalog, which an earlier start left unfinished.\n',
    )
    const progress = new Progress(process.stdout)
    await seedDemo(ledger, {
      shows,
      clock: systemClock,
      at,
      baseUrl,
      after,
      onProgress: ({ shows, totalShows, feed, totalFeeds, day }) =>
        progress.update(
          `of ${formatNumber(totalShows)} shows imported, feed ${feed} of ${totalFeeds} (${day})`,
          shows,
          () => shows / totalShows,
        ),
    })
    rmSync(file)
    progress.end()
    process.stdout.write(`${describeCatalog(ledger)}\n`)
  })
}

/** What the catalog holds now, in one line. */
function describeCatalog({ catalog }: Ledger): string {
  const { shows, offers } = catalog.counts()
  const { countries, services } = catalog.reference()
  const places = `${formatCount(Object.keys(countries).length, 'country', 'countries')} on ${formatCount(Object.keys(services).length, 'service')}`
  return `The demo catalog has ${formatCount(shows, 'show')} with ${formatCount(offers, 'offer')}, in ${places}.`
}

function isDue({ catalog }: Ledger, settings: Settings): boolean {
  return catalog.version() === 0 || existsSync(seedMarkPath(settings))
}

function readSeedMark(settings: Settings): SeedMark | undefined {
  try {
    return JSON.parse(readFileSync(seedMarkPath(settings), 'utf8')) as SeedMark
  } catch (error) {
    // A start that was killed while it wrote the mark had not imported anything.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function seedMarkPath({ dataDir }: Settings): string {
  return join(dataDir, 'demo-unfinished.json')
}

const DEMO_KEY_NAME = 'demo, renewed at each start'

/** The keys that the demo prints, one of each source. */
interface DemoKeys {
  readonly direct: string
  readonly marketplace: string
}

/**
 * Creates a pair of demo keys and revokes that of the previous start. Only hashes are stored, so the old pair could not
 * be printed again.
 */
export async function renewDemoKeys(keys: KeyStore, now: number): Promise<DemoKeys> {
  const context = { by: 'service', now } as const
  for (const { id, name, revokedAt } of keys.list()) {
    if (name === DEMO_KEY_NAME && revokedAt === undefined) await keys.revoke(id, context)
  }
  const create = async (source: 'direct' | 'marketplace') =>
    (await keys.create({ source, plan: 'unlimited', name: DEMO_KEY_NAME }, context)).key
  return { direct: await create('direct'), marketplace: await create('marketplace') }
}

/** The text that a start with the demo prints: the keys and a request that works when pasted. */
export function demoBanner(address: string, keys: DemoKeys, { marketplace }: Pick<Settings, 'marketplace'>): string {
  return `
Marquee serves the demo catalog at ${address}
Its titles are real or made up; who streams them, where and for how much is invented.

  direct key       ${keys.direct}       on ${address}/v4, header X-API-Key
  marketplace key  ${keys.marketplace}  on ${address}, header X-${marketplace}-API-Key
  reference        ${address}/docs

Both keys last until the next start; \`npx marquee keys create\` makes one that stays. Try:

  curl -H 'X-API-Key: ${keys.direct}' '${address}/v4/shows/tt0068646?country=us'

`
}

/** The text that `serve --demo` prints if there is another catalog. */
export function noDemoBanner(address: string, { dataDir }: Pick<Settings, 'dataDir'>): string {
  return `
Marquee serves ${address}
The folder ${dataDir} has a catalog of its own, so no demo was made, and no keys for it.
\`npx marquee keys create\` makes a key; with MARQUEE_DATA set to a new folder, \`serve --demo\` makes the demo there.

`
}

/** The text that a start without a catalog prints: what to do next. */
export function emptyCatalogBanner(address: string, { dataDir }: Pick<Settings, 'dataDir'>): string {
  return `
Marquee serves ${address}
The folder ${dataDir} holds no catalog yet, so the service is not ready. What to do next, in another terminal:

  npx marquee import FILE                    import a feed; with --guess any CSV table
  npx marquee sync tmdb --countries us       copy what streams where from TMDB
  npx marquee admin create you@example.com   make an account that sees ${address}/operator
  npx marquee keys create                    make a key for the API
  npx marquee serve --demo --data demo-data --port 8081
                                             look around in a catalog that is made up

`
}
