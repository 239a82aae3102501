import type { SyncReport } from '../../../src/connectors/sync/title-sync.ts'
import { WatchmodeClient, type WatchmodeClientOptions } from '../../../src/connectors/watchmode/watchmode-client.ts'
import { createWatchmodeSync, type WatchmodeSyncOptions } from '../../../src/connectors/watchmode/watchmode-sync.ts'
import { createSyncRunner } from '../run-title-sync.ts'
import { aTestService, type TestService } from '../test-service.ts'
import { instantTimer } from '../tmdb/sync-with.ts'
import { WATCHMODE_KEY, WatchmodeStandIn } from './watchmode-stand-in.ts'

/** A client of a stand-in. */
export function aWatchmodeClient(
  { address }: WatchmodeStandIn,
  options: Partial<WatchmodeClientOptions> = {},
): WatchmodeClient {
  return new WatchmodeClient({
    api: address,
    key: WATCHMODE_KEY,
    keep: 0,
    maxRequests: Number.MAX_SAFE_INTEGER,
    clock: () => 0,
    timer: instantTimer(),
    requestsPerSecond: 1000,
    ...options,
  })
}

/** Overrides of the default options. */
export interface WatchmodeOverrides extends Partial<WatchmodeSyncOptions> {
  readonly client?: Partial<WatchmodeClientOptions>
}

type RunSync = (overrides?: WatchmodeOverrides) => Promise<SyncReport & { readonly requested: readonly string[] }>

/** A service, a stand-in for Watchmode, and a function that syncs the two. */
export async function aWatchmodeSync(
  given: Partial<ConstructorParameters<typeof WatchmodeStandIn>[0]> = {},
): Promise<{ service: TestService; standIn: WatchmodeStandIn; sync: RunSync }> {
  const service = await aTestService()
  const standIn = await new WatchmodeStandIn({ titles: 12, now: () => service.now, ...given }).listen()
  const run = createSyncRunner(service, standIn, (dependencies, { client, ...options }: WatchmodeOverrides) =>
    createWatchmodeSync(
      { ...dependencies, client: aWatchmodeClient(standIn, { clock: () => service.now, ...client }) },
      {
        source: 'watchmode',
        countries: ['us', 'de'],
        types: ['movie', 'tv_special', 'tv_series'],
        onlyKnown: false,
        limit: 1000,
        refreshDays: 7,
        images: false,
        mapping: new Map(),
        concurrency: 4,
        force: false,
        ...options,
      },
    ),
  )
  return { service, standIn, sync: (overrides = {}) => run(overrides) }
}
