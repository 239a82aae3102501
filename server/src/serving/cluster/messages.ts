import cluster, { type Worker } from 'node:cluster'
import type { QuotaDelta } from '../../accounts/store/quota-store.ts'
import type { RequestBatch, RequestEntry } from '../../accounts/usage/usage-report.ts'
import type { DoctorReport } from '../../doctor/finding.ts'
import type { JobRequest, OperatorJob } from '../../http/platform/platform-route.ts'
import type { ReplicationState } from '../../ledger/ledger-status.ts'

/*
 * The messages between the processes of a service, over the channels that Node opens to child processes. Every message
 * has a `type`. Receivers ignore other types.
 */

/** What a worker sends to the primary. */
export type WorkerMessage =
  | RequestMessage
  /** The modules of the worker are loaded. It waits for `start`. */
  | { readonly type: 'loaded' }
  /** `fileId` names the file of the catalog that the worker serves. */
  | { readonly type: 'heartbeat'; readonly residentBytes: number; readonly fileId: string }
  /** The metrics of the worker, as `getMetricsAsJSON` has them, for the request with the same id. */
  | { readonly type: 'metrics'; readonly id: number; readonly metrics: object[] }
  /** The worker cannot listen, and no other worker could. */
  | { readonly type: 'listen-failed'; readonly reason: string }

/** What the follower sends to the primary. */
export type FollowerMessage =
  /** The catalog is open; a new `fileId` means that it was bootstrapped again into a new file. */
  | { readonly type: 'catalog-opened'; readonly fileId: string }
  /** The catalog is being copied from PostgreSQL. */
  | { readonly type: 'copying'; readonly percent: number }
  /** The follower runs: its event loop turns. */
  | { readonly type: 'heartbeat' }
  /** Made by the primary: nothing was heard of the follower since an instant. */
  | { readonly type: 'silent'; readonly since: number }
  /** Made by the primary: the follower has exited, and is started again. */
  | { readonly type: 'exited' }
  | { readonly type: 'windows-applied'; readonly shows: number }
  | { readonly type: 'windows-failed'; readonly reason: string }
  | ClusterState

/** State that the primary passes on to all workers. */
export type ClusterState =
  /** Why the node is not ready: a worker is not. Without a problem, all workers are ready. */
  | { readonly type: 'readiness'; readonly problem?: string; readonly copiedPercent?: number }
  | { readonly type: 'replication'; readonly state: ReplicationState }
  /** The number of workers on all nodes. */
  | { readonly type: 'worker-count'; readonly workers: number }

/** What the primary sends to a worker. */
export type PrimaryMessage = StartMessage | ReplyMessage | ClusterState | MetricsRequest

/** The data directory is prepared, and the worker may serve it. */
export interface StartMessage {
  readonly type: 'start'
  /** Settings that the primary has chosen, as environment variables. */
  readonly environment: Readonly<Record<string, string>>
}

/** Asks a worker for its metrics. */
export interface MetricsRequest {
  readonly type: 'metrics-request'
  readonly id: number
}

/** The metrics of one worker, as `getMetricsAsJSON` has them. */
export interface WorkerSnapshot {
  readonly workerId: number
  readonly metrics: object[]
}

/** A call of one method of `PrimaryApi`. */
interface RequestMessage {
  readonly type: 'request'
  readonly id: number
  readonly method: keyof PrimaryApi
  readonly argument?: unknown
}

/** The result of a call, or the message of the error that it threw. */
interface ReplyMessage {
  readonly type: 'reply'
  readonly id: number
  readonly result?: unknown
  readonly error?: string
}

/** What workers can call in the primary. */
export interface PrimaryApi {
  /** The metrics of all processes in the Prometheus text format; those of the calling worker come with the call. */
  metrics(caller: WorkerSnapshot): Promise<string>
  processes(): Promise<readonly ProcessReport[]>
  windowScheduler(): Promise<WindowSchedulerReport>
  /** What the operator should mend in the catalog, as far as it is known. */
  catalogChecks(): Promise<CatalogChecksReport>
  /** Adds the requests of web page visitors that one worker counted; returns the totals of all workers, in order. */
  countVisitorRequests(deltas: readonly QuotaDelta[]): Promise<number[]>
  /** Adds requests of accounts that one worker answered. */
  logRequests(batches: readonly RequestBatch[]): Promise<void>
  /** The latest requests of an account on this node, newest first. */
  recentRequests(accountId: string): Promise<readonly RequestEntry[]>
  /** Starts a job of an admin, or says why it cannot be started. */
  startJob(request: JobRequest): Promise<OperatorJob | { readonly refused: string }>
  /** The latest jobs of admins on this node, newest first. */
  jobs(): Promise<readonly OperatorJob[]>
}

/** The latest check of the catalog, as the operator's page shows it. */
export interface CatalogChecksReport {
  /** The report of `marquee doctor`; absent until the first check has ended. */
  readonly report?: DoctorReport
  /** Whether a newer version of the catalog is being checked. */
  readonly isRunning: boolean
  /** Why the last check failed. */
  readonly problem?: string
}

/** One process of the service, as the operator's page shows it. */
export interface ProcessReport {
  readonly pid: number
  readonly role: 'primary' | 'worker'
  readonly startedAt: number
  readonly residentBytes: number
}

/** The work of the window scheduler since the service started, as the operator's page shows it. */
export interface WindowSchedulerReport {
  readonly lastRunAt?: number
  /** When the next window starts or ends; absent if none is known. */
  readonly nextWindowAt?: number
  readonly settledShows: number
  readonly failures: number
  readonly lastFailure?: { readonly at: number; readonly message: string }
}

/** In the primary: answers the requests of all workers. */
export function serveWorkerRequests(api: PrimaryApi): void {
  cluster.on('message', (worker: Worker, message: WorkerMessage) => {
    if (message?.type !== 'request' || !Object.hasOwn(api, message.method)) return
    const { id, method, argument } = message
    const reply = (body: Pick<ReplyMessage, 'result' | 'error'>) => {
      if (worker.isConnected()) worker.send({ type: 'reply', id, ...body } satisfies ReplyMessage)
    }
    const result: Promise<unknown> = api[method](argument as never)
    result.then(
      (value) => reply({ result: value }),
      (error: Error) => reply({ error: error.message }),
    )
  })
}

/** In a worker: an implementation of `PrimaryApi` that sends requests to the primary. */
export function connectToPrimary(): PrimaryApi {
  const pending = new Map<number, (reply: ReplyMessage) => void>()
  let lastId = 0
  process.on('message', (message: PrimaryMessage) => {
    if (message?.type !== 'reply') return
    pending.get(message.id)?.(message)
    pending.delete(message.id)
  })
  const call = <T>(method: keyof PrimaryApi, argument?: unknown) =>
    new Promise<T>((resolve, reject) => {
      const id = ++lastId
      pending.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result as T)
        else reject(new Error(error))
      })
      process.send?.({ type: 'request', id, method, argument } satisfies RequestMessage)
    })
  return {
    metrics: (caller) => call('metrics', caller),
    processes: () => call('processes'),
    windowScheduler: () => call('windowScheduler'),
    catalogChecks: () => call('catalogChecks'),
    countVisitorRequests: (deltas) => call('countVisitorRequests', deltas),
    logRequests: (batches) => call('logRequests', batches),
    recentRequests: (accountId) => call('recentRequests', accountId),
    startJob: (request) => call('startJob', request),
    jobs: () => call('jobs'),
  }
}
