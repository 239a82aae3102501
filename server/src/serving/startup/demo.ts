import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyStore } from '../../accounts/keys/key-store.ts'
import { type Settings, toReachableHost } from '../../config.ts'
import { DEMO_SOURCE } from '../../demo/feed-records.ts'
import { withImportLock } from '../../ingest/import-lock.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { systemClock } from '../../lib/clock.ts'
import { startOfDay } from '../../model/time.ts'
import { openLedger } from '../../runtime/open-stores.ts'
import { Progress } from '../../runtime/progress.ts'

/** How large the catalog is that a first start makes. */
const DEMO_SHOWS = 2_000

/** What a seeding was begun with; kept beside the catalog until it has come to its end. */
interface SeedMark {
  readonly at: number
  readonly baseUrl: string
}

/**
 * Makes the demo catalog if there is none yet, goes on with one that an earlier start could not finish, and returns
 * whether that is what is served.
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
  await withImportLock(ledger, { what: 'the demo', now: systemClock(), onWait: () => {} }, async () => {
    // Another node may have made it while this one waited.
    if (!isDue(ledger, settings)) return
    const baseUrl = settings.publicUrl ?? `http://${toReachableHost(settings.host)}:${settings.port}`
    const before = ledger.catalog.version() === 0 ? undefined : readSeedMark(settings)
    const at = before?.at ?? startOfDay(systemClock())
    // Under another address than before, every feed is needed again: all links and images lead there.
    const after = before?.baseUrl === baseUrl ? ledger.catalog.source(DEMO_SOURCE)?.lastImport?.at : undefined
    const file = seedMarkPath(settings)
    writeFileSync(file, JSON.stringify({ at, baseUrl } satisfies SeedMark))
    process.stdout.write(
      before === undefined
        ? 'Making the demo catalog; this happens once.\n'
        : 'Finishing the demo catalog, which an earlier start had to leave unfinished.\n',
    )
    const progress = new Progress(process.stdout)
    await seedDemo(ledger, {
      shows,
      clock: systemClock,
      at,
      baseUrl,
      after,
      onProgress: (day, shows) => progress.update(`shows of the feed of ${day}`, shows),
    })
    rmSync(file)
    progress.end()
  })
}

function isDue({ catalog }: Ledger, settings: Settings): boolean {
  return catalog.version() === 0 || existsSync(seedMarkPath(settings))
}

function readSeedMark(settings: Settings): SeedMark | undefined {
  try {
    return JSON.parse(readFileSync(seedMarkPath(settings), 'utf8')) as SeedMark
  } catch (error) {
    // A start that was killed while it wrote the mark had not begun with anything else.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function seedMarkPath({ dataDir }: Settings): string {
  return join(dataDir, 'demo-unfinished.json')
}

const DEMO_KEY_NAME = 'demo, renewed at each start'

export interface DemoKeys {
  readonly direct: string
  readonly marketplace: string
}

/**
 * Makes a pair of keys to try the service with, and ends the pair of the start before: secrets are not kept, so a
 * former pair could not be shown again.
 */
export async function renewDemoKeys(keys: KeyStore, now: number): Promise<DemoKeys> {
  const act = { by: 'service', now } as const
  for (const { id, name, revokedAt } of keys.list()) {
    if (name === DEMO_KEY_NAME && revokedAt === undefined) await keys.revoke(id, act)
  }
  const make = async (source: 'direct' | 'marketplace') =>
    (await keys.create({ source, plan: 'unlimited', name: DEMO_KEY_NAME }, act)).key
  return { direct: await make('direct'), marketplace: await make('marketplace') }
}

/** What a newcomer needs to send a first request. */
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

/** What whoever wanted the demo needs where there is another catalog. */
export function ownCatalogBanner(address: string, { dataDir }: Pick<Settings, 'dataDir'>): string {
  return `
Marquee serves ${address}
The folder ${dataDir} has a catalog of its own, so no demo was made, and no keys for it.
\`npx marquee keys create\` makes a key; with MARQUEE_DATA set to a new folder, \`serve --demo\` makes the demo there.

`
}
