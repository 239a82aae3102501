import cluster from 'node:cluster'
import type { Registry } from 'prom-client'
import type { WorkerMetrics } from '../metrics/service-metrics.ts'
import type { MetricsRequest, PrimaryApi, PrimaryMessage, WorkerMessage, WorkerSnapshot } from './messages.ts'

/** How long the primary waits for the metrics of a worker. */
const ANSWER_TIMEOUT_MS = 2_000

/** The parts of a worker that asking for metrics needs. */
interface AskedWorker {
  readonly id: number
  isConnected(): boolean
  send(message: MetricsRequest): unknown
  on(event: 'message', listener: (message: WorkerMessage) => void): unknown
  off(event: 'message', listener: (message: WorkerMessage) => void): unknown
}

let lastId = 0

interface AskOptions {
  readonly workers?: readonly AskedWorker[]
  readonly timeoutMs?: number
}

/**
 * In the primary: asks all workers for their metrics, and waits for them for a limited time.
 * @param caller the metrics of the worker that wants those of all, which is not asked: while it is overloaded, each message
 *   waits for a turn of its event loop
 */
export async function askWorkers(
  caller?: WorkerSnapshot,
  { workers = Object.values(cluster.workers ?? {}) as AskedWorker[], timeoutMs = ANSWER_TIMEOUT_MS }: AskOptions = {},
): Promise<WorkerMetrics> {
  const asked = workers.filter((worker) => worker.isConnected() && worker.id !== caller?.workerId)
  const answers = await Promise.all(asked.map((worker) => askWorker(worker, timeoutMs)))
  const given = answers.filter((answer) => answer !== undefined)
  return { answers: caller === undefined ? given : [caller.metrics, ...given], silent: asked.length - given.length }
}

function askWorker(worker: AskedWorker, timeoutMs: number): Promise<object[] | undefined> {
  const id = ++lastId
  return new Promise((resolve) => {
    const finish = (answer: object[] | undefined) => {
      clearTimeout(timer)
      worker.off('message', onMessage)
      resolve(answer)
    }
    const onMessage = (message: WorkerMessage) => {
      if (message?.type === 'metrics' && message.id === id) finish(message.metrics)
    }
    const timer = setTimeout(() => finish(undefined), timeoutMs)
    worker.on('message', onMessage)
    worker.send({ type: 'metrics-request', id })
  })
}

/** In a worker: answers the primary's requests for the metrics of this process. Returns a function that reads those of all. */
export function shareMetrics(registry: Registry, primary: Pick<PrimaryApi, 'metrics'>): () => Promise<string> {
  process.on('message', async (message: PrimaryMessage) => {
    if (message?.type !== 'metrics-request') return
    const metrics = await registry.getMetricsAsJSON()
    if (cluster.worker?.isConnected() !== true) return
    cluster.worker.send({ type: 'metrics', id: message.id, metrics } satisfies WorkerMessage)
  })
  return async () => {
    const metrics = await registry.getMetricsAsJSON()
    return primary.metrics({ workerId: cluster.worker?.id as number, metrics })
  }
}
