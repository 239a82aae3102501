import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Timer } from '../../../src/connectors/tmdb/client/request-pace.ts'
import { TmdbClient, type TmdbClientOptions } from '../../../src/connectors/tmdb/client/tmdb-client.ts'
import { SyncStore } from '../../../src/connectors/tmdb/sync/sync-store.ts'
import { type SyncOptions, type SyncReport, TmdbSync } from '../../../src/connectors/tmdb/sync/tmdb-sync.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import type { TestService } from '../test-service.ts'
import { STAND_IN_TOKEN, type StandInOptions, TmdbStandIn } from './tmdb-stand-in.ts'

/** A stand-in for TMDB that is gone when the test is over. */
export async function aStandIn(options: StandInOptions): Promise<TmdbStandIn> {
  const standIn = await new TmdbStandIn(options).listen()
  onTestFinished(() => standIn.close())
  return standIn
}

/** A timer for which waiting takes no time: it remembers how long it was asked to. */
export function hastyTimer(): Timer & { readonly slept: number[] } {
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
    timer: hastyTimer(),
    requestsPerSecond: 1000,
    ...options,
  })
}

/** What a test wants otherwise than usual. */
export interface SyncWishes extends Partial<SyncOptions> {
  readonly client?: Partial<TmdbClientOptions>
}

/** Syncs of one service with one stand-in, one after the other, with a state that goes on from one to the next. */
export function syncsOf(
  service: TestService,
  standIn: TmdbStandIn,
): (wishes?: SyncWishes) => Promise<SyncReport & { readonly asked: readonly string[] }> {
  const folder = join(temporaryFolder(), 'sync')
  return async ({ client, ...options } = {}) => {
    const before = standIn.requests.length
    const state = new SyncStore(folder)
    try {
      const sync = new TmdbSync(
        {
          client: aClient(standIn, client),
          state,
          ledger: service.ledger,
          clock: () => service.now,
          withLock: (work) => work(),
        },
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
      )
      return { ...(await sync.run()), asked: standIn.requests.slice(before) }
    } finally {
      await state.close()
    }
  }
}
