import type { KeyStore } from '../../accounts/keys/key-store.ts'
import type { Settings } from '../../config.ts'
import type { LedgerHealth } from '../../http/observe/monitoring.ts'
import { ApiError } from '../../http/response/errors.ts'
import { lagSeconds, type ReplicationState } from '../../ledger/ledger-status.ts'
import { systemClock } from '../../lib/clock.ts'

/** What the primary tells its workers of what the process that follows PostgreSQL has found. */
export interface FollowerUpdate {
  readonly ledger?: ReplicationState
  /** How many processes serve on all nodes. */
  readonly processes?: number
}

/** What a worker knows of PostgreSQL and the other nodes: the last that the primary has told it. */
export function trackFollowerState({ maxLagSeconds, workers }: Pick<Settings, 'maxLagSeconds' | 'workers'>): {
  readonly health: () => LedgerHealth
  readonly processes: () => number
} {
  let state: ReplicationState = { connected: true, commit: 0, lastCommit: 0 }
  let processes = workers
  process.on('message', (news: FollowerUpdate) => {
    state = news?.ledger ?? state
    processes = news?.processes ?? processes
  })
  return {
    health() {
      const { connected, commit, lastCommit } = state
      return { connected, commit, lastCommit, lagSeconds: lagSeconds(state, systemClock()), maxLagSeconds }
    },
    processes: () => processes,
  }
}

/**
 * Keys of a node that copies them. While PostgreSQL is away, a key that is not known here may well have been made
 * elsewhere: that is no fault of the client's, and it should try again.
 */
export function keysDuringOutage(keys: Pick<KeyStore, 'find'>, ledger: () => LedgerHealth): Pick<KeyStore, 'find'> {
  return {
    find(secret, now) {
      const key = keys.find(secret, now)
      if (key !== undefined || ledger().connected) return key
      throw new ApiError('unavailable', 'This API key cannot be looked up at the moment; try again soon.', {
        headers: ['Retry-After', '5'],
        extras: { retryAfter: 5 },
      })
    },
  }
}
