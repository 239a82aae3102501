import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { afterAll } from 'vitest'
import type { Accounts } from '../../src/accounts/accounts.ts'
import type { CreatedKey, NewKey } from '../../src/accounts/keys/key-store.ts'
import { createMeter, type Meter } from '../../src/accounts/keys/meter.ts'
import type { AuditContext } from '../../src/accounts/store/account-store.ts'
import { UsageRecorder } from '../../src/accounts/usage/usage-recorder.ts'
import { RequestBuffer, RequestHistory } from '../../src/accounts/usage/usage-report.ts'
import { examineCatalog } from '../../src/doctor/examine-catalog.ts'
import { type AppSettings, createApp } from '../../src/http/app.ts'
import type { PlatformSettings } from '../../src/http/platform/platform-route.ts'
import { createClientAddressResolver } from '../../src/http/request/client.ts'
import { createVisitorTokens } from '../../src/http/request/visitor-token.ts'
import {
  combineObservers,
  createRequestObserver,
  createUsageObserver,
} from '../../src/http/response/response-observer.ts'
import { openWebPages } from '../../src/http/site/web-pages.ts'
import { type ImportOptions, importFeed } from '../../src/ingest/import-feed.ts'
import type { ImportReport } from '../../src/ingest/import-report.ts'
import { WindowScheduler } from '../../src/ingest/window-scheduler.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import { openMail } from '../../src/runtime/open-accounts.ts'
import { Uploads } from '../../src/runtime/uploads.ts'
import { catalogFacts, fileSchedule, operatorView } from '../../src/serving/cluster/page-data.ts'
import { OperatorJobs } from '../../src/serving/maintenance/child-runs.ts'
import { WindowSchedulerStats } from '../../src/serving/maintenance/maintenance.ts'
import { NOW } from './builders.ts'
import { feedFromRecords } from './feed.ts'
import { ResponseChecker } from './response-checker.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { aStore } from './test-store.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies are checked against the OpenAPI document, and read freely by tests.
type Body = any

/** A response as tests look at it. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
  readonly body: Body
  /** What the headers of an error say: `X-Error-Code` and `X-Error-Parameter`. */
  readonly error: { readonly code: string | undefined; readonly parameter: string | undefined }
}

export interface RequestOptions {
  readonly source?: 'direct' | 'marketplace'
  readonly headers?: Record<string, string>
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'
}

type TestSettings = AppSettings &
  PlatformSettings & {
    readonly visitorQuota: number
    readonly logger: Logger | false
    readonly smtpUrl: string | undefined
    readonly mailFrom?: string
  }

interface TestKeys {
  readonly direct: string
  readonly marketplace: string
}

const SETTINGS: TestSettings = {
  smtpUrl: undefined,
  marketplace: 'Market',
  keyPrefix: 'mq-key-',
  countries: 'array',
  signUp: 'open',
  marketplaceSecret: undefined,
  secureCookies: false,
  publicOrigin: undefined,
  visitorQuota: 1_000,
  logger: false,
}

const checkers = new Map<string, ResponseChecker>()

/** One checker for each set of settings: compiling the schemas takes longer than most tests. */
function checkerFor({ marketplace, countries, compatibility = 'none' }: AppSettings): ResponseChecker {
  const key = `${marketplace} ${countries} ${compatibility}`
  const known = checkers.get(key) ?? new ResponseChecker({ marketplace, countries, compatibility })
  checkers.set(key, known)
  return known
}

/** The whole service on a catalog of its own, with a clock that tests set, asked without a port. */
export class TestService {
  now = NOW
  readonly ledger: Ledger
  readonly windowScheduler: WindowScheduler
  readonly accounts: Accounts
  readonly meter: Meter
  readonly recorder: UsageRecorder
  readonly jobs: OperatorJobs
  readonly app: FastifyInstance
  readonly directKey: string
  readonly marketplaceKey: string
  private readonly marketplaceHeader: string
  private readonly schedulerStats: WindowSchedulerStats
  private readonly checker: ResponseChecker
  private readonly clock = () => this.now

