import type { DeadLetter, DeliveryRecord, StoredWebhook, WebhookState } from '../accounts/store/account-tables.ts'
import type { WebhookProgress, WebhookStore } from '../accounts/store/push-store.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { backoffMs } from '../lib/backoff.ts'
import type { MeteredCache } from '../lib/cache.ts'
import type { Clock } from '../lib/clock.ts'
import { SECONDS_PER_DAY } from '../model/time.ts'
import { currentToken, isAhead, nextVersion, TokenExpiredError } from '../query/changes/journal-token.ts'
import type { CatalogQueryEngine } from '../render/catalog-query-engine.ts'
import { type Batch, BatchReader, Pacer } from './batch-reader.ts'
import { FilterIndex } from './filter-index.ts'
import { messageBody, messageHeaders, type SendMessage, type WebhookMessage } from './send-message.ts'

/** How often it looks for commits, changed webhooks and due retries. */
const POLL_MS = 250

/** How often positions are stored: each time waits for the disk, and has the processes read the accounts again. */
const FLUSH_MS = 1_000

/** Messages that are made or sent at a time. Each webhook has one. */
const MAX_MESSAGES = 64

/** Deliveries that lag behind by more than this take no rests. */
const MAX_PACED_LAG_SECONDS = 20

/** The delays between attempts: 5 seconds at first, at most two hours. */
const RETRY_BACKOFF = { firstMs: 5_000, maxMs: 7_200_000, jitter: 0.2 }

/** How long a message is tried before it is given up. */
const MAX_RETRY_SECONDS = SECONDS_PER_DAY

/** How long an address may fail before its webhook is paused. */
const MAX_FAILING_SECONDS = 5 * SECONDS_PER_DAY

const MAX_LOG_RECORDS = 50

/** What became of an attempt: a message that failed is tried again, one that is given up is not. */
export type DeliveryResult = 'delivered' | 'failed' | 'given_up'

interface DelivererOptions {
  readonly catalog: Catalog
  readonly engine: Pick<CatalogQueryEngine, 'printChanges'>
  readonly store: WebhookStore
  readonly clock: Clock
  readonly send: SendMessage
  /** Whether the catalog follows a log, and so may be behind positions that another node has stored. */
  readonly isReplica?: boolean
  /** Called when a webhook was paused because its address failed for days. */
  readonly onPaused?: (webhook: StoredWebhook) => void
  /** Called after each attempt. */
  readonly onResult?: (result: DeliveryResult) => void
  readonly onError?: (error: unknown) => void
  /** For the jitter of retries. */
  readonly random?: () => number
}

/** A webhook that is being delivered to, with what is not stored yet. */
interface Subscription {
  webhook: StoredWebhook
  /** Its number in the index. */
  number: number
  state: WebhookState
  letters: DeadLetter[]
  log: (readonly [number, DeliveryRecord])[]
  given: DeadLetter[]
  delivered: string[]
  isDirty: boolean
  /** The catalog version up to which it has nothing to deliver. */
  seenVersion: number
  running: Promise<void> | undefined
}

/** A message that is due, and the states before and after it. */
interface DueMessage {
  readonly batch: Batch
  readonly message: WebhookMessage
  /** The dead letter that it is sent for. */
  readonly letter: DeadLetter | undefined
}

/**
 * Delivers the changes of the journal to webhooks: to each in order, one message at a time, at least once. Positions are
 * stored once a second for all webhooks together. A process that is killed before loses the last of them, and the
 * next one delivers those messages again, with the same ids, since batches are made by the position alone.
 */
export class WebhookDeliverer {
  private readonly options: DelivererOptions
  private readonly subscriptions = new Map<string, Subscription>()
  private reader: BatchReader
  private names = ''
  private seenRevision = -1
  private readonly pacer = new Pacer()
  private messages = 0
  private readonly waiting: (() => void)[] = []
  private timer: NodeJS.Timeout | undefined
  private flushedAt = Number.NEGATIVE_INFINITY
  private isStopping = false
  private isAbandoned = false
  private flushing: Promise<void> = Promise.resolve()

  constructor(options: DelivererOptions) {
    this.options = options
    this.reader = new BatchReader(options.catalog, new FilterIndex([]), this.pacer)
  }

  start(): void {
    this.timer = setInterval(() => void this.poll(performance.now() - this.flushedAt >= FLUSH_MS), POLL_MS)
  }

  /** Stops at once and stores nothing more: another node delivers now, from the positions that are stored. */
  abandon(): void {
    this.isStopping = true
    this.isAbandoned = true
    clearInterval(this.timer)
  }

