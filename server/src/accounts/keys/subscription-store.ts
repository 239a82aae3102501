import { AccountError, type AccountStore } from '../store/account-store.ts'
import { hashSecret } from './api-key.ts'
import type { KeyRecord, KeyStore } from './key-store.ts'

/** A subscription as the marketplace requests it. */
interface SubscriptionRequest {
  /** The marketplace's id of the subscription. */
  readonly id: string
  readonly plan: string
  readonly name: string
  /** The secret that the marketplace gave its customer; one is generated if it is absent. */
  readonly key?: string | undefined
}

/** The key of a subscription. `key` is the secret; it is active only when it was generated now. */
interface SubscriptionResult {
  readonly created: boolean
  readonly record: KeyRecord
  readonly key?: string
}

const VALID_SECRET = /^[\x21-\x7e]{24,200}$/

/** The keys that a marketplace manages. Requests are idempotent: repeating one changes nothing. */
export class SubscriptionStore {
  private readonly store: AccountStore
  private readonly keys: KeyStore
  private readonly prefix: string

  constructor(store: AccountStore, keys: KeyStore, prefix: string) {
    this.store = store
    this.keys = keys
    this.prefix = prefix
  }

  /** Creates a subscription, or sets its plan and key. */
  async put(request: SubscriptionRequest, now: number): Promise<SubscriptionResult> {
    const { id, plan, name, key } = request
    if (key !== undefined && (!VALID_SECRET.test(key) || key.startsWith(this.prefix))) {
      const message = `The key must have 24 to 200 printable characters and must not start with "${this.prefix}"`
      throw new AccountError('key_taken', message)
    }
    return this.store.commit((tx): SubscriptionResult => {
      const active = this.getActive(id)
      if (active !== undefined && (key === undefined || this.hasSecret(active.id, key))) {
        const context = { by: 'marketplace', now } as const
        return {
          created: false,
          record: active.plan === plan ? active : this.keys.applySetPlan(tx, active.id, plan, context),
        }
      }
      if (active !== undefined) this.keys.applyRevoke(tx, active.id, { by: 'marketplace', now })
      if (key !== undefined) this.requireUnused(key)
      const created = this.keys.applyCreate(
        tx,
        { source: 'marketplace', plan, name, subscription: id, ...(key !== undefined && { secret: key }) },
        { by: 'marketplace', now },
      )
      tx.put('subscriptions', id, created.record.id)
      return { created: true, record: created.record, ...(key === undefined && { key: created.key }) }
    })
  }

  /** Ends a subscription and revokes its key; undefined if there is no such subscription. */
  async end(id: string, now: number): Promise<KeyRecord | undefined> {
    return this.store.commit((tx) => {
      const keyId = this.store.tables.subscriptions.get(id)
      return keyId === undefined ? undefined : this.keys.applyRevoke(tx, keyId, { by: 'marketplace', now })
    })
  }

  /** The key of a subscription, revoked or not. */
  get(id: string): KeyRecord | undefined {
    const keyId = this.store.tables.subscriptions.get(id)
    return keyId === undefined ? undefined : this.keys.get(keyId)
  }

  private getActive(id: string): KeyRecord | undefined {
    const record = this.get(id)
    return record?.revokedAt === undefined ? record : undefined
  }

  private hasSecret(keyId: string, secret: string): boolean {
    return this.store.tables.keyIds.get(hashSecret(secret)) === keyId
  }

  /** Throws if an active key of another subscription has this secret. A revoked key's secret may be reused. */
  private requireUnused(secret: string): void {
    const keyId = this.store.tables.keyIds.get(hashSecret(secret))
    if (keyId === undefined || this.keys.get(keyId)?.revokedAt !== undefined) return
    throw new AccountError('key_taken', 'The key belongs to another subscription')
  }
}
