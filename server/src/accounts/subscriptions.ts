import type { AccountLedger } from './account-ledger.ts'
import { AccountProblem } from './account-problem.ts'
import type { KeyRecord, KeyStore } from './key-store.ts'
import { hashSecret } from './secret-hash.ts'

/** What the marketplace says of a subscription. */
export interface SubscriptionStatement {
  /** The marketplace's own name for it. */
  readonly id: string
  readonly plan: string
  readonly name: string
  /** The key that the marketplace gave its customer; one is made if it is absent. */
  readonly key?: string | undefined
}

/** What became of a statement; `key` is there when one was made, and never again. */
export interface Subscribed {
  readonly created: boolean
  readonly record: KeyRecord
  readonly key?: string
}

const SUITABLE_KEY = /^[\x21-\x7e]{24,200}$/

/**
 * Keys that a marketplace looks after. Whatever it says can be said again: a subscription that is as stated stays as it
 * is, and one that ended stays ended until it is stated anew.
 */
export class Subscriptions {
  private readonly ledger: AccountLedger
  private readonly keys: KeyStore
  private readonly prefix: string

  constructor(ledger: AccountLedger, keys: KeyStore, prefix: string) {
    this.ledger = ledger
    this.keys = keys
    this.prefix = prefix
  }

  /** Starts a subscription, or puts it on the stated plan and key. */
  async put(statement: SubscriptionStatement, now: number): Promise<Subscribed> {
    const { id, plan, name, key } = statement
    if (key !== undefined && (!SUITABLE_KEY.test(key) || key.startsWith(this.prefix))) {
      const message = `The key must have 24 to 200 printable characters and must not start with "${this.prefix}"`
      throw new AccountProblem('key_taken', message)
    }
    return this.ledger.commit((writes): Subscribed => {
      const present = this.present(id)
      if (present !== undefined && (key === undefined || this.isKeyOf(present.id, key))) {
        const act = { by: 'marketplace', now } as const
        return {
          created: false,
          record: present.plan === plan ? present : this.keys.putOnPlan(writes, present.id, plan, act),
        }
      }
      if (present !== undefined) this.keys.end(writes, present.id, { by: 'marketplace', now })
      if (key !== undefined) this.release(key)
      const made = this.keys.add(
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
    return this.ledger.commit((writes) => {
      const keyId = this.ledger.tables.subscriptions.get(id)
      return keyId === undefined ? undefined : this.keys.end(writes, keyId, { by: 'marketplace', now })
    })
  }

  /** The key of a subscription, ended or not. */
  get(id: string): KeyRecord | undefined {
    const keyId = this.ledger.tables.subscriptions.get(id)
    return keyId === undefined ? undefined : this.keys.get(keyId)
  }

  private present(id: string): KeyRecord | undefined {
    const record = this.get(id)
    return record?.revokedAt === undefined ? record : undefined
  }

  private isKeyOf(keyId: string, secret: string): boolean {
    return this.ledger.tables.keyIds.get(hashSecret(secret)) === keyId
  }

  /** A key that was used before may be used again only if it has ended. */
  private release(secret: string): void {
    const keyId = this.ledger.tables.keyIds.get(hashSecret(secret))
    if (keyId === undefined || this.keys.get(keyId)?.revokedAt !== undefined) return
    throw new AccountProblem('key_taken', 'The key belongs to another subscription')
  }
}
