import cluster, { type Worker } from 'node:cluster'
import type { QuotaDelta } from '../../accounts/metering/quota-counters.ts'
import type { WindowSchedulerReport } from '../maintenance/window-scheduler-stats.ts'

/** What workers can ask the primary for. */
export interface PrimaryApi {
  /** The figures of all processes, in the form that Prometheus reads. */
  metrics(): Promise<string>
  processes(): Promise<readonly ProcessReport[]>
  keeper(): Promise<WindowSchedulerReport>
  /** Adds what viewers of the pages asked of one worker, and gives the totals of all workers, in the same order. */
  countPages(deltas: readonly QuotaDelta[]): Promise<number[]>
}

/** One process of the service. */
export interface ProcessReport {
  readonly pid: number
  readonly role: 'primary' | 'worker'
  readonly startedAt: number
  readonly residentBytes: number
}

type Question = keyof PrimaryApi

interface Request {
  readonly ask: Question
  readonly number: number
  readonly given?: unknown
}

interface Reply {
  readonly told: number
  readonly value?: unknown
  readonly problem?: string
}

/** The primary answers whatever worker asks. */
export function serveWorkerRequests(answers: PrimaryApi): void {
  cluster.on('message', (worker: Worker, message: Partial<Request>) => {
    const { ask, number, given } = message
    if (ask === undefined || number === undefined || !Object.hasOwn(answers, ask)) return
    const tell = (told: Reply) => worker.isConnected() && worker.send(told)
    const answer: Promise<unknown> = answers[ask](given as never)
    answer.then(
      (value) => tell({ told: number, value }),
      (error: Error) => tell({ told: number, problem: error.message }),
    )
  })
}

/** A worker's way to ask the primary. */
export function connectToPrimary(): PrimaryApi {
  const waiting = new Map<number, (told: Reply) => void>()
  let asked = 0
  process.on('message', (message: Partial<Reply>) => {
    if (message?.told === undefined) return
    waiting.get(message.told)?.(message as Reply)
    waiting.delete(message.told)
  })
  const ask = <T>(question: Question, given?: unknown) =>
    new Promise<T>((resolve, reject) => {
      asked++
      waiting.set(asked, ({ value, problem }) => {
        if (problem === undefined) resolve(value as T)
        else reject(new Error(problem))
      })
      process.send?.({ ask: question, number: asked, given } satisfies Request)
    })
  return {
    metrics: () => ask('metrics'),
    processes: () => ask('processes'),
    keeper: () => ask('keeper'),
    countPages: (deltas) => ask('countPages', deltas),
  }
}
