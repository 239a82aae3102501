import { onTestFinished } from 'vitest'
import type { SyncReport } from '../../../src/connectors/sync/title-sync.ts'
import { TmdbClient, type TmdbClientOptions } from '../../../src/connectors/tmdb/tmdb-client.ts'
import { createTmdbSync, type TmdbSyncOptions } from '../../../src/connectors/tmdb/tmdb-sync.ts'
import type { Timer } from '../../../src/lib/clock.ts'
import { createSyncRunner } from '../run-title-sync.ts'
import type { TestService } from '../test-service.ts'
import { STAND_IN_TOKEN, type StandInOptions, TmdbStandIn } from './tmdb-stand-in.ts'

/** A stand-in for TMDB that is closed when the test ends. */
export async function aStandIn(options: StandInOptions): Promise<TmdbStandIn> {
  const standIn = await new TmdbStandIn(options).listen()
  onTestFinished(() => standIn.close())
  return standIn
}

/** A timer whose sleeps take no time; `slept` records their lengths. */
export function instantTimer(): Timer & { readonly slept: number[] } {
  let now = 0
  const slept: number[] = []
  return {
    slept,
    now: () => now,
    sleep: async (ms) => {
      now += ms
      slept.push(ms)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** A client of a stand-in. */
export function aClient(standIn: TmdbStandIn, options: Partial<TmdbClientOptions> = {}): TmdbClient {
  const { address } = standIn
  return new TmdbClient({
    api: address,
    files: address,
    token: STAND_IN_TOKEN,
    timer: instantTimer(),
    requestsPerSecond: 1000,
    ...options,
  })
}

/** Overrides of the default options. */
export interface SyncOverrides extends Partial<TmdbSyncOptions> {
  readonly client?: Partial<TmdbClientOptions>
}

/** A function that syncs a service with a stand-in. All its syncs share one store. */
export function createSync(
  service: TestService,
  standIn: TmdbStandIn,
): (overrides?: SyncOverrides) => Promise<SyncReport & { readonly requested: readonly string[] }> {
  const run = createSyncRunner(service, standIn, (dependencies, { client, ...options }: SyncOverrides) =>
    createTmdbSync(
      { ...dependencies, client: aClient(standIn, client) },
      {
        source: 'tmdb',
        countries: ['us', 'de'],
        languages: ['en', 'de', 'fr'],
        limit: 1000,
        kinds: ['movie', 'tv'],
        refreshDays: 7,
        concurrency: 8,
        force: false,
        mapping: new Map(),
        ...options,
      },
    ),
  )
  return (overrides = {}) => run(overrides)
}
