import { Counter, Gauge, type Registry } from 'prom-client'
import type { WebhookStore } from '../../accounts/push/webhook-store.ts'
import type { DeliveryResult } from '../../webhooks/deliverer.ts'

/** In a worker: registers how many streams of changes are open. */
export function registerStreamMetrics(registry: Registry, openStreams: () => number): void {
  new Gauge({
    name: 'marquee_open_streams',
    help: 'Open streams of changes.',
    registers: [registry],
    collect() {
      this.set(openStreams())
    },
  })
}

interface WebhookMetrics {
  /** Counts an attempt to deliver a message. */
  record(result: DeliveryResult): void
}

/** In the primary: registers the webhooks by state, the attempts to deliver, and how far deliveries are behind. */
export function registerWebhookMetrics(
  registry: Registry,
  store: Pick<WebhookStore, 'countByState'>,
  lagSeconds: () => number,
): WebhookMetrics {
  const deliveries = new Counter({
    name: 'marquee_webhook_deliveries_total',
    help: 'Attempts of this node to deliver a message to a webhook, by result.',
    labelNames: ['result'],
    registers: [registry],
  })
  for (const result of ['delivered', 'failed', 'given_up'] satisfies DeliveryResult[]) deliveries.inc({ result }, 0)
  new Gauge({
    name: 'marquee_webhooks',
    help: 'Webhooks by state; every node reports all of them.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(store.countByState())) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'marquee_webhook_lag_seconds',
    help: 'Age of the oldest commit that a webhook whose receiver works has not got yet; 0 on nodes that do not deliver.',
    registers: [registry],
    collect() {
      this.set(lagSeconds())
    },
  })
  return { record: (result) => deliveries.inc({ result }) }
}
