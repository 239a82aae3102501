import { hashSecret } from '../keys/api-key.ts'
import type { KeyRecord, KeyStore } from '../keys/key-store.ts'
import type { PlanStore } from '../keys/plan-store.ts'
import {
  AccountError,
  type AccountStore,
  type AccountTransaction,
  type AuditContext,
  type AuditLog,
} from '../store/account-store.ts'
import type { Account, AccountRole, AuditEntry, StoredSession } from '../store/account-tables.ts'
import { deleteWebhook } from '../store/push-store.ts'
import { generateCode, type OneTimeCode, type PasswordResets } from './account-mail.ts'
import { deleteCredentials, foldEmail, normalizeEmail } from './credentials.ts'
import type { SessionStore } from './session-store.ts'

const INVITATION_TTL_SECONDS = 14 * 86_400

/** Everything that is stored about an account, without secrets. */
export interface AccountExport {
  readonly account: Account
  readonly keys: readonly KeyRecord[]
  readonly sessions: readonly StoredSession[]
  readonly audit: readonly AuditEntry[]
}

/** What the operator does with the accounts of others, at the command line and on the operator's pages. */
export class AccountAdmin {
  private readonly store: AccountStore
  private readonly audit: AuditLog
  private readonly plans: PlanStore
  private readonly sessions: SessionStore
  private readonly resets: PasswordResets
  private readonly keys: KeyStore

  constructor(
    store: AccountStore,
    parts: { audit: AuditLog; plans: PlanStore; sessions: SessionStore; resets: PasswordResets; keys: KeyStore },
  ) {
    this.store = store
    this.audit = parts.audit
    this.plans = parts.plans
    this.sessions = parts.sessions
    this.resets = parts.resets
    this.keys = parts.keys
  }

  /** The account with an id or an e-mail address. Throws if there is none, or if several have the address. */
  require(idOrEmail: string): Account {
    const byId = this.store.tables.accounts.get(idOrEmail)
    if (byId !== undefined) return byId
    const email = foldEmail(idOrEmail)
    const found = this.findByEmail(email)
    if (found.length > 1) {
      const ids = found.map(({ id }) => id).join(', ')
      throw new AccountError('unknown_account', `${found.length} accounts have the address ${email}; name one: ${ids}`)
    }
    const [only] = found
    if (only === undefined) {
      throw new AccountError('unknown_account', `No account has the id or the address ${idOrEmail}`)
    }
    return only
  }

  /** Invites an e-mail address to sign up. */
  async invite(address: string, context: AuditContext): Promise<OneTimeCode> {
    const email = normalizeEmail(address)
    const code = generateCode()
    const endsAt = context.now + INVITATION_TTL_SECONDS
    await this.store.commit((tx) => {
      tx.put('invitations', hashSecret(code), { email, createdAt: context.now, endsAt })
      this.audit.add(tx, context, 'invitation.created', email)
    })
    return { code, endsAt }
  }

  /** Creates a code that sets a new password, once. Earlier codes of the account become invalid. */
  async createReset(idOrEmail: string, context: AuditContext): Promise<OneTimeCode & { readonly account: Account }> {
    return this.store.commit((tx) => {
      const account = this.require(idOrEmail)
      this.audit.add(tx, context, 'account.reset_created', account.id)
      return { account, ...this.resets.create(tx, account.id, context.now) }
    })
  }

  /** Creates a code for each active account of an address, as its owner asked for; none if there is no account. */
  async createResets(email: string, now: number): Promise<(OneTimeCode & Pick<Account, 'createdAt'>)[]> {
    const active = this.findByEmail(email).filter(({ disabledAt }) => disabledAt === undefined)
    if (active.length === 0) return []
    return this.store.commit((tx) =>
      active.map(({ id, createdAt }) => {
        this.audit.add(tx, { by: 'service', now }, 'account.reset_created', id)
        return { createdAt, ...this.resets.create(tx, id, now) }
      }),
    )
  }

