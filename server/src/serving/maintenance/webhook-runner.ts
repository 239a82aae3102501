import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { WebhookStore } from '../../accounts/store/push-store.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Settings } from '../../config.ts'
import type { MeteredCache } from '../../lib/cache.ts'
import { systemClock } from '../../lib/clock.ts'
import { CatalogQueryEngine } from '../../render/catalog-query-engine.ts'
import { WebhookDeliverer } from '../../webhooks/deliverer.ts'
import { createSender } from '../../webhooks/send-message.ts'
import { registerWebhookMetrics } from '../metrics/service-metrics.ts'
import { logOncePerMinute } from '../startup/process-lifecycle.ts'
import type { NotifyOperator } from './operator-notifier.ts'

/** How often it looks whether this node leads, and whether the catalog was replaced. */
const CHECK_MS = 250

/** What decides whether and from where this node delivers. */
export interface DeliveryState {
  /** The present catalog. */
  readonly catalog: Catalog
  /** Whether this node is the leader. */
  readonly leads: boolean
  /** Whether the catalog is a replica, which may be behind the log. */
  readonly isReplica: boolean
}

interface WebhookRunnerOptions {
  readonly store: WebhookStore
  /** Brings the store up to date with what other nodes have stored. */
  readonly refresh: () => Promise<void>
  readonly settings: Pick<Settings, 'privateWebhooks'>
  readonly delivery: () => DeliveryState
  readonly logger: Logger
  readonly notify: NotifyOperator
  readonly registry: Registry
}

/** Delivers to webhooks while this node is the leader: the same leadership as that of the window scheduler. */
export class WebhookRunner {
  private readonly options: WebhookRunnerOptions
  private current: { readonly catalog: Catalog; readonly deliverer: WebhookDeliverer } | undefined
  private timer: NodeJS.Timeout | undefined
  private checking: Promise<void> = Promise.resolve()
  private readonly logFailure: (error: unknown) => void
  private readonly metrics: ReturnType<typeof registerWebhookMetrics>

  constructor(options: WebhookRunnerOptions) {
    this.options = options
    this.metrics = registerWebhookMetrics(
      options.registry,
      options.store,
      () => this.current?.deliverer.lagSeconds() ?? 0,
    )
    this.logFailure = logOncePerMinute((fields) =>
      options.logger.error({ event: 'webhooks_failed', ...fields }, 'the state of webhooks cannot be read or stored'),
    )
  }

  start(): void {
    this.timer = setInterval(() => {
      this.checking = this.checking.then(() => this.check()).catch(this.logFailure)
    }, CHECK_MS)
  }

  caches(): readonly MeteredCache[] {
    return this.current?.deliverer.caches() ?? []
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.checking
    await this.current?.deliverer.stop()
    this.current = undefined
  }

  private async check(): Promise<void> {
    const { delivery, refresh } = this.options
    const { catalog, leads } = delivery()
    if (this.current !== undefined && !leads) {
      this.current.deliverer.abandon()
      this.current = undefined
    }
    if (this.current !== undefined && this.current.catalog !== catalog) {
      await this.current.deliverer.stop()
      this.current = undefined
    }
    if (!leads || this.current !== undefined || catalog.version() === 0) return
    // From the positions that the last leader stored, not from those that this node happens to have.
    await refresh()
    const now = delivery()
    if (!now.leads || now.catalog !== catalog) return
    const deliverer = this.createDeliverer(now)
    this.current = { catalog, deliverer }
    deliverer.start()
  }

  private createDeliverer({ catalog, isReplica }: DeliveryState): WebhookDeliverer {
    const { store, settings, logger, notify } = this.options
    return new WebhookDeliverer({
      catalog,
      isReplica,
      engine: new CatalogQueryEngine(catalog, { maxShowBytes: 16 * 1024 * 1024 }),
      store,
      clock: systemClock,
      send: createSender({ allowPrivate: settings.privateWebhooks === 'allow' }),
      onError: this.logFailure,
      onResult: this.metrics.record,
      onPaused: ({ id, name }) => {
        logger.warn({ event: 'webhook_paused', webhook: id }, 'a webhook is paused: its address failed for five days')
        notify('webhook_paused', `The webhook ${id} (${name}) is paused: its address failed for five days.`)
      },
    })
  }
}
