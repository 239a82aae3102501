import type { Settings } from '../config.ts'
import type { LedgerHealth } from '../http/health.ts'
import { type LedgerState, lagOf } from '../ledger/ledger-state.ts'
import { systemClock } from '../model/clock.ts'

/** What the primary tells its workers of the ledger. */
export interface LedgerNews {
  readonly ledger: LedgerState
}

/** How this node stands to its ledger, by what the primary has last told this worker. */
export function ledgerHealth({ maxLagSeconds }: Pick<Settings, 'maxLagSeconds'>): () => LedgerHealth {
  let state: LedgerState = { connected: false, commit: 0, lastCommit: 0 }
  process.on('message', (message: Partial<LedgerNews>) => {
    state = message.ledger ?? state
  })
  return () => {
    const { connected, commit, lastCommit } = state
    return { connected, commit, lastCommit, lagSeconds: lagOf(state, systemClock()), maxLagSeconds }
  }
}
