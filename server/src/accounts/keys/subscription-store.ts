import { AccountError } from '../store/account-error.ts'
import type { AccountStore } from '../store/account-store.ts'
import { hashSecret } from './api-key.ts'
import type { KeyRecord, KeyStore } from './key-store.ts'

/** What the marketplace says of a subscription. */
export interface SubscriptionRequest {
  /** The marketplace's own name for it. */
  readonly id: string
  readonly plan: string
  readonly name: string
  /** The key that the marketplace gave its customer; one is made if it is absent. */
  readonly key?: string | undefined
}

/** What became of a statement; `key` is there when one was made, and never again. */
export interface SubscriptionResult {
  readonly created: boolean
  readonly record: KeyRecord
  readonly key?: string
}

const VALID_SECRET = /^[\x21-\x7e]{24,200}$/

/**
 * Keys that a marketplace looks after. Whatever it says can be said again: a subscription that is as stated stays as it
 * is, and one that ended stays ended until it is stated anew.
 */
export class SubscriptionStore {
  private readonly store: AccountStore
  private readonly keys: KeyStore
  private readonly prefix: string

  constructor(ledger: AccountStore, keys: KeyStore, prefix: string) {
    this.store = ledger
    this.keys = keys
    this.prefix = prefix
  }

  /** Starts a subscription, or puts it on the stated plan and key. */
  async put(statement: SubscriptionRequest, now: number): Promise<SubscriptionResult> {
    const { id, plan, name, key } = statement
    if (key !== undefined && (!VALID_SECRET.test(key) || key.startsWith(this.prefix))) {
      const message = `The key must have 24 to 200 printable characters and must not start with "${this.prefix}"`
      throw new AccountError('key_taken', message)
    }
    return this.store.commit((writes): SubscriptionResult => {
      const getActive = this.present(id)
      if (getActive !== undefined && (key === undefined || this.hasSecret(getActive.id, key))) {
        const act = { by: 'marketplace', now } as const
        return {
          created: false,
          record: getActive.plan === plan ? getActive : this.keys.applySetPlan(writes, getActive.id, plan, act),
        }
      }
      if (getActive !== undefined) this.keys.applyRevoke(writes, getActive.id, { by: 'marketplace', now })
      if (key !== undefined) this.requireUnused(key)
      const made = this.keys.applyCreate(
        writes,
        { source: 'marketplace', plan, name, subscription: id, ...(key !== undefined && { secret: key }) },
        { by: 'marketplace', now },
      )
      writes.put('subscriptions', id, made.record.id)
      return { created: true, record: made.record, ...(key === undefined && { key: made.key }) }
    })
  }

  /** Ends a subscription and its key; undefined if there never was one. */
  async end(id: string, now: number): Promise<KeyRecord | undefined> {
    return this.store.commit((writes) => {
      const keyId = this.store.tables.subscriptions.get(id)
      return keyId === undefined ? undefined : this.keys.applyRevoke(writes, keyId, { by: 'marketplace', now })
    })
  }

  /** The key of a subscription, ended or not. */
  get(id: string): KeyRecord | undefined {
    const keyId = this.store.tables.subscriptions.get(id)
    return keyId === undefined ? undefined : this.keys.get(keyId)
  }

  private present(id: string): KeyRecord | undefined {
    const record = this.get(id)
    return record?.revokedAt === undefined ? record : undefined
  }

  private hasSecret(keyId: string, secret: string): boolean {
    return this.store.tables.keyIds.get(hashSecret(secret)) === keyId
  }

  /** A key that was used before may be used again only if it has ended. */
  private requireUnused(secret: string): void {
    const keyId = this.store.tables.keyIds.get(hashSecret(secret))
    if (keyId === undefined || this.keys.get(keyId)?.revokedAt !== undefined) return
    throw new AccountError('key_taken', 'The key belongs to another subscription')
  }
}
