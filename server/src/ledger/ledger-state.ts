/** How a node stands to its ledger. */
export interface LedgerState {
  /** Whether the ledger answered when it was last asked. */
  readonly connected: boolean
  /** The last commit that the node's catalog holds. */
  readonly commit: number
  /** The last commit that the node has heard of. */
  readonly lastCommit: number
  /** When the ledger last answered, in Unix seconds. */
  readonly contactAt?: number
  /** Since when the node has known of commits that it does not hold. */
  readonly behindSince?: number
  /** Whether this node keeps the windows of offers for all. */
  readonly keeper?: boolean
}

/** For how many seconds the node has known of commits that it does not hold. */
export function lagOf({ behindSince }: LedgerState, now: number): number {
  return behindSince === undefined ? 0 : Math.max(0, now - behindSince)
}
