import { randomUUID } from 'node:crypto'
import { hashSecret } from '../keys/api-key.ts'
import { DEFAULT_PLAN, type PlanStore } from '../keys/plan-store.ts'
import {
  AccountError,
  type AccountStore,
  type AccountTransaction,
  type AuditContext,
  type AuditLog,
} from '../store/account-store.ts'
import type { Account, AccountRole } from '../store/account-tables.ts'
import type { PasswordResets } from './account-mail.ts'
import type { SignInClient, SignInLimiter } from './attempt-limiters.ts'
import {
  checkPassword,
  credentialKey,
  deleteCredentials,
  derivePassword,
  generateSalt,
  normalizeEmail,
  type PasswordCost,
} from './credentials.ts'
import type { Session, SessionStore } from './session-store.ts'

/** Who may sign up: anyone, those with an invitation, or nobody. */
export const SIGN_UP_MODES = ['open', 'invited', 'closed'] as const
export type SignUpMode = (typeof SIGN_UP_MODES)[number]

/** The credentials of a sign-in or sign-up, and the client. */
interface SignInAttempt extends SignInClient {
  readonly email: string
  readonly password: string
}

/** The session of a user who signed in. The token is returned here only. */
interface SignInResult {
  readonly account: Account
  readonly session: Session
  readonly token: string
  /** Marks the device as known; undefined if it is already. */
  readonly deviceToken: string | undefined
}

/**
 * Sign-up, sign-in and the management of accounts. An account is looked up by e-mail address and derived password
 * together. So two people can use the same address with different passwords, and nobody can find out whether an address
 * is in use.
 */
export class UserAccounts {
  private readonly store: AccountStore
  private readonly audit: AuditLog
  private readonly plans: PlanStore
  private readonly sessions: SessionStore
  private readonly resets: PasswordResets
  private readonly limiter: SignInLimiter
  private readonly cost: PasswordCost

  constructor(
    store: AccountStore,
    parts: {
      audit: AuditLog
      plans: PlanStore
      sessions: SessionStore
      resets: PasswordResets
      limiter: SignInLimiter
      cost: PasswordCost
    },
  ) {
    this.store = store
    this.audit = parts.audit
    this.plans = parts.plans
    this.sessions = parts.sessions
    this.resets = parts.resets
    this.limiter = parts.limiter
    this.cost = parts.cost
  }

  /** Creates an account and a session. Signing up again with the same password signs in. */
  async signUp(attempt: SignInAttempt, mode: SignUpMode, invitation = ''): Promise<SignInResult> {
    const { now } = attempt
    if (mode === 'closed') {
      throw new AccountError('sign_up_closed', 'Nobody can sign up here; ask the operator for an account')
    }
    const email = normalizeEmail(attempt.email)
    checkPassword(attempt.password, email)
    await this.limiter.admitStranger(email, attempt)
    return this.withCredential(email, attempt.password, (tx, credential, salt) => {
      const existing = this.findByCredential(credential)
      this.limiter.takeBack(tx, email, attempt.clientAddress)
      if (existing !== undefined) return this.startSession(tx, existing, attempt, email)
      if (mode === 'invited') this.redeemInvitation(tx, invitation, email, now)
      const account = this.createAccount(tx, email, salt, credential, 'developer', DEFAULT_PLAN, now)
      return this.startSession(tx, account, attempt, email)
    })
  }

  /** Creates a session for the account of an e-mail address and a password. */
  async signIn(attempt: SignInAttempt): Promise<SignInResult> {
    const email = normalizeEmail(attempt.email)
    const device = await this.limiter.admit(email, attempt)
    // An unknown address takes as long as an existing one, so that the duration does not reveal it.
    const credential = await this.deriveCredential(email, attempt.password)
    // A device is known for one account. Several accounts can have the address: for the others it is a stranger.
    const isKnown = device !== undefined && this.findByCredential(credential)?.id === device.accountId
    if (device !== undefined && !isKnown) await this.limiter.admitStranger(email, attempt)
    return this.store.commit((tx) => {
      const account = this.findByCredential(credential)
      if (account === undefined) throw signInFailed()
      if (!isKnown) this.limiter.takeBack(tx, email, attempt.clientAddress)
      return this.startSession(tx, account, attempt, email)
    })
  }

  /** Changes the password, and deletes all other sessions of the account. */
  async changePassword(
    account: Account,
    session: Session,
    input: { current: string; next: string },
    now: number,
  ): Promise<void> {
    const { id, email } = account
    checkPassword(input.next, email)
    await this.limiter.admitOwner(id, now)
    const before = await this.deriveCredential(email, input.current)
    const after = await this.deriveCredential(email, input.next)
    await this.store.commit((tx) => {
      if (this.store.tables.credentials.get(before)?.accountId !== id) throw wrongPassword()
      const taken = this.store.tables.credentials.get(after)
      if (taken !== undefined && taken.accountId !== id) throw guessablePassword()
      tx.delete('credentials', before)
      tx.put('credentials', after, { accountId: id })
      this.sessions.deleteOthers(tx, id, session.id)
      this.audit.add(tx, { by: `account:${id}`, now }, 'account.password_changed', id)
    })
  }

  /** Throws if the password is not that of the account; the attempt counts as a change of the password does. */
  async checkOwner(account: Account, password: string, now: number): Promise<void> {
    const { id, email } = account
    await this.limiter.admitOwner(id, now)
    const credential = await this.deriveCredential(email, password)
    if (this.findByCredential(credential)?.id !== id) throw wrongPassword()
  }

