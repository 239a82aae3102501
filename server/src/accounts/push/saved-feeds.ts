import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { AccountError } from '../store/account-error.ts'
import type { AccountStore } from '../store/account-store.ts'
import type { SavedFeed } from '../store/account-tables.ts'
import type { AuditContext, AuditLog } from '../store/audit-log.ts'

/** Feeds that one account may have. */
const MAX_FEEDS = 50

const MAX_NAME_LENGTH = 100

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
      .map(({ value }) => toRecord(value))
      .sort((a, b) => a.createdAt - b.createdAt)
  }

  /** Saves a filter; `search` is the query string of the feed, which the caller has checked. */
  async create(accountId: string, name: string, search: string, context: AuditContext): Promise<SavedFeedRecord> {
    const trimmed = name.trim()
    if (trimmed === '' || trimmed.length > MAX_NAME_LENGTH) {
      throw new AccountError('invalid_name', `A feed needs a name of 1 to ${MAX_NAME_LENGTH} characters`)
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
      return toRecord(feed)
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
    const [given, expected] = [Buffer.from(signature), Buffer.from(sign(feed))]
    return given.length === expected.length && timingSafeEqual(given, expected) ? feed : undefined
  }
}

function toRecord(feed: SavedFeed): SavedFeedRecord {
  const { secret: _secret, ...record } = feed
  return { ...record, address: `${feed.id}.${sign(feed)}` }
}

function sign({ id, secret }: SavedFeed): string {
  return createHmac('sha256', secret).update(id).digest('base64url')
}
