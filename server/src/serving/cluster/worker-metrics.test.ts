import { EventEmitter } from 'node:events'
import { Counter, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { gatherMetrics } from '../metrics/service-metrics.ts'
import type { MetricsRequest, WorkerSnapshot } from './messages.ts'
import { askWorkers } from './worker-metrics.ts'

/** The channel to a worker with a counter; a silent one takes messages and answers nothing. */
class Channel extends EventEmitter {
  readonly id: number
  readonly registry = new Registry()
  private readonly isSilent: boolean

  constructor(isSilent: boolean, id = 0) {
    super()
    this.id = id
    this.isSilent = isSilent
    new Counter({ name: 'requests_total', help: 'Requests.', registers: [this.registry] }).inc(2)
  }

  isConnected(): boolean {
    return true
  }

  async send({ id }: MetricsRequest): Promise<void> {
    if (this.isSilent) return
    this.emit('message', { type: 'metrics', id, metrics: await this.registry.getMetricsAsJSON() })
  }
}

it('adds up the metrics of the workers that answer, and counts the silent ones', async () => {
  const channels = [new Channel(false), new Channel(true), new Channel(false)]
  const shared = new Channel(false).registry
  const text = await gatherMetrics(
    new Registry(),
    () => askWorkers(undefined, { workers: channels, timeoutMs: 20 }),
    shared,
  )()
  // Two workers, and the primary.
  expect(text).toContain('requests_total 6')
  expect(text).toContain('marquee_silent_workers 1')
  expect(channels.map((channel) => channel.listenerCount('message'))).toEqual([0, 0, 0])
})

it('does not ask the worker whose metrics came with the call', async () => {
  const caller = new Channel(true, 1)
  const ask = (snapshot: WorkerSnapshot) =>
    askWorkers(snapshot, { workers: [caller, new Channel(false, 2)], timeoutMs: 20 })
  const text = await gatherMetrics(
    new Registry(),
    ask,
  )({ workerId: 1, metrics: await caller.registry.getMetricsAsJSON() })
  expect(text).toContain('requests_total 4')
  expect(text).toContain('marquee_silent_workers 0')
})
