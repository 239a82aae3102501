import { createHmac, randomBytes } from 'node:crypto'
import { hashSecret } from '../keys/api-key.ts'
import { AccountError, type AccountStore, type AccountTransaction, deleteExpired } from '../store/account-store.ts'
import type { StoredSession } from '../store/account-tables.ts'

/** An active session. */
export interface Session extends StoredSession {
  /** The hash of the token. */
  readonly id: string
  /** Required with every request that changes something. */
  readonly csrfToken: string
}

/** A session expires after this time without use. */
const SESSION_TTL_SECONDS = 14 * 86_400

/** The expiry is extended at most this often, so that not every request writes. */
const RENEW_INTERVAL_SECONDS = 3_600

/** The sessions of signed-in users. Only hashes of the tokens are stored. */
export class SessionStore {
  private readonly store: AccountStore

  constructor(store: AccountStore) {
    this.store = store
  }

  /** Creates a session. The token is returned here only. */
  create(
    tx: AccountTransaction,
    accountId: string,
    now: number,
  ): { readonly token: string; readonly session: Session } {
    const token = randomBytes(32).toString('base64url')
    const stored = { accountId, createdAt: now, endsAt: now + SESSION_TTL_SECONDS }
    const id = hashSecret(token)
    tx.put('sessions', id, stored)
    return { token, session: { ...stored, id, csrfToken: deriveCsrfToken(token) } }
  }

  /** Finds the session of a token and extends its expiry; undefined if it has expired. */
  async find(token: string, now: number): Promise<Session | undefined> {
    const id = hashSecret(token)
    const stored = this.store.tables.sessions.get(id)
    if (stored === undefined || stored.endsAt <= now) return undefined
    const isFresh = stored.endsAt >= now + SESSION_TTL_SECONDS - RENEW_INTERVAL_SECONDS
    const current = isFresh ? stored : await this.renew(id, now + SESSION_TTL_SECONDS).catch(keepIfUnavailable(stored))
    return current && { ...current, id, csrfToken: deriveCsrfToken(token) }
  }

  /** Deletes a session. */
  async delete(id: string): Promise<void> {
    await this.store.commit((tx) => tx.delete('sessions', id))
  }

  /** Deletes all sessions of an account but one. */
  deleteOthers(tx: AccountTransaction, accountId: string, keptId: string): void {
    for (const { key, value } of this.store.tables.sessions.getRange()) {
      if (value.accountId === accountId && key !== keptId) tx.delete('sessions', key)
    }
  }

  /** Deletes all sessions of an account within a commit. Returns how many there were. */
  deleteAll(tx: AccountTransaction, accountId: string): number {
    const ids = [...this.store.tables.sessions.getRange()].filter(({ value }) => value.accountId === accountId)
    for (const { key } of ids) tx.delete('sessions', key)
    return ids.length
  }

  /** The stored sessions of an account. */
  list(accountId: string): StoredSession[] {
    return [...this.store.tables.sessions.getRange().map(({ value }) => value)].filter(
      (session) => session.accountId === accountId,
    )
  }

  /** Deletes expired sessions. */
  async prune(now: number): Promise<void> {
    await deleteExpired(this.store, 'sessions', now)
  }

  /** Extends a session. One that was deleted while this commit waited stays deleted. */
  private renew(id: string, endsAt: number): Promise<StoredSession | undefined> {
    return this.store.commit((tx) => {
      const stored = this.store.tables.sessions.get(id)
      if (stored === undefined) return undefined
      const renewed = { ...stored, endsAt }
      tx.put('sessions', id, renewed)
      return renewed
    })
  }
}

/** While PostgreSQL is unavailable, sessions stay valid and are not extended. */
function keepIfUnavailable(stored: StoredSession) {
  return (error: unknown): StoredSession => {
    if (error instanceof AccountError && error.code === 'unavailable') return stored
    throw error
  }
}

/** An HMAC of the token: needs no storage, and does not reveal the token. */
function deriveCsrfToken(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url')
}
