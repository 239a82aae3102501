import { randomBytes, randomUUID } from 'node:crypto'
import { type Account, type AccountRole, normalizeEmail } from './account.ts'
import type { AccountLedger, AccountWrites } from './account-ledger.ts'
import { AccountProblem } from './account-problem.ts'
import type { Act, AuditLog } from './audit-log.ts'
import { checkPassword, derivePassword, newSalt, type PasswordCost } from './password.ts'
import { FIRST_PLAN } from './plan.ts'
import type { PlanBook } from './plan-book.ts'
import { hashSecret } from './secret-hash.ts'
import type { Session, SessionStore } from './session-store.ts'
import type { Counted, Throttle } from './throttle.ts'

/** Who may sign up: anyone, those with an invitation, or nobody. */
export const SIGN_UP_RULES = ['open', 'invited', 'closed'] as const
export type SignUpRule = (typeof SIGN_UP_RULES)[number]

/** What somebody says to get in, and from which address on the network. */
export interface Entry {
  readonly email: string
  readonly password: string
  readonly from: string
  readonly now: number
}

/** Somebody who got in; the token is in the answer and never again. */
export interface SignedIn {
  readonly account: Account
  readonly session: Session
  readonly token: string
}

const QUARTER = 15 * 60

/** Guesses at one address from one place, at one address from everywhere, and from one place at everything. */
const ALLOWANCES = {
  here: { attempts: 10, seconds: QUARTER },
  anywhere: { attempts: 100, seconds: 4 * QUARTER },
  place: { attempts: 60, seconds: QUARTER },
} as const

const INVITATION_SECONDS = 14 * 86_400

/**
 * How people get in. Who an account is, is decided by address and password together: both lead, through one slow
 * derivation, to the account, or to none. Two people may therefore use the same address without noticing, and nobody
 * can find out whether an address is in use.
 */
export class AccountAccess {
  private readonly ledger: AccountLedger
  private readonly audit: AuditLog
  private readonly plans: PlanBook
  private readonly sessions: SessionStore
  private readonly throttle: Throttle
  private readonly cost: PasswordCost

  constructor(
    ledger: AccountLedger,
    parts: { audit: AuditLog; plans: PlanBook; sessions: SessionStore; throttle: Throttle; cost: PasswordCost },
  ) {
    this.ledger = ledger
    this.audit = parts.audit
    this.plans = parts.plans
    this.sessions = parts.sessions
    this.throttle = parts.throttle
    this.cost = parts.cost
  }

  /** Makes an account and starts a session. Who signs up again with the same password is let in. */
  async signUp(entry: Entry, rule: SignUpRule, invitation = ''): Promise<SignedIn> {
    const { now } = entry
    if (rule === 'closed') {
      throw new AccountProblem('sign_up_closed', 'Nobody can sign up here; ask the operator for an account')
    }
    const email = normalizeEmail(entry.email)
    checkPassword(entry.password, email)
    await this.throttle.take(countedBy(email, entry.from), now)
    return this.withCredential(email, entry.password, (writes, credential, salt) => {
      const known = this.accountBy(credential)
      if (known !== undefined) return this.enter(writes, known, entry, email)
      if (rule === 'invited') this.takeInvitation(writes, invitation, email, now)
      const account = this.open(writes, email, salt, credential, 'developer', FIRST_PLAN, now)
      return this.enter(writes, account, entry, email)
    })
  }

  /** Starts a session of the account that address and password lead to. */
  async signIn(entry: Entry): Promise<SignedIn> {
    const email = normalizeEmail(entry.email)
    await this.throttle.take(countedBy(email, entry.from), entry.now)
    // An unknown address takes as long as a known one.
    const salt = this.ledger.tables.salts.get(email) ?? newSalt(this.cost)
    const credential = credentialKey(email, await derivePassword(entry.password, salt))
    return this.ledger.commit((writes) => {
      const account = this.accountBy(credential)
      if (account === undefined) throw failed()
      return this.enter(writes, account, entry, email)
    })
  }

  /** Changes the password, and ends all other sessions of the account. */
  async changePassword(
    account: Account,
    session: Session,
    given: { current: string; next: string },
    entry: Omit<Entry, 'email' | 'password'>,
  ): Promise<void> {
    const { id, email } = account
    const { now } = entry
    checkPassword(given.next, email)
    await this.throttle.take(countedBy(email, entry.from), now)
    const salt = this.ledger.tables.salts.get(email) ?? newSalt(this.cost)
    const before = credentialKey(email, await derivePassword(given.current, salt))
    const after = credentialKey(email, await derivePassword(given.next, salt))
    await this.ledger.commit((writes) => {
      if (this.ledger.tables.credentials.get(before)?.accountId !== id) {
        throw new AccountProblem('wrong_password', 'The current password is not right')
      }
      const taken = this.ledger.tables.credentials.get(after)
      if (taken !== undefined && taken.accountId !== id) {
        throw new AccountProblem('weak_password', 'The password is too easy to guess; choose another one')
      }
      writes.remove('credentials', before)
      writes.put('credentials', after, { accountId: id })
      this.sessions.endOthers(writes, id, session.id)
      this.throttle.forgive(writes, hereName(email, entry.from))
      this.audit.add(writes, { by: `account:${id}`, now }, 'account.password_changed', id)
    })
  }

