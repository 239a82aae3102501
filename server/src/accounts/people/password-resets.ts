import { randomBytes } from 'node:crypto'
import { hashSecret } from '../keys/api-key.ts'
import { AccountError } from '../store/account-error.ts'
import { type AccountStore, type AccountTransaction, deleteExpired } from '../store/account-store.ts'
import type { Account } from '../store/account-tables.ts'

const RESET_TTL_SECONDS = 86_400

/** A code that is returned once, and until when it can be used. */
export interface OneTimeCode {
  readonly code: string
  readonly endsAt: number
}

/** Generates a code that cannot be guessed. Only its hash is stored. */
export function generateCode(): string {
  return randomBytes(18).toString('base64url')
}

/** The codes by which the owners of accounts set a new password, once each. */
export class PasswordResets {
  private readonly store: AccountStore

  constructor(store: AccountStore) {
    this.store = store
  }

  /** Creates a code within a commit. Earlier codes of the account become invalid. */
  create(tx: AccountTransaction, accountId: string, now: number): OneTimeCode {
    this.deleteAll(tx, accountId)
    const code = generateCode()
    const endsAt = now + RESET_TTL_SECONDS
    tx.put('resets', hashSecret(code), { accountId, createdAt: now, endsAt })
    return { code, endsAt }
  }

  /** The account of an unused code; throws if the code is unknown, used or too old. */
  require(code: string, now: number): Account {
    const { resets, accounts } = this.store.tables
    const reset = resets.get(hashSecret(code))
    const account = reset !== undefined && reset.endsAt > now ? accounts.get(reset.accountId) : undefined
    if (account !== undefined) return account
    throw new AccountError('reset_needed', 'The link was used already, or is too old; ask the operator for another one')
  }

  /** Deletes the codes of an account within a commit. */
  deleteAll(tx: AccountTransaction, accountId: string): void {
    for (const { key, value } of this.store.tables.resets.getRange()) {
      if (value.accountId === accountId) tx.delete('resets', key)
    }
  }

  /** Deletes expired codes. */
  async prune(now: number): Promise<void> {
    await deleteExpired(this.store, 'resets', now)
  }
}