  private constructor(
    folder: string,
    { ledger, accounts }: { readonly ledger: Ledger; readonly accounts: Accounts },
    keys: TestKeys,
    settings: Partial<TestSettings>,
  ) {
    this.ledger = ledger
    const registry = new Registry()
    this.schedulerStats = new WindowSchedulerStats(registry, this.clock)
    this.windowScheduler = new WindowScheduler(this.ledger, this.clock, {
      onRun: (shows) => this.schedulerStats.recordRun(shows),
    })
    this.accounts = accounts
    this.meter = createMeter(accounts.quota, { clock: this.clock })
    this.recorder = new UsageRecorder(accounts.usage, this.clock)
    const all: TestSettings = { ...SETTINGS, ...settings }
    this.checker = checkerFor(all)
    const resolveClientAddress = createClientAddressResolver([])
    const visitorTokens = createVisitorTokens({
      secret: 'signs visitor tokens in tests',
      resolveClientAddress,
      secureCookies: all.secureCookies,
      publicOrigin: all.publicOrigin,
      requestsPerDay: all.visitorQuota,
    })
    // Jobs work on a data folder of their own: with PostgreSQL, a child process would need the database of the test.
    const jobsFolder = join(folder, 'jobs')
    const uploads = new Uploads(jobsFolder)
    this.jobs = new OperatorJobs({
      uploads,
      address: () => 'http://marquee.test',
      clock: this.clock,
      log: { info: () => {}, error: () => {} },
      env: { ...process.env, MARQUEE_DATA: jobsFolder, DATABASE_URL: '' },
    })
    const history = new RequestHistory()
    const requests = new RequestBuffer(async (batches) => history.add(batches))
    this.app = createApp({
      // Memory that is reserved counts for the garbage collector: that of a serving process would make it run for each service.
      engine: new CatalogQueryEngine(this.ledger.catalog, { maxShowBytes: 16 * 1024 * 1024 }),
      keys: accounts.keys,
      meter: this.meter,
      clock: this.clock,
      settings: all,
      logger: all.logger,
      web: openWebPages(catalogFacts(this.ledger.catalog)),
      visitorTokens,
      observer: combineObservers(createUsageObserver(this.recorder), createRequestObserver(requests, this.clock)),
      metrics: () => registry.metrics(),
      platform: {
        accounts,
        meter: this.meter,
        clock: this.clock,
        visitorTokens,
        resolveClientAddress,
        async recentRequests(accountId) {
          await requests.flush()
          return history.list(accountId)
        },
        settings: all,
        mail: openMail({ mailFrom: undefined, publicUrl: 'https://marquee.test', host: '', port: 0, ...all }),
        logMail: () => {},
        operator: operatorView({
          catalog: this.ledger.catalog,
          primary: {
            processes: async () => [],
            windowScheduler: async () => this.schedulerStats.report(this.windowScheduler.nextDueInstant()),
            catalogChecks: async () => {
              const options = { schedule: { sources: [] }, now: this.now }
              return { report: await examineCatalog(this.ledger.catalog, options), isRunning: false }
            },
            startJob: async (request) => this.jobs.start(request),
            jobs: async () => this.jobs.list(),
          },
          importer: () => this.ledger.tasks.holder('import'),
          schedule: fileSchedule(
            { sourcesFile: join(jobsFolder, 'sources.json'), dataDir: jobsFolder, privateSources: 'allow', env: {} },
            this.clock,
          ),
          uploads,
          clock: this.clock,
        }),
      },
    })
    this.directKey = keys.direct
    this.marketplaceKey = keys.marketplace
    this.marketplaceHeader = `x-${all.marketplace}-api-key`.toLowerCase()
  }

  /** Opens a service with a key of each source. */
  static async open(folder: string, settings: Partial<TestSettings> = {}): Promise<TestService> {
    const { ledger, accounts } = await aStore(folder, { passwordCost: { log2N: 4, r: 8, p: 1 } })
    const make = async (source: 'direct' | 'marketplace') =>
      (await accounts.keys.create({ source, plan: 'unlimited', name: 'test' }, { by: 'operator', now: NOW })).key
    const keys = { direct: await make('direct'), marketplace: await make('marketplace') }
    return new TestService(folder, { ledger, accounts }, keys, settings)
  }

