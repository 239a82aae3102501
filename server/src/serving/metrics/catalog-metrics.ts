import { Gauge, type Registry } from 'prom-client'
import type { Catalog } from '../../catalog/catalog.ts'
import { lagSeconds, type ReplicationState } from '../../ledger/ledger-status.ts'
import type { Clock } from '../../lib/clock.ts'

/** In the primary: registers the size and age of the catalog and of its sources, read at each scrape. */
export function registerCatalogMetrics(
  registry: Registry,
  catalog: Pick<Catalog, 'version' | 'counts' | 'sources'>,
  clock: Clock,
): void {
  const registers = [registry]
  gauge('marquee_catalog_version', 'Catalog version.', () => catalog.version())
  gauge('marquee_catalog_shows', 'Shows in the catalog.', () => catalog.counts().shows)
  gauge('marquee_catalog_offers', 'Offers in the catalog.', () => catalog.counts().offers)
  gauge('marquee_catalog_age_seconds', 'Time since the last import of any source.', () => {
    const last = Math.max(...lastImports().map(({ at }) => at))
    return Number.isFinite(last) ? clock() - last : Number.NaN
  })
  gaugeBySource('marquee_source_offers', 'Offers of a source.', (set) => {
    for (const [source, offers] of Object.entries(catalog.counts().offersBySource)) set(source, offers)
  })
  gaugeBySource('marquee_source_last_import_timestamp_seconds', 'Time of the last import of a source.', (set) => {
    for (const { name, at } of lastImports()) set(name, at)
  })
  gaugeBySource('marquee_source_last_import_notices', 'Notices of the last import of a source.', (set) => {
    for (const { name, notices } of lastImports()) {
      set(
        name,
        Object.values(notices).reduce((sum, count) => sum + count, 0),
      )
    }
  })
  gaugeBySource(
    'marquee_source_last_import_complete',
    '1 if the last feed of a source was complete, else 0.',
    (set) => {
      for (const { name, complete } of lastImports()) set(name, complete ? 1 : 0)
    },
  )

  /** The last import of each source that has one. */
  function lastImports() {
    return catalog
      .sources()
      .flatMap(({ name, lastImport }) => (lastImport === undefined ? [] : { name, ...lastImport }))
  }

  function gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }

  function gaugeBySource(
    name: string,
    help: string,
    read: (set: (source: string, value: number) => void) => void,
  ): void {
    new Gauge({
      name,
      help,
      registers,
      labelNames: ['source'],
      collect() {
        this.reset()
        read((source, value) => this.set({ source }, value))
      },
    })
  }
}

/** In the primary of a node: registers the state of replication, read at each scrape. */
export function registerLedgerMetrics(registry: Registry, readState: () => ReplicationState, clock: Clock): void {
  gauge('marquee_ledger_connected', '1 if PostgreSQL answered the last time, otherwise 0.', ({ connected }) =>
    connected ? 1 : 0,
  )
  gauge('marquee_ledger_commit', 'Last commit that this node has applied.', ({ commit }) => commit)
  gauge('marquee_ledger_last_commit', 'Last commit that this node knows of.', ({ lastCommit }) => lastCommit)
  gauge('marquee_ledger_lag_seconds', 'Time since which this node knows of commits that it has not applied.', (state) =>
    lagSeconds(state, clock()),
  )
  gauge('marquee_ledger_silence_seconds', 'Time since the last answer of PostgreSQL.', ({ contactAt }) =>
    contactAt === undefined ? Number.NaN : clock() - contactAt,
  )
  gauge('marquee_keeper_on_duty', '1 if this node is the leader, which runs the window scheduler, else 0.', (state) =>
    state.isLeader === true ? 1 : 0,
  )

  function gauge(name: string, help: string, read: (state: ReplicationState) => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read(readState()))
      },
    })
  }
}
