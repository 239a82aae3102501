import type { Catalog } from '../../catalog/catalog.ts'
import { term } from '../../catalog/index/terms.ts'
import type { Settings } from '../../config.ts'
import type { ScheduleStatus } from '../../connectors/schedule/schedule-status.ts'
import { DEMO_SOURCE } from '../../demo/feed-records.ts'
import type { OperatorView } from '../../http/platform/platform-route.ts'
import type { CatalogFacts } from '../../http/site/web-pages.ts'
import type { TaskHolder } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { ownEntry } from '../../lib/objects.ts'
import type { Uploads } from '../../runtime/uploads.ts'
import type { PrimaryApi } from './messages.ts'

/** What the operator's page reads. */
interface OperatorViewParts {
  readonly catalog: Catalog
  readonly primary: Pick<PrimaryApi, 'processes' | 'windowScheduler' | 'catalogChecks' | 'startJob' | 'jobs'>
  /** The process that imports now, on any node. */
  readonly importer: () => Promise<TaskHolder | undefined>
  readonly schedule: OperatorSchedule
  readonly uploads: Pick<Uploads, 'create' | 'append'>
  readonly clock: Clock
}

/** The schedule of the node, as the operator's page reads and changes it. */
type OperatorSchedule = Pick<OperatorView, 'controlSource' | 'addSource' | 'unscheduleSource'> & {
  status(now: number): Promise<ScheduleStatus>
}

/** The schedule in a file. Its modules load all connectors, which take a fifth of a worker's start: they are loaded late. */
export function fileSchedule(settings: ScheduleSettings, clock: Clock): OperatorSchedule {
  const { sourcesFile, dataDir, privateSources, env = process.env } = settings
  const load = () => import('../../connectors/schedule/schedule-status.ts')
  return {
    status: async (now) => (await load()).readScheduleStatus(sourcesFile, dataDir, now),
    controlSource: async (name, action) =>
      (await load()).controlSource(sourcesFile, dataDir, { name, action, now: clock() }),
    addSource: async (entry) =>
      (await load()).addSource(sourcesFile, entry, { env, allowPrivate: privateSources === 'allow' }),
    unscheduleSource: async (name) => (await load()).unscheduleSource(sourcesFile, dataDir, name),
  }
}

type ScheduleSettings = Pick<Settings, 'sourcesFile' | 'dataDir' | 'privateSources'> & {
  readonly env?: NodeJS.ProcessEnv
}

/** The data of the operator's page: the catalog, its sources and schedule, the window scheduler and the processes. */
export function operatorView(parts: OperatorViewParts): OperatorView {
  const { catalog, primary, importer, schedule, uploads, clock } = parts
  const { status: readSchedule, ...scheduleActions } = schedule
  return {
    ...scheduleActions,
    createUpload: async (bytes) => uploads.create(bytes),
    appendUpload: async (id, offset, piece) => uploads.append(id, offset, piece),
    startJob: (request) => primary.startJob(request),
    jobs: () => primary.jobs(),
    checks: () => primary.catalogChecks(),
    async status() {
      const at = clock()
      const { shows, offers, offersBySource } = catalog.counts()
      const [importing, processes, keeper] = await Promise.all([
        importer(),
        primary.processes(),
        primary.windowScheduler(),
      ])
      return {
        at,
        catalog: { version: catalog.version(), shows, offers },
        ...(importing !== undefined && { importing: { what: importing.what, since: importing.since } }),
        sources: catalog.sources().map(({ name, lastImport }) => ({
          name,
          offers: ownEntry(offersBySource, name) ?? 0,
          lastImport,
        })),
        schedule: await readSchedule(at),
        places: showsByCountryAndService(catalog),
        services: serviceNames(catalog),
        processes,
        keeper,
      }
    },
  }
}

/** The number of shows of each service in each country. */
function showsByCountryAndService(catalog: Catalog): { country: string; services: Record<string, number> }[] {
  const version = catalog.version()
  return Object.entries(catalog.reference().countries).map(([country, { services }]) => ({
    country,
    services: Object.fromEntries(
      services.map((service) => [service, catalog.docsWithTerm(term.service(country, service), version).size]),
    ),
  }))
}

/** The name of each service, taken from its first country. */
function serviceNames(catalog: Catalog): Record<string, string> {
  const { services } = catalog.reference()
  return Object.fromEntries(
    Object.values(services).map(({ id, everywhere, countries }) => {
      const brand = Object.values(countries)[0] ?? everywhere
      return [id, brand?.name ?? id]
    }),
  )
}

/** The facts about the catalog that all web pages show, cached by catalog version. */
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
