import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Settings, serviceAddress } from '../config.ts'
import { DEMO_SOURCE } from '../demo/feed-records.ts'
import { describeImportWait, withImportLock } from '../ingest/import-lock.ts'
import type { Ledger, TaskHolder } from '../ledger/ledger.ts'
import { systemClock } from '../lib/clock.ts'
import { startOfDay } from '../model/time.ts'
import { openLedger } from './open-ledger.ts'
import { formatCount, formatNumber, Progress } from './progress.ts'

/** The number of shows of the demo catalog. */
const DEMO_SHOWS = 2_000

/** What differs from the demo of a first start. */
interface SeedOptions {
  readonly shows?: number
  /** The address of the service, for images and links. */
  readonly baseUrl?: string
  /** Where the progress is printed. */
  readonly output?: NodeJS.WriteStream
}

/** The parameters of a seeding, in a file beside the catalog until the seeding is complete. */
interface SeedMark {
  readonly at: number
  readonly baseUrl: string
}

/**
 * Seeds the demo catalog if there is no catalog, or resumes a seeding that an earlier start did not complete. Returns
 * whether the catalog is the demo.
 */
export async function seedDemoCatalog(settings: Settings, options: SeedOptions = {}): Promise<boolean> {
  const ledger = await openLedger(settings, 'demo')
  try {
    if (isDue(ledger, settings)) await seed(ledger, settings, options)
    return ledger.catalog.sources().some(({ name }) => name === DEMO_SOURCE)
  } finally {
    await ledger.close()
  }
}

async function seed(ledger: Ledger, settings: Settings, options: SeedOptions): Promise<void> {
  const { shows = DEMO_SHOWS, baseUrl = serviceAddress(settings), output = process.stdout } = options
  const { seedDemo } = await import('../demo/seed-demo.ts')
  const onWait = (holder: TaskHolder) => void output.write(`${describeImportWait(holder)}\n`)
  await withImportLock(ledger, { what: 'the demo', now: systemClock(), onWait }, async () => {
    // Another node may have seeded it while this one waited for the lock.
    if (!isDue(ledger, settings)) return
    const mark = ledger.catalog.version() === 0 ? undefined : readSeedMark(settings)
    const at = mark?.at ?? startOfDay(systemClock())
    // With another address all feeds are imported again, because every link and image contains it.
    const after = mark?.baseUrl === baseUrl ? ledger.catalog.source(DEMO_SOURCE)?.lastImport?.at : undefined
    const file = seedMarkPath(settings)
    writeFileSync(file, JSON.stringify({ at, baseUrl } satisfies SeedMark))
    output.write(
      mark === undefined
        ? 'Making the demo catalog; this happens once.\n'
        : 'Completing the demo catalog, which an earlier start left unfinished.\n',
    )
    const progress = new Progress(output)
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
    output.write(`${describeCatalog(ledger)}\n`)
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