  private findByEmail(email: string): Account[] {
    return [...this.store.tables.accounts.getRange().map(({ value }) => value)].filter(
      (account) => account.email === email,
    )
  }

  /** Sets the plan of an account, and so of all its keys. */
  async setPlan(idOrEmail: string, plan: string, context: AuditContext): Promise<Account> {
    return this.change(idOrEmail, (tx, account) => {
      const changed = { ...account, plan: this.plans.require(plan).name }
      this.audit.add(tx, context, 'account.plan_changed', account.id, { from: account.plan, to: plan })
      return changed
    })
  }

  /** Makes an account an admin, or a developer again. */
  async setRole(idOrEmail: string, role: AccountRole, context: AuditContext): Promise<Account> {
    return this.change(idOrEmail, (tx, account) => {
      if (account.role !== role) this.audit.add(tx, context, 'account.role_changed', account.id, { to: role })
      return { ...account, role }
    })
  }

  /** Disables an account: its sessions end, its keys are refused, and nobody can sign in to it until it is enabled. */
  async disable(idOrEmail: string, context: AuditContext): Promise<Account> {
    return this.change(idOrEmail, (tx, account) => {
      this.sessions.deleteAll(tx, account.id)
      if (account.disabledAt !== undefined) return account
      this.audit.add(tx, context, 'account.disabled', account.id)
      return { ...account, disabledAt: context.now }
    })
  }

  /** Enables a disabled account, with its keys as they were. */
  async enable(idOrEmail: string, context: AuditContext): Promise<Account> {
    return this.change(idOrEmail, (tx, { disabledAt, ...account }) => {
      if (disabledAt !== undefined) this.audit.add(tx, context, 'account.enabled', account.id)
      return account
    })
  }

  /** Ends all sessions of an account. Returns how many there were. */
  async endSessions(idOrEmail: string, context: AuditContext): Promise<{ account: Account; ended: number }> {
    return this.store.commit((tx) => {
      const account = this.require(idOrEmail)
      const ended = this.sessions.deleteAll(tx, account.id)
      this.audit.add(tx, context, 'account.sessions_ended', account.id, { ended })
      return { account, ended }
    })
  }

  /**
   * Deletes an account with its keys, sessions and credential, and returns what was stored about it. Request counts by
   * key id stay until their retention ends; they no longer lead to a person.
   */
  async delete(idOrEmail: string, context: AuditContext): Promise<AccountExport> {
    return this.store.commit((tx) => {
      const account = this.require(idOrEmail)
      const exported = this.export(account.id)
      for (const { id } of exported.keys) this.keys.applyDelete(tx, id)
      this.sessions.deleteAll(tx, account.id)
      this.resets.deleteAll(tx, account.id)
      for (const { value } of [...this.store.tables.feeds.getRange()]) {
        if (value.accountId === account.id) tx.delete('feeds', value.id)
      }
      for (const { value } of [...this.store.tables.webhooks.getRange()]) {
        if (value.accountId === account.id) deleteWebhook(this.store.tables, tx, value.id)
      }
      deleteCredentials(this.store.tables, tx, account)
      tx.delete('accounts', account.id)
      this.audit.add(tx, context, 'account.deleted', account.id)
      return exported
    })
  }

  /** Everything that is stored about an account, without secrets. */
  export(idOrEmail: string): AccountExport {
    const account = this.require(idOrEmail)
    const keys = this.keys.list(account.id)
    const targets = new Set([account.id, ...keys.map(({ id }) => id)])
    return {
      account,
      keys,
      sessions: this.sessions.list(account.id),
      audit: [...this.audit.newestFirst()].filter(
        ({ target, by }) => targets.has(target) || by === `account:${account.id}`,
      ),
    }
  }

  private change(idOrEmail: string, apply: (tx: AccountTransaction, account: Account) => Account): Promise<Account> {
    return this.store.commit((tx) => {
      const changed = apply(tx, this.require(idOrEmail))
      tx.put('accounts', changed.id, changed)
      return changed
    })
  }
}
