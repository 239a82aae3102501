import type { KeyStore } from '../../accounts/keys/key-store.ts'
import type { Settings } from '../../config.ts'
import { ApiError } from '../../http/exchange/errors.ts'
import type { LedgerHealth, NodeReadiness } from '../../http/site/monitoring.ts'
import { lagSeconds, type ReplicationState } from '../../ledger/ledger-status.ts'
import { systemClock } from '../../lib/clock.ts'
import type { PrimaryMessage } from './messages.ts'

/** A client retries this much later if its key could not be looked up. */
const RETRY_AFTER_SECONDS = 5

/** The state of replication and of the other nodes, as the follower last reported it. */
interface FollowerState {
  readonly health: () => LedgerHealth
  /** The number of workers on all nodes. */
  readonly workers: () => number
}

/** In a worker: keeps what the primary last said about the readiness of the whole node. */
export function trackReadiness(): () => NodeReadiness {
  let readiness: NodeReadiness = { problem: 'The worker is starting.' }
  process.on('message', (message: PrimaryMessage) => {
    if (message?.type === 'readiness') readiness = message
  })
  return () => readiness
}

/** In a worker: keeps the latest state of the follower, which the primary passes on. */
export function trackFollowerState({
  maxLagSeconds,
  workers,
}: Pick<Settings, 'maxLagSeconds' | 'workers'>): FollowerState {
  let state: ReplicationState = { connected: true, commit: 0, lastCommit: 0 }
  let workerCount = workers
  process.on('message', (message: PrimaryMessage) => {
    if (message?.type === 'replication') state = message.state
    else if (message?.type === 'worker-count') workerCount = message.workers
  })
  return {
    health() {
      const { connected, commit, lastCommit } = state
      return { connected, commit, lastCommit, lagSeconds: lagSeconds(state, systemClock()), maxLagSeconds }
    },
    workers: () => workerCount,
  }
}

/**
 * Wraps the key store of a replica. While PostgreSQL cannot be reached, an unknown key may have been created on another
 * node, so it is answered with 503 and `Retry-After` instead of 401.
 */
export function keysDuringOutage(keys: Pick<KeyStore, 'find'>, ledger: () => LedgerHealth): Pick<KeyStore, 'find'> {
  return {
    find(secret, now) {
      const key = keys.find(secret, now)
      if (key !== undefined || ledger().connected) return key
      throw new ApiError('unavailable', 'This API key cannot be looked up at the moment; try again soon.', {
        retryAfter: RETRY_AFTER_SECONDS,
      })
    },
  }
}