  /** Stops after the requests that are under way, and stores the positions. */
  async stop(): Promise<void> {
    this.isStopping = true
    clearInterval(this.timer)
    await Promise.all([...this.subscriptions.values()].map(({ running }) => running))
    await this.flush()
  }

  /** Starts whatever is due, and stores what is done if it is time to. */
  async poll(flushes = true): Promise<void> {
    try {
      this.load()
      const now = this.options.clock()
      const version = this.options.catalog.version()
      this.pacer.isHurried = this.lagSeconds() > MAX_PACED_LAG_SECONDS
      for (const subscription of this.subscriptions.values()) this.startIfDue(subscription, version, now)
      if (flushes) await this.flush()
    } catch (error) {
      this.options.onError?.(error)
    }
  }

  /** Delivers until nothing is due any more. */
  async drain(): Promise<void> {
    for (;;) {
      await this.poll()
      const running = [...this.subscriptions.values()].flatMap(({ running }) => running ?? [])
      if (running.length === 0) return
      await Promise.all(running)
    }
  }

  /** The age of the oldest commit that a webhook has not got yet, but for those whose receiver fails; 0 if there is none. */
  lagSeconds(): number {
    const { catalog, clock } = this.options
    const version = catalog.version()
    let oldest = Number.POSITIVE_INFINITY
    for (const { webhook, state } of this.subscriptions.values()) {
      const isWaiting = webhook.paused !== undefined || state.failingSince !== undefined
      if (!isWaiting) oldest = Math.min(oldest, nextVersion(state.position))
    }
    if (oldest > version) return 0
    return Math.max(0, clock() - (catalog.journal.find(oldest)?.at ?? clock()))
  }

  caches(): readonly MeteredCache[] {
    return this.reader.caches()
  }

  /** Reads the webhooks again if the accounts have changed. */
  private load(): void {
    const { store } = this.options
    const revision = store.revision()
    if (revision === this.seenRevision) return
    this.seenRevision = revision
    const webhooks = store.all()
    const names = webhooks.map((webhook) => `${webhook.id} ${webhook.revision}`).join()
    if (names === this.names) return
    this.names = names
    this.reader = new BatchReader(this.options.catalog, new FilterIndex(webhooks), this.pacer)
    const known = new Set<string>()
    webhooks.forEach((webhook, number) => {
      known.add(webhook.id)
      const subscription = this.subscriptions.get(webhook.id)
      if (subscription === undefined) this.subscriptions.set(webhook.id, this.subscribe(webhook, number))
      else {
        const goesOn = subscription.webhook.paused !== undefined && webhook.paused === undefined
        if (goesOn) subscription.state = store.state(webhook.id) ?? subscription.state
        Object.assign(subscription, { webhook, number, seenVersion: -1, letters: this.replayed(webhook.id) })
      }
    })
    for (const id of this.subscriptions.keys()) if (!known.has(id)) this.subscriptions.delete(id)
  }

  private subscribe(webhook: StoredWebhook, number: number): Subscription {
    const initial = { position: webhook.since, expiringUntil: webhook.createdAt, deliveries: 0 }
    const state = this.options.store.state(webhook.id) ?? initial
    const letters = this.replayed(webhook.id)
    const pending = { log: [], given: [], delivered: [], isDirty: false }
    return { webhook, number, state, letters, ...pending, seenVersion: -1, running: undefined }
  }

  private replayed(id: string): DeadLetter[] {
    return this.options.store.deadLetters(id).filter(({ replay }) => replay === true)
  }

  private startIfDue(subscription: Subscription, version: number, now: number): void {
    const { webhook, state, seenVersion, running, letters } = subscription
    if (running !== undefined || webhook.paused !== undefined || this.isStopping) return
    if (state.retry !== undefined && state.retry.nextAt > now) return
    const isDue =
      state.retry !== undefined ||
      letters.length > 0 ||
      seenVersion !== version ||
      (webhook.filter.changeTypes.includes('expiring') && this.reader.nextExpiring(webhook, state, now) !== undefined)
    if (!isDue) return
    subscription.running = this.deliver(subscription)
      .catch((error: unknown) => this.options.onError?.(error))
      .finally(() => {
        subscription.running = undefined
      })
  }

  /** Delivers message after message, until there is none or one fails. */
  private async deliver(subscription: Subscription): Promise<void> {
    let goesOn = true
    while (goesOn) {
      await this.acquire()
      try {
        await this.pacer.waitForTurn()
        goesOn = !this.isStopping && this.isActive(subscription) && (await this.deliverNext(subscription))
      } finally {
        this.release()
      }
    }
  }

