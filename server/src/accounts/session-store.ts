import { createHmac, randomBytes } from 'node:crypto'
import type { AccountLedger, AccountWrites } from './account-ledger.ts'
import { AccountProblem } from './account-problem.ts'
import { removeEnded } from './remove-ended.ts'
import { hashSecret } from './secret-hash.ts'

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
const IDLE_SECONDS = 14 * 86_400

/** The end is put off at most so often, so that reading does not mean writing. */
const PUT_OFF_AFTER_SECONDS = 3_600

/** Who is signed in. Only hashes of the tokens are kept. */
export class SessionStore {
  private readonly ledger: AccountLedger

  constructor(ledger: AccountLedger) {
    this.ledger = ledger
  }

  /** Starts a session; the token is in the answer and never again. */
  start(writes: AccountWrites, accountId: string, now: number): { readonly token: string; readonly session: Session } {
    const token = randomBytes(32).toString('base64url')
    const stored = { accountId, createdAt: now, endsAt: now + IDLE_SECONDS }
    const id = hashSecret(token)
    writes.put('sessions', id, stored)
    return { token, session: { ...stored, id, csrfToken: csrfTokenOf(token) } }
  }

  /** The session of a token, and its end put off, if it has not ended. */
  async find(token: string, now: number): Promise<Session | undefined> {
    const id = hashSecret(token)
    const stored = this.ledger.tables.sessions.get(id)
    if (stored === undefined || stored.endsAt <= now) return undefined
    const isFresh = stored.endsAt >= now + IDLE_SECONDS - PUT_OFF_AFTER_SECONDS
    const current = isFresh ? stored : await this.putOff(id, now + IDLE_SECONDS).catch(unlessAway(stored))
    return current && { ...current, id, csrfToken: csrfTokenOf(token) }
  }

  async end(id: string): Promise<void> {
    await this.ledger.commit((writes) => writes.remove('sessions', id))
  }

  /** Ends all sessions of an account but one. */
  endOthers(writes: AccountWrites, accountId: string, kept: string): void {
    for (const { key, value } of this.ledger.tables.sessions.getRange()) {
      if (value.accountId === accountId && key !== kept) writes.remove('sessions', key)
    }
  }

  /** Lets go of sessions that have ended. */
  async prune(now: number): Promise<void> {
    await removeEnded(this.ledger, 'sessions', now)
  }

  /** Puts off the end of a session; one that was ended while the commit waited for its turn stays ended. */
  private putOff(id: string, endsAt: number): Promise<StoredSession | undefined> {
    return this.ledger.commit((writes) => {
      const stored = this.ledger.tables.sessions.get(id)
      if (stored === undefined) return undefined
      const renewed = { ...stored, endsAt }
      writes.put('sessions', id, renewed)
      return renewed
    })
  }
}

/** While PostgreSQL is away, sessions go on as they are. */
function unlessAway(stored: StoredSession) {
  return (error: unknown): StoredSession => {
    if (error instanceof AccountProblem && error.code === 'unavailable') return stored
    throw error
  }
}

/** Made from the token, so that it needs no place of its own, and cannot be turned back into it. */
function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url')
}
