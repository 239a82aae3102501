import { randomBytes, randomUUID } from 'node:crypto'
import { hashSecret } from '../keys/api-key.ts'
import type { AttemptCounter, AttemptLimiter } from '../metering/attempt-limiter.ts'
import { DEFAULT_PLAN } from '../plans/plan.ts'
import type { PlanStore } from '../plans/plan-store.ts'
import { AccountError } from '../store/account-error.ts'
import type { AccountStore, AccountTransaction } from '../store/account-store.ts'
import { type Account, type AccountRole, normalizeEmail } from '../store/account-tables.ts'
import type { AuditContext, AuditLog } from '../store/audit-log.ts'
import { checkPassword, derivePassword, generateSalt, type PasswordCost } from './password.ts'
import type { Session, SessionStore } from './session-store.ts'

/** Who may sign up: anyone, those with an invitation, or nobody. */
export const SIGN_UP_MODES = ['open', 'invited', 'closed'] as const
export type SignUpMode = (typeof SIGN_UP_MODES)[number]

/** What somebody says to get in, and from which address on the network. */
export interface SignInAttempt {
  readonly email: string
  readonly password: string
  readonly clientAddress: string
  readonly now: number
}

/** Somebody who got in; the token is in the answer and never again. */
export interface SignInResult {
  readonly account: Account
  readonly session: Session
  readonly token: string
}

const QUARTER_HOUR_SECONDS = 15 * 60