  /** Delivers one message; returns whether deliveries go on. */
  private async deliverNext(subscription: Subscription): Promise<boolean> {
    const version = this.options.catalog.version()
    const due = await this.nextMessage(subscription)
    if (due !== undefined) return this.attempt(subscription, due)
    subscription.seenVersion = version
    return false
  }

  private isActive({ webhook }: Subscription): boolean {
    const current = this.subscriptions.get(webhook.id)?.webhook
    return current !== undefined && current.paused === undefined
  }

  private async nextMessage(subscription: Subscription): Promise<DueMessage | undefined> {
    const { webhook, state, letters } = subscription
    const [letter] = letters
    const now = this.options.clock()
    const from = letter === undefined ? state : { ...state, ...letter.from }
    // A dead letter knows which kind it is of by where it begins.
    const isExpiringLetter = letter !== undefined && /_x[0-9a-f]+$/.test(letter.id)
    let batch: Batch | undefined
    try {
      if (!isExpiringLetter) batch = await this.reader.nextPast(webhook, subscription.number, from)
    } catch (error) {
      if (!(error instanceof TokenExpiredError)) throw error
      // The leader before this one had applied more of the log: wait for the catalog.
      if (this.options.isReplica === true && isAhead(this.options.catalog, from.position)) return undefined
      this.skipExpired(subscription, letter, error)
      return this.nextMessage(subscription)
    }
    if (batch !== undefined && batch.changes.length === 0 && letter === undefined) {
      if (batch.after.position !== state.position) this.advance(subscription, batch.after)
      batch = undefined
    }
    if (letter !== undefined && batch?.changes.length === 0) {
      // The filter has changed since, and the message would be empty.
      this.finishLetter(subscription, letter)
      return this.nextMessage(subscription)
    }
    if (batch === undefined) batch = await this.nextExpiring(subscription, from, letter, now)
    if (batch === undefined) return undefined
    const { filter } = webhook
    const data = `{"webhook":"${webhook.id}","country":"${filter.country}",${this.options.engine.printChanges(batch.changes, filter, now)}}`
    const body = messageBody(batch.type, batch.at, data)
    const id = letter?.id ?? `msg_${webhook.id}_${batch.tag}`
    return { batch, letter, message: { id, body, changes: batch.changes.length } }
  }

  /** The next windows that end within the lead time. A span without any is passed over. */
  private async nextExpiring(
    subscription: Subscription,
    from: WebhookState,
    letter: DeadLetter | undefined,
    now: number,
  ): Promise<Batch | undefined> {
    const { webhook } = subscription
    let state = from
    for (;;) {
      const batch = this.reader.nextExpiring(webhook, state, now)
      if (batch === undefined || letter !== undefined) return batch
      if (batch.changes.length > 0) {
        if (state.expiringSpan === undefined) {
          const to = now + webhook.filter.leadDays * SECONDS_PER_DAY
          this.advance(subscription, { ...state, expiringSpan: { to, cursor: '' } })
          await this.flush()
        }
        return batch
      }
      this.advance(subscription, batch.after)
      state = subscription.state
    }
  }

  /** What was to be delivered is no longer kept: the log says so, and it goes on from now. */
  private skipExpired(subscription: Subscription, letter: DeadLetter | undefined, { message }: Error): void {
    const { catalog, clock } = this.options
    const id = letter?.id ?? `msg_${subscription.webhook.id}_expired`
    this.record(subscription, { id, at: clock(), changes: 0, attempt: 1, ms: 0, error: message })
    if (letter === undefined) this.advance(subscription, { ...subscription.state, position: currentToken(catalog) })
    else this.finishLetter(subscription, letter)
  }

  /** Sends a message once; returns whether deliveries go on. */
  private async attempt(subscription: Subscription, due: DueMessage): Promise<boolean> {
    const { clock, send } = this.options
    const { webhook, state } = subscription
    const { batch, message, letter } = due
    const { id, body, changes } = message
    const attempts = (state.retry?.id === id ? state.retry.attempts : 0) + 1
    const at = clock()
    const startedAt = performance.now()
    const { status, answer, error } = await send(webhook.url, messageHeaders(message, webhook, at), body)
    const ms = Math.round(performance.now() - startedAt)
    const isDelivered = status !== undefined && status >= 200 && status < 300
    this.record(subscription, {
      id,
      at,
      changes,
      attempt: attempts,
      ms,
      ...(status !== undefined && { status }),
      ...(answer !== undefined && answer !== '' && { answer }),
      ...(error !== undefined && { error }),
    })
    if (isDelivered) {
      this.options.onResult?.('delivered')
      const { retry: _retry, failingSince: _since, ...rest } = subscription.state
      if (letter === undefined) this.advance(subscription, { ...batch.after, deliveries: rest.deliveries }, true)
      else {
        this.finishLetter(subscription, letter)
        this.advance(subscription, rest)
      }
      return true
    }
    const reason = error ?? `The answer was ${status}`
    if (letter !== undefined) {
      // It stays a dead letter.
      this.options.onResult?.('given_up')
      subscription.letters = subscription.letters.filter(({ id: other }) => other !== letter.id)
      subscription.given.push({ ...letter, error: reason, replay: false })
      subscription.isDirty = true
      return false
    }
    await this.postpone(subscription, due, attempts, reason)
    return false
  }