  /** Makes an account without signing in; for the operator, who may make admins. */
  async create(
    given: { email: string; password: string; role: AccountRole; plan: string },
    act: Act,
  ): Promise<Account> {
    const email = normalizeEmail(given.email)
    checkPassword(given.password, email)
    const plan = this.plans.named(given.plan).name
    return this.withCredential(email, given.password, (writes, credential, salt) => {
      if (this.accountBy(credential) !== undefined) {
        throw new AccountProblem('weak_password', 'There is an account with this address and password already')
      }
      return this.open(writes, email, salt, credential, given.role, plan, act.now, act)
    })
  }

  /** Permits an address to sign up; the code is in the answer and never again. */
  async invite(address: string, act: Act): Promise<{ readonly code: string; readonly endsAt: number }> {
    const email = normalizeEmail(address)
    const code = randomBytes(18).toString('base64url')
    const endsAt = act.now + INVITATION_SECONDS
    await this.ledger.commit((writes) => {
      writes.put('invitations', hashSecret(code), { email, createdAt: act.now, endsAt })
      this.audit.add(writes, act, 'invitation.created', email)
    })
    return { code, endsAt }
  }

  /** Puts an account, and so all its keys, on another plan. */
  async setPlan(id: string, plan: string, act: Act): Promise<Account> {
    return this.ledger.commit((writes) => {
      const account = this.get(id)
      if (account === undefined) throw new AccountProblem('unknown_account', `No account has the id ${id}`)
      const changed = { ...account, plan: this.plans.named(plan).name }
      writes.put('accounts', id, changed)
      this.audit.add(writes, act, 'account.plan_changed', id, { from: account.plan, to: plan })
      return changed
    })
  }

  get(id: string): Account | undefined {
    return this.ledger.tables.accounts.get(id)
  }

  /** All accounts, oldest first. */
  list(): Account[] {
    return [...this.ledger.tables.accounts.getRange().map(({ value }) => value)].sort(
      (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
    )
  }

  /** Commits with what an address and a password lead to. All passwords of an address are derived with one salt. */
  private async withCredential<T extends object>(
    email: string,
    password: string,
    work: (writes: AccountWrites, credential: string, salt: string) => T,
  ): Promise<T> {
    for (;;) {
      const salt = this.ledger.tables.salts.get(email) ?? newSalt(this.cost)
      const credential = credentialKey(email, await derivePassword(password, salt))
      const done = await this.ledger.commit((writes) => {
        // Somebody else came first with the address meanwhile: the password has to be derived with that salt.
        if ((this.ledger.tables.salts.get(email) ?? salt) !== salt) return undefined
        return work(writes, credential, salt)
      })
      if (done !== undefined) return done
    }
  }

  private accountBy(credential: string): Account | undefined {
    const { credentials, accounts } = this.ledger.tables
    const found = credentials.get(credential)
    return found && accounts.get(found.accountId)
  }

  private open(
    writes: AccountWrites,
    email: string,
    salt: string,
    credential: string,
    role: AccountRole,
    plan: string,
    now: number,
    act?: Act,
  ): Account {
    const account: Account = { id: randomUUID(), email, role, plan, createdAt: now }
    writes.put('salts', email, salt)
    writes.put('accounts', account.id, account)
    writes.put('credentials', credential, { accountId: account.id })
    this.audit.add(writes, act ?? { by: `account:${account.id}`, now }, 'account.created', account.id, { role, plan })
    return account
  }

  private enter(writes: AccountWrites, account: Account, { from, now }: Entry, email: string): SignedIn {
    this.throttle.forgive(writes, hereName(email, from))
    return { account, ...this.sessions.start(writes, account.id, now) }
  }

  private takeInvitation(writes: AccountWrites, code: string, email: string, now: number): void {
    const hash = hashSecret(code)
    const invitation = this.ledger.tables.invitations.get(hash)
    if (invitation === undefined || invitation.email !== email || invitation.endsAt <= now) {
      const message = 'Signing up takes an invitation; the code does not fit this address, was used, or is too old'
      throw new AccountProblem('invitation_needed', message)
    }
    writes.remove('invitations', hash)
  }
}

function failed(): AccountProblem {
  return new AccountProblem('sign_in_failed', 'Address and password do not lead to an account')
}

function credentialKey(email: string, derived: string): string {
  return `${email}/${derived}`
}

function countedBy(email: string, from: string): Counted[] {
  return [
    { name: hereName(email, from), allowance: ALLOWANCES.here },
    { name: `anywhere/${hashSecret(email)}`, allowance: ALLOWANCES.anywhere },
    { name: `place/${from}`, allowance: ALLOWANCES.place },
  ]
}

function hereName(email: string, from: string): string {
  return `here/${hashSecret(email)}/${from}`
}
