import type { SyncReport } from '../../../src/connectors/sync/title-sync.ts'
import {
  createTvmazeSync,
  TvmazeClient,
  type TvmazeClientOptions,
  type TvmazeSyncOptions,
} from '../../../src/connectors/tvmaze/tvmaze-sync.ts'
import { createSyncRunner } from '../run-title-sync.ts'
import { aTestService, type TestService } from '../test-service.ts'
import { instantTimer } from '../tmdb/sync-with.ts'
import { TvmazeStandIn } from './tvmaze-stand-in.ts'

/** A client of a stand-in. */
export function aTvmazeClient({ address }: TvmazeStandIn, options: Partial<TvmazeClientOptions> = {}): TvmazeClient {
  return new TvmazeClient({ api: address, timer: instantTimer(), requestsPerSecond: 1000, ...options })
}

/** Overrides of the default options. */
interface TvmazeOverrides extends Partial<TvmazeSyncOptions> {
  readonly client?: Partial<TvmazeClientOptions>
}

type RunSync = (overrides?: TvmazeOverrides) => Promise<SyncReport & { readonly requested: readonly string[] }>

/** A service, a stand-in for TVmaze, and a function that syncs the two. */
export async function aTvmazeSync(
  shows = 12,
): Promise<{ service: TestService; standIn: TvmazeStandIn; sync: RunSync }> {
  const service = await aTestService()
  const standIn = await new TvmazeStandIn({ shows, now: () => service.now }).listen()
  const run = createSyncRunner(service, standIn, (dependencies, { client, ...options }: TvmazeOverrides) =>
    createTvmazeSync(
      { ...dependencies, client: aTvmazeClient(standIn, client) },
      {
        source: 'tvmaze',
        countries: [],
        create: false,
        limit: 1000,
        refreshDays: 30,
        mapping: new Map(),
        concurrency: 4,
        force: false,
        ...options,
      },
    ),
  )
  return { service, standIn, sync: (overrides = {}) => run(overrides) }
}