/** Guesses at one address from one place, at one address from everywhere, and from one place at everything. */
const ATTEMPT_LIMITS = {
  here: { maxAttempts: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  anywhere: { maxAttempts: 100, windowSeconds: 4 * QUARTER_HOUR_SECONDS },
  place: { maxAttempts: 60, windowSeconds: QUARTER_HOUR_SECONDS },
} as const

const INVITATION_TTL_SECONDS = 14 * 86_400

/**
 * How people get in. Who an account is, is decided by address and password together: both lead, through one slow
 * derivation, to the account, or to none. Two people may therefore use the same address without noticing, and nobody
 * can find out whether an address is in use.
 */
export class UserAccounts {
  private readonly store: AccountStore
  private readonly audit: AuditLog
  private readonly plans: PlanStore
  private readonly sessions: SessionStore
  private readonly limiter: AttemptLimiter
  private readonly cost: PasswordCost

  constructor(
    ledger: AccountStore,
    parts: { audit: AuditLog; plans: PlanStore; sessions: SessionStore; throttle: AttemptLimiter; cost: PasswordCost },
  ) {
    this.store = ledger
    this.audit = parts.audit
    this.plans = parts.plans
    this.sessions = parts.sessions
    this.limiter = parts.throttle
    this.cost = parts.cost
  }

  /** Makes an account and starts a session. Who signs up again with the same password is let in. */
  async signUp(entry: SignInAttempt, rule: SignUpMode, invitation = ''): Promise<SignInResult> {
    const { now } = entry
    if (rule === 'closed') {
      throw new AccountError('sign_up_closed', 'Nobody can sign up here; ask the operator for an account')
    }
    const email = normalizeEmail(entry.email)
    checkPassword(entry.password, email)
    await this.limiter.consume(attemptCounters(email, entry.clientAddress), now)
    return this.withCredential(email, entry.password, (writes, credential, salt) => {
      const known = this.findByCredential(credential)
      if (known !== undefined) return this.startSession(writes, known, entry, email)
      if (rule === 'invited') this.redeemInvitation(writes, invitation, email, now)
      const account = this.createAccount(writes, email, salt, credential, 'developer', DEFAULT_PLAN, now)
      return this.startSession(writes, account, entry, email)
    })
  }

  /** Starts a session of the account that address and password lead to. */
  async signIn(entry: SignInAttempt): Promise<SignInResult> {
    const email = normalizeEmail(entry.email)
    await this.limiter.consume(attemptCounters(email, entry.clientAddress), entry.now)
    // An unknown address takes as long as a known one.
    const salt = this.store.tables.salts.get(email) ?? generateSalt(this.cost)
    const credential = credentialKey(email, await derivePassword(entry.password, salt))
    return this.store.commit((writes) => {
      const account = this.findByCredential(credential)
      if (account === undefined) throw signInFailed()
      return this.startSession(writes, account, entry, email)
    })
  }

  /** Changes the password, and ends all other sessions of the account. */
  async changePassword(
    account: Account,
    session: Session,
    given: { current: string; next: string },
    entry: Omit<SignInAttempt, 'email' | 'password'>,
  ): Promise<void> {
    const { id, email } = account
    const { now } = entry
    checkPassword(given.next, email)
    await this.limiter.consume(attemptCounters(email, entry.clientAddress), now)
    const salt = this.store.tables.salts.get(email) ?? generateSalt(this.cost)
    const before = credentialKey(email, await derivePassword(given.current, salt))
    const after = credentialKey(email, await derivePassword(given.next, salt))
    await this.store.commit((writes) => {
      if (this.store.tables.credentials.get(before)?.accountId !== id) {
        throw new AccountError('wrong_password', 'The current password is not right')
      }
      const taken = this.store.tables.credentials.get(after)
      if (taken !== undefined && taken.accountId !== id) {
        throw new AccountError('weak_password', 'The password is too easy to guess; choose another one')
      }
      writes.delete('credentials', before)
      writes.put('credentials', after, { accountId: id })
      this.sessions.deleteOthers(writes, id, session.id)
      this.limiter.reset(writes, addressAndClientCounter(email, entry.clientAddress))
      this.audit.add(writes, { by: `account:${id}`, now }, 'account.password_changed', id)
    })
  }

  /** Makes an account without signing in; for the operator, who may make admins. */
  async create(
    given: { email: string; password: string; role: AccountRole; plan: string },
    act: AuditContext,
  ): Promise<Account> {
    const email = normalizeEmail(given.email)
    checkPassword(given.password, email)
    const plan = this.plans.require(given.plan).name
    return this.withCredential(email, given.password, (writes, credential, salt) => {
      if (this.findByCredential(credential) !== undefined) {
        throw new AccountError('weak_password', 'There is an account with this address and password already')
      }
      return this.createAccount(writes, email, salt, credential, given.role, plan, act.now, act)
    })
  }

  /** Permits an address to sign up; the code is in the answer and never again. */
  async invite(address: string, act: AuditContext): Promise<{ readonly code: string; readonly endsAt: number }> {
    const email = normalizeEmail(address)
    const code = randomBytes(18).toString('base64url')
    const endsAt = act.now + INVITATION_TTL_SECONDS
    await this.store.commit((writes) => {
      writes.put('invitations', hashSecret(code), { email, createdAt: act.now, endsAt })
      this.audit.add(writes, act, 'invitation.created', email)
    })
    return { code, endsAt }
  }

  /** Puts an account, and so all its keys, on another plan. */
  async setPlan(id: string, plan: string, act: AuditContext): Promise<Account> {
    return this.store.commit((writes) => {
      const account = this.get(id)
      if (account === undefined) throw new AccountError('unknown_account', `No account has the id ${id}`)
      const changed = { ...account, plan: this.plans.require(plan).name }
      writes.put('accounts', id, changed)
      this.audit.add(writes, act, 'account.plan_changed', id, { from: account.plan, to: plan })
      return changed
    })
  }

  get(id: string): Account | undefined {
    return this.store.tables.accounts.get(id)
  }

  /** All accounts, oldest first. */
  list(): Account[] {
    return [...this.store.tables.accounts.getRange().map(({ value }) => value)].sort(
      (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
    )
  }

  /** Commits with what an address and a password lead to. All passwords of an address are derived with one salt. */
  private async withCredential<T extends object>(
    email: string,
    password: string,
    work: (writes: AccountTransaction, credential: string, salt: string) => T,
  ): Promise<T> {
    for (;;) {
      const salt = this.store.tables.salts.get(email) ?? generateSalt(this.cost)
      const credential = credentialKey(email, await derivePassword(password, salt))
      const done = await this.store.commit((writes) => {
        // Somebody else came first with the address meanwhile: the password has to be derived with that salt.
        if ((this.store.tables.salts.get(email) ?? salt) !== salt) return undefined
        return work(writes, credential, salt)
      })
      if (done !== undefined) return done
    }
  }

  private findByCredential(credential: string): Account | undefined {
    const { credentials, accounts } = this.store.tables
    const found = credentials.get(credential)
    return found && accounts.get(found.accountId)
  }

  private createAccount(
    writes: AccountTransaction,
    email: string,
    salt: string,
    credential: string,
    role: AccountRole,
    plan: string,
    now: number,
    act?: AuditContext,
  ): Account {
    const account: Account = { id: randomUUID(), email, role, plan, createdAt: now }
    writes.put('salts', email, salt)
    writes.put('accounts', account.id, account)
    writes.put('credentials', credential, { accountId: account.id })
    this.audit.add(writes, act ?? { by: `account:${account.id}`, now }, 'account.created', account.id, { role, plan })
    return account
  }

  private startSession(
    writes: AccountTransaction,
    account: Account,
    { clientAddress, now }: SignInAttempt,
    email: string,
  ): SignInResult {
    this.limiter.reset(writes, addressAndClientCounter(email, clientAddress))
    return { account, ...this.sessions.create(writes, account.id, now) }
  }

  private redeemInvitation(writes: AccountTransaction, code: string, email: string, now: number): void {
    const hash = hashSecret(code)
    const invitation = this.store.tables.invitations.get(hash)
    if (invitation === undefined || invitation.email !== email || invitation.endsAt <= now) {
      const message = 'Signing up takes an invitation; the code does not fit this address, was used, or is too old'
      throw new AccountError('invitation_needed', message)
    }
    writes.delete('invitations', hash)
  }
}

function signInFailed(): AccountError {
  return new AccountError('sign_in_failed', 'Address and password do not lead to an account')
}

function credentialKey(email: string, derived: string): string {
  return `${email}/${derived}`
}

function attemptCounters(email: string, from: string): AttemptCounter[] {
  return [
    { name: addressAndClientCounter(email, from), limit: ATTEMPT_LIMITS.here },
    { name: `anywhere/${hashSecret(email)}`, limit: ATTEMPT_LIMITS.anywhere },
    { name: `place/${from}`, limit: ATTEMPT_LIMITS.place },
  ]
}

function addressAndClientCounter(email: string, from: string): string {
  return `here/${hashSecret(email)}/${from}`
}
