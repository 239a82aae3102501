import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  AccountError,
  type AccountStore,
  type AccountTransaction,
  type AuditContext,
  type AuditLog,
} from './account-store.ts'
import type {
  AccountTables,
  DeadLetter,
  DeliveryRecord,
  SavedFeed,
  StoredWebhook,
  WebhookFilter,
  WebhookState,
} from './account-tables.ts'

/** Feeds that one account may have. */
const MAX_FEEDS = 50

const MAX_FEED_NAME_LENGTH = 100

/** A saved feed as its owner sees it. */
export interface SavedFeedRecord extends Omit<SavedFeed, 'secret'> {
  /** The part of its addresses that names and signs it. */
  readonly address: string
}

/** Filters of feeds under addresses that are signed, so that they cannot be guessed, and end when they are revoked. */
export class SavedFeeds {
  private readonly store: AccountStore
  private readonly audit: AuditLog

  constructor(store: AccountStore, audit: AuditLog) {
    this.store = store
    this.audit = audit
  }

  /** The feeds of an account, the oldest first. */
  list(accountId: string): SavedFeedRecord[] {
    return [...this.store.tables.feeds.getRange()]
      .filter(({ value }) => value.accountId === accountId)
      .map(({ value }) => toFeedRecord(value))
      .sort((a, b) => a.createdAt - b.createdAt)
  }

  /** Saves a filter; `search` is the query string of the feed, which the caller has checked. */
  async create(accountId: string, name: string, search: string, context: AuditContext): Promise<SavedFeedRecord> {
    const trimmed = name.trim()
    if (trimmed === '' || trimmed.length > MAX_FEED_NAME_LENGTH) {
      throw new AccountError('invalid_name', `A feed needs a name of 1 to ${MAX_FEED_NAME_LENGTH} characters`)
    }
    return this.store.commit((tx) => {
      if (this.list(accountId).length >= MAX_FEEDS) {
        throw new AccountError('too_many_feeds', `An account has at most ${MAX_FEEDS} feeds; delete one first`)
      }
      const id = randomBytes(9).toString('base64url')
      const secret = randomBytes(24).toString('base64url')
      const feed: SavedFeed = { id, accountId, name: trimmed, search, secret, createdAt: context.now }
      tx.put('feeds', id, feed)
      this.audit.add(tx, context, 'feed.created', id)
      return toFeedRecord(feed)
    })
  }

  /** Revokes the address of a feed. */
  async delete(accountId: string, id: string, context: AuditContext): Promise<void> {
    await this.store.commit((tx) => {
      if (this.store.tables.feeds.get(id)?.accountId !== accountId) {
        throw new AccountError('unknown_feed', `There is no feed ${id} of yours`)
      }
      tx.delete('feeds', id)
      this.audit.add(tx, context, 'feed.deleted', id)
    })
  }

  /** The feed of an address, if its signature is right and it was not revoked. */
  findByAddress(address: string): SavedFeed | undefined {
    const [id = '', signature = ''] = address.split('.', 2)
    const feed = id.length > 40 ? undefined : this.store.tables.feeds.get(id)
    if (feed === undefined) return undefined
    const owner = this.store.tables.accounts.get(feed.accountId)
    if (owner === undefined || owner.disabledAt !== undefined) return undefined
    const [given, expected] = [Buffer.from(signature), Buffer.from(signFeedId(feed))]
    return given.length === expected.length && timingSafeEqual(given, expected) ? feed : undefined
  }
}

function toFeedRecord(feed: SavedFeed): SavedFeedRecord {
  const { secret: _secret, ...record } = feed
  return { ...record, address: `${feed.id}.${signFeedId(feed)}` }
}

function signFeedId({ id, secret }: SavedFeed): string {
  return createHmac('sha256', secret).update(id).digest('base64url')
}

/** Webhooks that one account may have. */
const MAX_WEBHOOKS = 20

/** Deliveries that the log of a webhook holds; later ones replace the oldest. */
const LOG_LENGTH = 50

/** Messages that were given up and are kept for each webhook. */
const MAX_DEAD_LETTERS = 1_000

/** How long a secret that was replaced still signs. */
const ROTATION_SECONDS = 86_400

/** What an owner decides about a webhook. */
export interface WebhookChange {
  readonly name?: string | undefined
  readonly url?: string | undefined
  readonly filter?: WebhookFilter | undefined
  readonly paused?: boolean | undefined
}