  /** Plans the next attempt of a message, or gives it up after a day. Pauses a webhook that has failed for days. */
  private async postpone(subscription: Subscription, due: DueMessage, attempts: number, reason: string): Promise<void> {
    const { clock, random = Math.random, store, onPaused } = this.options
    const { state, webhook } = subscription
    const { id, changes } = due.message
    const now = clock()
    const firstAt = state.retry?.id === id ? state.retry.firstAt : now
    const failingSince = state.failingSince ?? now
    const isLast = now - firstAt >= MAX_RETRY_SECONDS
    this.options.onResult?.(isLast ? 'given_up' : 'failed')
    if (isLast) {
      const { position, expiringUntil, expiringSpan } = state
      const from = { position, expiringUntil, ...(expiringSpan !== undefined && { expiringSpan }) }
      subscription.given.push({ id, webhookId: webhook.id, at: now, changes, error: reason, from })
      const { retry: _retry, ...after } = due.batch.after
      this.advance(subscription, { ...after, deliveries: subscription.state.deliveries, failingSince })
    } else {
      const nextAt = now + Math.max(1, Math.round(backoffMs(attempts, RETRY_BACKOFF, random) / 1000))
      this.advance(subscription, { ...subscription.state, retry: { id, attempts, firstAt, nextAt }, failingSince })
    }
    if (now - failingSince < MAX_FAILING_SECONDS || this.isAbandoned) return
    await this.flush()
    await store.pauseFailing(webhook.id, now)
    subscription.webhook = { ...webhook, paused: { at: now, reason: 'failing' } }
    onPaused?.(webhook)
  }

  private advance(subscription: Subscription, state: WebhookState, isSuccess = false): void {
    if (isSuccess) {
      const { retry: _retry, failingSince: _since, ...rest } = state
      subscription.state = rest
    } else subscription.state = state
    subscription.isDirty = true
  }

  private record(subscription: Subscription, record: DeliveryRecord): void {
    const { state } = subscription
    subscription.log = [
      ...subscription.log,
      [state.deliveries, { number: state.deliveries, ...record }] as const,
    ].slice(-MAX_LOG_RECORDS)
    subscription.state = { ...state, deliveries: state.deliveries + 1 }
    subscription.isDirty = true
  }

  private finishLetter(subscription: Subscription, letter: DeadLetter): void {
    subscription.letters = subscription.letters.filter(({ id }) => id !== letter.id)
    subscription.delivered.push(letter.id)
    subscription.isDirty = true
  }

  private async acquire(): Promise<void> {
    if (this.messages >= MAX_MESSAGES) await new Promise<void>((resolve) => this.waiting.push(resolve))
    this.messages++
  }

  private release(): void {
    this.messages--
    this.waiting.shift()?.()
  }

  /** Stores the progress of all webhooks in one commit. What cannot be stored is kept for the next time. */
  private flush(): Promise<void> {
    this.flushing = this.flushing.then(async () => {
      const dirty = [...this.subscriptions.values()].filter(({ isDirty }) => isDirty)
      if (dirty.length === 0 || this.isAbandoned) return
      this.flushedAt = performance.now()
      const progress: WebhookProgress[] = dirty.map(({ webhook, state, log, given, delivered }) => {
        return { id: webhook.id, state, log, given, delivered }
      })
      for (const subscription of dirty) {
        Object.assign(subscription, { log: [], given: [], delivered: [], isDirty: false })
      }
      try {
        await this.options.store.saveProgress(progress)
      } catch (error) {
        this.options.onError?.(error)
        dirty.forEach((subscription, i) => {
          const { log, given, delivered } = progress[i] as WebhookProgress
          subscription.log = [...log, ...subscription.log].slice(-MAX_LOG_RECORDS)
          subscription.given = [...given, ...subscription.given]
          subscription.delivered = [...delivered, ...subscription.delivered]
          subscription.isDirty = true
        })
      }
    })
    return this.flushing
  }
}
