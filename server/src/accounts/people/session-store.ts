import { createHmac, randomBytes } from 'node:crypto'
import { hashSecret } from '../keys/api-key.ts'
import { AccountError } from '../store/account-error.ts'
import { type AccountStore, type AccountTransaction, deleteExpired } from '../store/account-store.ts'

/** A session, stored under the hash of its token. */
export interface StoredSession {
  readonly accountId: string
  readonly createdAt: number
  readonly endsAt: number
}

/** A session that is under way. */
export interface Session extends StoredSession {
  /** Names the session without giving it away. */
  readonly id: string
  /** Has to come back with everything that changes something. */
  readonly csrfToken: string
}

/** A session ends when it was not used for so long. */
const SESSION_TTL_SECONDS = 14 * 86_400

/** The end is put off at most so often, so that reading does not mean writing. */
const RENEW_INTERVAL_SECONDS = 3_600

/** Who is signed in. Only hashes of the tokens are kept. */
export class SessionStore {
  private readonly store: AccountStore

  constructor(ledger: AccountStore) {
    this.store = ledger
  }

  /** Starts a session; the token is in the answer and never again. */
  create(
    writes: AccountTransaction,
    accountId: string,
    now: number,
  ): { readonly token: string; readonly session: Session } {
    const token = randomBytes(32).toString('base64url')
    const stored = { accountId, createdAt: now, endsAt: now + SESSION_TTL_SECONDS }
    const id = hashSecret(token)
    writes.put('sessions', id, stored)
    return { token, session: { ...stored, id, csrfToken: deriveCsrfToken(token) } }
  }

  /** The session of a token, and its end put off, if it has not ended. */
  async find(token: string, now: number): Promise<Session | undefined> {
    const id = hashSecret(token)
    const stored = this.store.tables.sessions.get(id)
    if (stored === undefined || stored.endsAt <= now) return undefined
    const isFresh = stored.endsAt >= now + SESSION_TTL_SECONDS - RENEW_INTERVAL_SECONDS
    const current = isFresh ? stored : await this.renew(id, now + SESSION_TTL_SECONDS).catch(keepIfUnavailable(stored))
    return current && { ...current, id, csrfToken: deriveCsrfToken(token) }
  }

  async delete(id: string): Promise<void> {
    await this.store.commit((writes) => writes.delete('sessions', id))
  }

  /** Ends all sessions of an account but one. */
  deleteOthers(writes: AccountTransaction, accountId: string, kept: string): void {
    for (const { key, value } of this.store.tables.sessions.getRange()) {
      if (value.accountId === accountId && key !== kept) writes.delete('sessions', key)
    }
  }

  /** Lets go of sessions that have ended. */
  async prune(now: number): Promise<void> {
    await deleteExpired(this.store, 'sessions', now)
  }

  /** Puts off the end of a session; one that was ended while the commit waited for its turn stays ended. */
  private renew(id: string, endsAt: number): Promise<StoredSession | undefined> {
    return this.store.commit((writes) => {
      const stored = this.store.tables.sessions.get(id)
      if (stored === undefined) return undefined
      const renewed = { ...stored, endsAt }
      writes.put('sessions', id, renewed)
      return renewed
    })
  }
}

/** While PostgreSQL is away, sessions go on as they are. */
function keepIfUnavailable(stored: StoredSession) {
  return (error: unknown): StoredSession => {
    if (error instanceof AccountError && error.code === 'unavailable') return stored
    throw error
  }
}

/** Made from the token, so that it needs no place of its own, and cannot be turned back into it. */
function deriveCsrfToken(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url')
}
