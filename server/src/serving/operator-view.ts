import type { Catalog } from '../catalog/catalog.ts'
import { term } from '../catalog/terms.ts'
import type { OperatorView } from '../http/platform/operator-routes.ts'
import { LocalTaskLock } from '../ledger/local-task-lock.ts'
import type { Clock } from '../model/clock.ts'
import type { PrimaryAnswers } from './primary-link.ts'

/** What the operator's page shows: the catalog, who feeds it, and the processes that serve it. */
export function operatorView(catalog: Catalog, primary: Pick<PrimaryAnswers, 'processes'>, clock: Clock): OperatorView {
  return {
    async status() {
      const { shows, offers, offersBySource } = catalog.counts()
      const importing = await new LocalTaskLock(catalog.environment).holder('import')
      return {
        at: clock(),
        catalog: { version: catalog.version(), shows, offers },
        ...(importing !== undefined && { importing }),
        sources: catalog.sources().map(({ name, lastImport }) => ({
          name,
          offers: offersBySource[name] ?? 0,
          lastImport,
        })),
        places: showsByPlace(catalog),
        processes: await primary.processes(),
      }
    },
  }
}

/** How many shows each service has in each country. */
function showsByPlace(catalog: Catalog): { country: string; services: Record<string, number> }[] {
  const version = catalog.version()
  return Object.entries(catalog.reference().countries).map(([country, { services }]) => ({
    country,
    services: Object.fromEntries(
      services.map((service) => [service, catalog.docs(term.service(country, service), version).size]),
    ),
  }))
}
