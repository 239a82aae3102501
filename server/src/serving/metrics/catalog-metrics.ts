import { Counter, Gauge, type Registry } from 'prom-client'
import type { Catalog } from '../../catalog/catalog.ts'
import { lagSeconds, type ReplicationState } from '../../ledger/ledger-status.ts'
import type { Clock } from '../../lib/clock.ts'
import type { CatalogQueryEngine } from '../../render/catalog-query-engine.ts'

/** What the catalog holds and how old it is, looked at when somebody asks. To be registered in one process. */
export function registerCatalogMetrics(
  registry: Registry,
  catalog: Pick<Catalog, 'version' | 'counts' | 'sources'>,
  clock: Clock,
): void {
  const registers = [registry]
  gauge('marquee_catalog_version', 'The version of the catalog.', () => catalog.version())
  gauge('marquee_catalog_shows', 'Shows in the catalog.', () => catalog.counts().shows)
  gauge('marquee_catalog_offers', 'Offers in the catalog.', () => catalog.counts().offers)
  gauge('marquee_catalog_age_seconds', 'Time since the last import of any source.', () => {
    const last = Math.max(...imports().map(({ at }) => at))
    return Number.isFinite(last) ? clock() - last : Number.NaN
  })
  bySource('marquee_source_offers', 'Offers that a source states.', (set) => {
    for (const [source, offers] of Object.entries(catalog.counts().offersBySource)) set(source, offers)
  })
  bySource('marquee_source_last_import_timestamp_seconds', "When a source's last import took place.", (set) => {
    for (const { name, at } of imports()) set(name, at)
  })
  bySource('marquee_source_last_import_notices', "Notices of a source's last import.", (set) => {
    for (const { name, notices } of imports()) {
      set(
        name,
        Object.values(notices).reduce((sum, count) => sum + count, 0),
      )
    }
  })
  bySource('marquee_source_last_import_complete', "1 if a source's last feed was whole, else 0.", (set) => {
    for (const { name, complete } of imports()) set(name, complete ? 1 : 0)
  })

  /** The last imports of those sources that have one. */
  function imports() {
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

  function bySource(name: string, help: string, read: (set: (source: string, value: number) => void) => void): void {
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

/** How well the caches of a serving process do. */
export function registerCacheMetrics(registry: Registry, engine: Pick<CatalogQueryEngine, 'caches'>): void {
  new Counter({
    name: 'marquee_cache_lookups_total',
    help: 'Look-ups in the caches of ready-made parts, by cache and result.',
    labelNames: ['cache', 'result'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { name: cache, hits, misses } of engine.caches().map((metered) => metered.stats())) {
        this.inc({ cache, result: 'hit' }, hits)
        this.inc({ cache, result: 'miss' }, misses)
      }
    },
  })
}

/** How this node stands to its ledger, looked at when somebody asks. To be registered in one process. */
export function registerLedgerMetrics(registry: Registry, state: () => ReplicationState, clock: Clock): void {
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