/** A webhook as its owner sees it: without secrets, with its state. */
export interface WebhookRecord extends Omit<StoredWebhook, 'secret' | 'previous' | 'since' | 'revision'> {
  readonly failingSince?: number
  readonly nextAttemptAt?: number
  readonly deadLetters: number
}

/** The webhooks of accounts and of the operator, and what was delivered to them. */
export class WebhookStore {
  private readonly store: AccountStore
  private readonly audit: AuditLog

  constructor(store: AccountStore, audit: AuditLog) {
    this.store = store
    this.audit = audit
  }

  /** A number that changes with every commit to the accounts. */
  revision(): number {
    return this.store.revision()
  }

  /** All webhooks, or those of an account, the oldest first. */
  all(accountId?: string): StoredWebhook[] {
    const rows = [...this.store.tables.webhooks.getRange()].map(({ value }) => value)
    const own = accountId === undefined ? rows : rows.filter((row) => row.accountId === accountId)
    return own.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  }

  /** How many webhooks are in each state: `failing` ones are tried again, `given_up` ones failed for days and are paused. */
  countByState(): Record<'active' | 'failing' | 'given_up' | 'paused', number> {
    const counts = { active: 0, failing: 0, given_up: 0, paused: 0 }
    for (const { value } of this.store.tables.webhooks.getRange()) {
      if (value.paused !== undefined) counts[value.paused.reason === 'failing' ? 'given_up' : 'paused']++
      else counts[this.state(value.id)?.failingSince === undefined ? 'active' : 'failing']++
    }
    return counts
  }

  /** A webhook; of the account, if one is given. */
  get(id: string, accountId?: string): StoredWebhook {
    const webhook = this.store.tables.webhooks.get(id)
    if (webhook === undefined || (accountId !== undefined && webhook.accountId !== accountId)) {
      throw new AccountError(
        'unknown_webhook',
        `There is no webhook ${id}${accountId === undefined ? '' : ' of yours'}`,
      )
    }
    return webhook
  }

  describe({ secret: _, previous: __, since: ___, revision: ____, ...webhook }: StoredWebhook): WebhookRecord {
    const state = this.state(webhook.id)
    return {
      ...webhook,
      ...(state?.failingSince !== undefined && { failingSince: state.failingSince }),
      ...(state?.retry !== undefined && { nextAttemptAt: state.retry.nextAt }),
      deadLetters: this.deadLetters(webhook.id).length,
    }
  }

  /** Creates a webhook that gets what happens after a journal token. Its secret is in the result. */
  async create(
    given: Pick<StoredWebhook, 'name' | 'url' | 'filter' | 'since'> & { readonly accountId?: string | undefined },
    context: AuditContext,
  ): Promise<StoredWebhook> {
    const { accountId, name, url, filter, since } = given
    return this.store.commit((tx) => {
      if (accountId !== undefined && this.all(accountId).length >= MAX_WEBHOOKS) {
        throw new AccountError('too_many_webhooks', `An account has at most ${MAX_WEBHOOKS} webhooks; delete one first`)
      }
      const webhook: StoredWebhook = {
        id: randomBytes(9).toString('hex'),
        ...(accountId !== undefined && { accountId }),
        name,
        url,
        filter,
        secret: generateWebhookSecret(),
        createdAt: context.now,
        since,
        revision: 1,
      }
      tx.put('webhooks', webhook.id, webhook)
      this.audit.add(tx, context, 'webhook.created', webhook.id, { url: new URL(url).origin })
      return webhook
    })
  }

  /** Changes a webhook. One that goes on after a pause starts where it was. */
  async change(id: string, accountId: string | undefined, change: WebhookChange, context: AuditContext) {
    return this.update(id, accountId, (webhook, tx) => {
      this.audit.add(tx, context, 'webhook.changed', id)
      const { paused, ...rest } = webhook
      const changed = { ...rest, name: change.name ?? rest.name, url: change.url ?? rest.url }
      const filter = change.filter ?? rest.filter
      const isPaused = change.paused ?? paused !== undefined
      if (!isPaused && paused !== undefined) {
        const state = this.state(id)
        if (state !== undefined) tx.put('webhookStates', id, withoutFailure(state))
      }
      return {
        ...changed,
        filter,
        ...(isPaused && { paused: paused ?? { at: context.now, reason: 'owner' as const } }),
      }
    })
  }

  /** Replaces the secret. The old one signs beside the new one for a day. */
  async rotate(id: string, accountId: string | undefined, context: AuditContext): Promise<StoredWebhook> {
    return this.update(id, accountId, (webhook, tx) => {
      this.audit.add(tx, context, 'webhook.rotated', id)
      const previous = { secret: webhook.secret, endsAt: context.now + ROTATION_SECONDS }
      return { ...webhook, secret: generateWebhookSecret(), previous }
    })
  }

