import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLedger } from '../commands/open-ledger.ts'
import { Progress } from '../commands/progress.ts'
import type { Settings } from '../config.ts'
import { DEMO_SOURCE } from '../demo/feed-records.ts'
import { withImportLock } from '../ingest/import-lock.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { systemClock } from '../lib/clock.ts'
import { startOfDay } from '../model/time.ts'
import { reachable } from './reachable.ts'

/** How large the catalog is that a first start makes. */
const SHOWS = 2_000

/** What a seeding was begun with; kept beside the catalog until it has come to its end. */
interface Begun {
  readonly at: number
  readonly baseUrl: string
}

/**
 * Makes the demo catalog if there is none yet, goes on with one that an earlier start could not finish, and returns
 * whether that is what is served.
 */
export async function seedOnce(settings: Settings, shows = SHOWS): Promise<boolean> {
  const ledger = await openLedger(settings, 'demo')
  try {
    if (isDue(ledger, settings)) await seed(ledger, settings, shows)
    return ledger.catalog.sources().some(({ name }) => name === DEMO_SOURCE)
  } finally {
    await ledger.close()
  }
}

async function seed(ledger: Ledger, settings: Settings, shows: number): Promise<void> {
  const { seedDemo } = await import('../demo/seed-demo.ts')
  await withImportLock(ledger, { what: 'the demo', now: systemClock(), onWait: () => {} }, async () => {
    // Another node may have made it while this one waited.
    if (!isDue(ledger, settings)) return
    const baseUrl = settings.publicUrl ?? `http://${reachable(settings.host)}:${settings.port}`
    const before = ledger.catalog.version() === 0 ? undefined : begunBefore(settings)
    const at = before?.at ?? startOfDay(systemClock())
    // Under another address than before, every feed is needed again: all links and images lead there.
    const after = before?.baseUrl === baseUrl ? ledger.catalog.source(DEMO_SOURCE)?.lastImport?.at : undefined
    const file = markOf(settings)
    writeFileSync(file, JSON.stringify({ at, baseUrl } satisfies Begun))
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
  return catalog.version() === 0 || existsSync(markOf(settings))
}

function begunBefore(settings: Settings): Begun | undefined {
  try {
    return JSON.parse(readFileSync(markOf(settings), 'utf8')) as Begun
  } catch (error) {
    // A start that was killed while it wrote the mark had not begun with anything else.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function markOf({ dataDir }: Settings): string {
  return join(dataDir, 'demo-unfinished.json')
}
