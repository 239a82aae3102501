import { Gauge, type Registry } from 'prom-client'
import { lagSeconds, type ReplicationState } from '../ledger/ledger-status.ts'
import type { Clock } from '../lib/clock.ts'

/** How this node stands to its ledger, looked at when somebody asks. To be registered in one process. */
export function ledgerMetrics(registry: Registry, state: () => ReplicationState, clock: Clock): void {
  gauge('marquee_ledger_connected', '1 if the ledger answered when it was last asked, else 0.', ({ connected }) =>
    connected ? 1 : 0,
  )
  gauge('marquee_ledger_commit', 'The last commit that this node holds.', ({ commit }) => commit)
  gauge('marquee_ledger_last_commit', 'The last commit that this node has heard of.', ({ lastCommit }) => lastCommit)
  gauge('marquee_ledger_lag_seconds', 'For how long the node has known of commits that it does not hold.', (now) =>
    lagSeconds(now, clock()),
  )
  gauge('marquee_ledger_silence_seconds', 'Time since the ledger last answered.', ({ contactAt }) =>
    contactAt === undefined ? Number.NaN : clock() - contactAt,
  )
  gauge('marquee_keeper_on_duty', '1 if this node keeps the windows of offers for all, else 0.', ({ keeper }) =>
    keeper === true ? 1 : 0,
  )

  function gauge(name: string, help: string, read: (state: ReplicationState) => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read(state()))
      },
    })
  }
}
