import type { Settings } from '../config.ts'
import type { LedgerHealth } from '../http/observe/monitoring.ts'
import { lagSeconds, type ReplicationState } from '../ledger/ledger-status.ts'
import { systemClock } from '../lib/clock.ts'

/** What the primary tells its workers of what the process that follows PostgreSQL has found. */
export interface FollowerNews {
  readonly ledger?: ReplicationState
  /** How many processes serve on all nodes. */
  readonly processes?: number
}

/** What a worker knows of PostgreSQL and the other nodes: the last that the primary has told it. */
export function followerNews({ maxLagSeconds, workers }: Pick<Settings, 'maxLagSeconds' | 'workers'>): {
  readonly health: () => LedgerHealth
  readonly processes: () => number
} {
  let state: ReplicationState = { connected: true, commit: 0, lastCommit: 0 }
  let processes = workers
  process.on('message', (news: FollowerNews) => {
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
