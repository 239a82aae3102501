import type { Catalog } from '../../catalog/catalog.ts'
import { term } from '../../catalog/index/terms.ts'
import type { ScheduleStatus } from '../../connectors/schedule/schedule-status.ts'
import { DEMO_SOURCE } from '../../demo/feed-records.ts'
import type { OperatorView } from '../../http/platform/platform-route.ts'
import type { CatalogFacts } from '../../http/site/web-pages.ts'
import type { TaskHolder } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { ownEntry } from '../../lib/objects.ts'
import type { PrimaryApi } from './messages.ts'

/** What the operator's page is made from. */
export interface OperatorViewParts {
  readonly catalog: Catalog
  readonly primary: Pick<PrimaryApi, 'processes' | 'keeper'>
  /** Who imports at the moment, on whichever machine. */
  readonly importer: () => Promise<TaskHolder | undefined>
  /** How the scheduled sources are doing at an instant. */
  readonly schedule: (now: number) => ScheduleStatus
  readonly clock: Clock
}

/** What the operator's page shows: the catalog, who feeds it and when, the keeper, and the processes that serve it. */
export function operatorView({ catalog, primary, importer, schedule, clock }: OperatorViewParts): OperatorView {
  return {
    async status() {
      const at = clock()
      const { shows, offers, offersBySource } = catalog.counts()
      const [importing, processes, keeper] = await Promise.all([importer(), primary.processes(), primary.keeper()])
      return {
        at,
        catalog: { version: catalog.version(), shows, offers },
        ...(importing !== undefined && { importing: { what: importing.what, since: importing.since } }),
        sources: catalog.sources().map(({ name, lastImport }) => ({
          name,
          offers: ownEntry(offersBySource, name) ?? 0,
          lastImport,
        })),
        schedule: schedule(at),
        places: showsByCountryAndService(catalog),
        services: serviceNames(catalog),
        processes,
        keeper,
      }
    },
  }
}

/** How many shows each service has in each country. */
function showsByCountryAndService(catalog: Catalog): { country: string; services: Record<string, number> }[] {
  const version = catalog.version()
  return Object.entries(catalog.reference().countries).map(([country, { services }]) => ({
    country,
    services: Object.fromEntries(
      services.map((service) => [service, catalog.docsWithTerm(term.service(country, service), version).size]),
    ),
  }))
}

/** The name of each service, as it is in the first country that has it. */
function serviceNames(catalog: Catalog): Record<string, string> {
  const { services } = catalog.reference()
  return Object.fromEntries(
    Object.values(services).map(({ id, everywhere, countries }) => {
      const brand = Object.values(countries)[0] ?? everywhere
      return [id, brand?.name ?? id]
    }),
  )
}

/** Tells the pages what kind of catalog they show. It is read anew only when the catalog has changed. */
export function catalogFacts(catalog: Catalog): () => CatalogFacts {
  let version: number | undefined
  let facts: CatalogFacts = { isDemo: false, countries: [], attributions: [] }
  return () => {
    if (catalog.version() === version) return facts
    version = catalog.version()
    const sources = catalog.sources()
    facts = {
      isDemo: sources.some(({ name }) => name === DEMO_SOURCE),
      countries: Object.keys(catalog.reference().countries).sort(),
      attributions: sources.flatMap(({ attribution }) => attribution ?? []),
    }
    return facts
  }
}
