import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SyncReport } from '../../../src/connectors/sync/title-sync.ts'
import { CatalogFilter } from '../../../src/connectors/v4/records.ts'
import { V4Client, type V4ClientOptions } from '../../../src/connectors/v4/v4-client.ts'
import { V4Store } from '../../../src/connectors/v4/v4-store.ts'
import { V4Sync, type V4SyncOptions } from '../../../src/connectors/v4/v4-sync.ts'
import { POPULARITY_WINDOWS } from '../../../src/model/show.ts'
import { collectResponses, exhaustivePaths } from '../catalog-responses.ts'
import { type Fault, fail } from '../faults.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import type { TestService } from '../test-service.ts'
import { instantTimer } from '../tmdb/sync-with.ts'

/** A request that a gateway has passed on, and the status of the answer. */
interface PassedRequest {
  readonly path: string
  readonly status: number
}

/** A port in front of a service, which records requests and can fail. */
export class Gateway {
  readonly requests: PassedRequest[] = []
  /** Called for each request; a returned fault is sent instead of the answer. */
  fault: (path: string) => Fault | undefined = () => undefined
  address = ''
  private readonly service: TestService
  private readonly server = createServer((request, response) => void this.handle(request, response))

  constructor(service: TestService) {
    this.service = service
  }

  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    this.address = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v4`
    return this
  }

  close(): void {
    this.server.close()
    this.server.closeAllConnections()
  }

  /** The number of requests whose path starts so, optionally with one status. */
  count(prefix: string, status?: number): number {
    return this.requests.filter(
      (request) => request.path.startsWith(prefix) && (status ?? request.status) === request.status,
    ).length
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/', headers } = request
    const answer = await this.service.app.inject({ method: 'GET', url, headers })
    const fault = this.fault(url)
    const path = url.replace(/^\/v4/, '')
    this.requests.push({ path, status: fault === undefined ? answer.statusCode : 0 })
    if (fault !== undefined) fail(response, fault, answer.rawPayload)
    else response.writeHead(answer.statusCode, answer.headers as Record<string, string>).end(answer.rawPayload)
  }
}

/** A gateway that is closed when the test ends. */
export async function aGateway(service: TestService): Promise<Gateway> {
  const gateway = await new Gateway(service).listen()
  onTestFinished(() => gateway.close())
  return gateway
}

/** Overrides of the default options. */
export interface FederationOverrides extends Partial<V4SyncOptions> {
  readonly client?: Partial<V4ClientOptions>
}

/** The outcome of a sync with the requests that it made. */
export type FederationReport = SyncReport & { readonly requested: readonly PassedRequest[] }

/** A function that syncs a service with the one behind a gateway. All its syncs share one store. */
export function createFederation(
  local: TestService,
  remote: TestService,
  gateway: Gateway,
): (overrides?: FederationOverrides) => Promise<FederationReport> {
  const folder = join(temporaryFolder(), 'sync')
  return async ({ client, ...options } = {}) => {
    const before = gateway.requests.length
    const store = new V4Store(folder)
    const clock = () => local.now
    try {
      const sync = new V4Sync(
        {
          client: new V4Client({
            from: gateway.address,
            key: remote.directKey,
            keep: 0,
            maxRequests: 1_000_000,
            requestsPerSecond: 1000,
            timer: instantTimer(),
            clock,
            ...client,
          }),
          store,
          ledger: local.ledger,
          clock,
          withLock: (work) => work(),
        },
        {
          source: 'peer',
          countries: undefined,
          filter: new CatalogFilter([]),
          languages: ['en', 'fr'],
          popularity: POPULARITY_WINDOWS,
          originalLanguages: true,
          refreshDays: 30,
          concurrency: 4,
          force: false,
          ...options,
        },
      )
      return { ...(await sync.run()), requested: gateway.requests.slice(before) }
    } finally {
      await store.close()
    }
  }
}

/** What answers cannot carry over: when past changes were seen, and equal popularity in ascending order. */
const LOCAL_PATHS = /change_type=(new|updated|removed)|order_by=popularity_\w+&order_direction=asc/

/** The answers of two services that differ, by path; none if the federation is complete. */
export function differingAnswers(local: TestService, remote: TestService): Record<string, [string, string]> {
  const paths = exhaustivePaths(remote.ledger.catalog).filter((path) => !LOCAL_PATHS.test(path))
  const [here, there] = [collectResponses(local, paths), collectResponses(remote, paths)]
  const different = Object.keys({ ...here, ...there }).filter((path) => here[path] !== there[path])
  return Object.fromEntries(different.map((path) => [path, [here[path] ?? '', there[path] ?? '']]))
}