  /** Creates a key on a plan. */
  aKey(plan: string, more: Partial<NewKey> = {}): Promise<CreatedKey> {
    return this.accounts.keys.create({ source: 'direct', plan, name: 'test', ...more }, this.act)
  }

  /** The operator, at the present time of the test. */
  get act(): AuditContext {
    return { by: 'operator', now: this.now }
  }

  /** Imports records as a feed. */
  import(records: Iterable<object>, options: Partial<ImportOptions> = {}): Promise<ImportReport> {
    return importFeed(feedFromRecords(records), this.ledger, { clock: this.clock, ...options })
  }

  /** Advances the clock and runs the window scheduler. */
  async advance(seconds: number): Promise<void> {
    this.now += seconds
    await this.windowScheduler.applyDueWindows()
  }

  /** Requests a path below the base of the key, such as `/shows/1?country=us`. The OpenAPI document checks every response. */
  async get(
    path: string,
    { source = 'direct', headers = {}, method = 'GET' }: RequestOptions = {},
  ): Promise<TestAnswer> {
    const key: Record<string, string> =
      source === 'direct' ? { 'x-api-key': this.directKey } : { [this.marketplaceHeader]: this.marketplaceKey }
    const answer = await this.raw(`${source === 'direct' ? '/v4' : ''}${path}`, { ...key, ...headers }, method)
    if (method === 'GET' && answer.text !== '') {
      this.checker.check(path, answer.status, answer.headers['content-type'] ?? '', answer.text)
    }
    return answer
  }

  /** Sends a request with the given headers only. */
  async raw(
    url: string,
    headers: Record<string, string> = {},
    method: RequestOptions['method'] = 'GET',
    body?: string,
  ): Promise<TestAnswer> {
    const response = await this.app.inject({ method, url, headers, ...(body !== undefined && { body }) })
    const type = String(response.headers['content-type'] ?? '')
    const isJson = /^application\/(?:problem\+)?json\b/.test(type)
    const plain = response.headers['content-encoding'] === undefined && isJson
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      text: response.body,
      body: plain && response.body !== '' ? JSON.parse(response.body) : undefined,
      error: {
        code: response.headers['x-error-code'] as string | undefined,
        parameter: response.headers['x-error-parameter'] as string | undefined,
      },
    }
  }

  /** All shows of a filter search, page by page, with how many each page held. */
  async allShows(path: string, afterPage?: () => Promise<unknown>): Promise<{ shows: Body[]; pages: number[] }> {
    const shows: Body[] = []
    const pages: number[] = []
    for (let cursor = ''; ; ) {
      const { body } = await this.get(`${path}${cursor}`)
      shows.push(...body.shows)
      pages.push(body.shows.length)
      await afterPage?.()
      if (body.hasMore !== true) return { shows, pages }
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`
    }
  }

  /** All changes, page by page, with the shows of all pages. */
  async allChanges(path: string): Promise<{ changes: Body[]; shows: Record<string, Body>; pages: number[] }> {
    const changes: Body[] = []
    const shows: Record<string, Body> = {}
    const pages: number[] = []
    for (let cursor = ''; ; ) {
      const { body } = await this.get(`${path}${cursor}`)
      changes.push(...body.changes)
      Object.assign(shows, body.shows)
      pages.push(body.changes.length)
      if (body.hasMore !== true) return { changes, shows, pages }
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`
    }
  }

  /** Imports records, if there are any; throws if there is a notice other than information. */
  async fill(records: Iterable<object>): Promise<void> {
    const all = [...records]
    if (all.length === 0) return
    const { noticeList } = await this.import(all)
    if (noticeList.some(({ severity }) => severity !== 'info'))
      throw new Error(`The test's own feed has notices: ${JSON.stringify(noticeList)}`)
  }

  async close(): Promise<void> {
    await this.jobs.stop()
    await this.app.close()
    await this.accounts.close()
    await this.ledger.close()
  }
}

/** A service for all tests of a file or a describe block, filled with records. */
export async function aTestService(
  records: Iterable<object> = [],
  settings: Partial<TestSettings> = {},
): Promise<TestService> {
  const service = await TestService.open(temporaryFolder(afterAll), settings)
  afterAll(() => service.close())
  await service.fill(records)
  return service
}
