import { Counter, Histogram, type Registry } from 'prom-client'
import type { AnswerObserver } from './answer-observer.ts'

/** Seconds; most answers take well under a millisecond. */
const LATENCY_BUCKETS = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

const REFUSALS: readonly string[] = ['quota_exceeded', 'rate_limited']

/** Counts answers by endpoint and status, and how long they took. Nothing of keys or callers goes into labels. */
export function requestMetrics(registry: Registry): AnswerObserver {
  const requests = new Counter({
    name: 'marquee_requests_total',
    help: 'Answers of the API, by endpoint and status.',
    labelNames: ['endpoint', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'marquee_request_duration_seconds',
    help: 'Time from the arrival of a request of the API to the hand-over of its answer.',
    labelNames: ['endpoint'],
    buckets: LATENCY_BUCKETS,
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'marquee_refusals_total',
    help: 'Requests that were refused because of their plan, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  })
  return {
    answered({ endpoint, status, ms, code }) {
      requests.inc({ endpoint, status })
      durations.observe({ endpoint }, ms / 1000)
      if (code !== undefined && REFUSALS.includes(code)) refusals.inc({ reason: code })
    },
  }
}