  /**
   * Admits a request for reset links, which counts whether the address has an account or not. Returns the address; throws
   * if there were too many requests.
   */
  async admitReset(address: string, client: SignInClient): Promise<string> {
    const email = normalizeEmail(address)
    await this.limiter.admitReset(email, client)
    return email
  }

  /** Sets a new password by a reset code, ends all sessions of the account, and starts one. */
  async resetPassword(
    code: string,
    password: string,
    attempt: Omit<SignInAttempt, 'email' | 'password'>,
  ): Promise<SignInResult> {
    const { now } = attempt
    await this.limiter.admitClient(attempt)
    const { email } = this.resets.require(code, now)
    checkPassword(password, email)
    return this.withCredential(email, password, (tx, credential, salt) => {
      const account = this.resets.require(code, now)
      const taken = this.findByCredential(credential)
      if (taken !== undefined && taken.id !== account.id) throw guessablePassword()
      deleteCredentials(this.store.tables, tx, account)
      tx.put('salts', email, salt)
      tx.put('credentials', credential, { accountId: account.id })
      this.resets.deleteAll(tx, account.id)
      this.sessions.deleteAll(tx, account.id)
      this.audit.add(tx, { by: `account:${account.id}`, now }, 'account.password_reset', account.id)
      return this.startSession(tx, account, { ...attempt, email, password }, email)
    })
  }

  /** Creates an account without a session. For the operator, who may create admins. */
  async create(
    input: { email: string; password: string; role: AccountRole; plan: string },
    context: AuditContext,
  ): Promise<Account> {
    const email = normalizeEmail(input.email)
    checkPassword(input.password, email)
    const plan = this.plans.require(input.plan).name
    return this.withCredential(email, input.password, (tx, credential, salt) => {
      if (this.findByCredential(credential) !== undefined) {
        throw new AccountError('weak_password', 'There is an account with this address and password already')
      }
      return this.createAccount(tx, email, salt, credential, input.role, plan, context.now, context)
    })
  }

  /** Deletes the counters of failed attempts at an e-mail address and, if given, of a client. Returns how many. */
  async unlock(address: string, clientAddress: string | undefined, context: AuditContext): Promise<number> {
    const email = normalizeEmail(address)
    return this.store.commit((tx) => {
      const counters = this.limiter.clear(tx, email, clientAddress)
      this.audit.add(tx, context, 'account.unlocked', email, { counters })
      return counters
    })
  }

  /** The account with an id, if there is one. */
  get(id: string): Account | undefined {
    return this.store.tables.accounts.get(id)
  }

  /** Lists all accounts, oldest first. */
  list(): Account[] {
    return [...this.store.tables.accounts.getRange().map(({ value }) => value)].sort(
      (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
    )
  }

  /** Derives the credential of an e-mail address and a password, then commits. An address has one salt. */
  private async withCredential<T extends object>(
    email: string,
    password: string,
    work: (tx: AccountTransaction, credential: string, salt: string) => T,
  ): Promise<T> {
    for (;;) {
      const salt = this.saltFor(email)
      const credential = await this.deriveCredential(email, password, salt)
      const done = await this.store.commit((tx) => {
        // Another sign-up stored a salt for this address meanwhile: retry with that one.
        if ((this.store.tables.salts.get(email) ?? salt) !== salt) return undefined
        return work(tx, credential, salt)
      })
      if (done !== undefined) return done
    }
  }

  /** The salt of an e-mail address, or a new one. */
  private saltFor(email: string): string {
    return this.store.tables.salts.get(email) ?? generateSalt(this.cost)
  }

  private async deriveCredential(email: string, password: string, salt = this.saltFor(email)): Promise<string> {
    return credentialKey(email, await derivePassword(password, salt))
  }

  private findByCredential(credential: string): Account | undefined {
    const { credentials, accounts } = this.store.tables
    const found = credentials.get(credential)
    return found && accounts.get(found.accountId)
  }

  private createAccount(
    tx: AccountTransaction,
    email: string,
    salt: string,
    credential: string,
    role: AccountRole,
    plan: string,
    now: number,
    context?: AuditContext,
  ): Account {
    const account: Account = { id: randomUUID(), email, role, plan, createdAt: now }
    tx.put('salts', email, salt)
    tx.put('accounts', account.id, account)
    tx.put('credentials', credential, { accountId: account.id })
    this.audit.add(tx, context ?? { by: `account:${account.id}`, now }, 'account.created', account.id, { role, plan })
    return account
  }

  private startSession(tx: AccountTransaction, account: Account, attempt: SignInAttempt, email: string): SignInResult {
    if (account.disabledAt !== undefined) {
      throw new AccountError('account_disabled', 'The account is disabled; ask the operator of this service')
    }
    const deviceToken = this.limiter.issueDeviceToken(email, account.id, attempt)
    return { account, deviceToken, ...this.sessions.create(tx, account.id, attempt.now) }
  }

  private redeemInvitation(tx: AccountTransaction, code: string, email: string, now: number): void {
    const hash = hashSecret(code)
    const invitation = this.store.tables.invitations.get(hash)
    if (invitation === undefined || invitation.email !== email || invitation.endsAt <= now) {
      const message = 'Signing up takes an invitation; the code does not fit this address, was used, or is too old'
      throw new AccountError('invitation_needed', message)
    }
    tx.delete('invitations', hash)
  }
}

function wrongPassword(): AccountError {
  return new AccountError('wrong_password', 'The current password is not right')
}

/** Another account of the same address has the password, which must not be revealed. */
function guessablePassword(): AccountError {
  return new AccountError('weak_password', 'The password is too easy to guess; choose another one')
}

function signInFailed(): AccountError {
  return new AccountError('sign_in_failed', 'Address and password do not lead to an account')
}