  async delete(id: string, accountId: string | undefined, context: AuditContext): Promise<void> {
    await this.store.commit((tx) => {
      this.get(id, accountId)
      deleteWebhook(this.store.tables, tx, id)
      this.audit.add(tx, context, 'webhook.deleted', id)
    })
  }

  /** Pauses a webhook whose address has failed for days. */
  async pauseFailing(id: string, now: number): Promise<void> {
    await this.update(id, undefined, (webhook) => ({ ...webhook, paused: { at: now, reason: 'failing' } }))
  }

  state(id: string): WebhookState | undefined {
    return this.store.tables.webhookStates.get(id)
  }

  /** The latest deliveries, the newest first. */
  log(id: string): DeliveryRecord[] {
    const rows = [...this.store.tables.webhookLog.getRange({ start: `${id}/`, end: `${id}0` })].map(
      ({ value }) => value,
    )
    return rows.sort((a, b) => (b.number ?? 0) - (a.number ?? 0))
  }

  /** Messages that were given up, the oldest first. */
  deadLetters(id: string): DeadLetter[] {
    const rows = [...this.store.tables.deadLetters.getRange({ start: `${id}/`, end: `${id}0` })].map(
      ({ value }) => value,
    )
    return rows.sort((a, b) => a.at - b.at)
  }

  /** Marks dead letters to be delivered again: one of them, or all. Returns how many. */
  async replay(id: string, accountId: string | undefined, messageId?: string): Promise<number> {
    return this.store.commit((tx) => {
      const webhook = this.get(id, accountId)
      const letters = this.deadLetters(id).filter((letter) => messageId === undefined || letter.id === messageId)
      for (const letter of letters) tx.put('deadLetters', `${id}/${letter.id}`, { ...letter, replay: true })
      if (letters.length > 0) tx.put('webhooks', id, { ...webhook, revision: webhook.revision + 1 })
      return letters.length
    })
  }

  /** Stores what deliveries have led to, of many webhooks in one commit. Those of deleted webhooks are dropped. */
  async saveProgress(progress: readonly WebhookProgress[]): Promise<void> {
    await this.store.commit((tx) => {
      for (const { id, state, log, given, delivered } of progress) {
        if (this.store.tables.webhooks.get(id) === undefined) continue
        tx.put('webhookStates', id, state)
        for (const [number, record] of log) tx.put('webhookLog', `${id}/${number % LOG_LENGTH}`, record)
        const room = MAX_DEAD_LETTERS - given.length
        const dropped = given.length === 0 ? [] : this.deadLetters(id).slice(0, -room)
        for (const letter of dropped) tx.delete('deadLetters', `${id}/${letter.id}`)
        for (const letter of given) tx.put('deadLetters', `${id}/${letter.id}`, letter)
        for (const letter of delivered) tx.delete('deadLetters', `${id}/${letter}`)
      }
    })
  }

  private async update(
    id: string,
    accountId: string | undefined,
    make: (webhook: StoredWebhook, tx: AccountTransaction) => StoredWebhook,
  ): Promise<StoredWebhook> {
    return this.store.commit((tx) => {
      const webhook = this.get(id, accountId)
      const changed = { ...make(webhook, tx), revision: webhook.revision + 1 }
      tx.put('webhooks', id, changed)
      return changed
    })
  }
}

/** What deliveries to one webhook have led to since it was last stored. */
export interface WebhookProgress {
  readonly id: string
  readonly state: WebhookState
  readonly log: readonly (readonly [number: number, record: DeliveryRecord])[]
  /** Messages that were given up. */
  readonly given: readonly DeadLetter[]
  /** The ids of dead letters that were delivered after all. */
  readonly delivered: readonly string[]
}

/** Deletes a webhook with its state, log and dead letters. */
export function deleteWebhook(tables: AccountTables, tx: AccountTransaction, id: string): void {
  tx.delete('webhooks', id)
  tx.delete('webhookStates', id)
  for (const table of ['webhookLog', 'deadLetters'] as const) {
    for (const key of [...tables[table].getKeys({ start: `${id}/`, end: `${id}0` })]) tx.delete(table, key)
  }
}

/** The state as if nothing had failed. */
function withoutFailure({ retry: _retry, failingSince: _since, ...state }: WebhookState): WebhookState {
  return state
}

function generateWebhookSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}
