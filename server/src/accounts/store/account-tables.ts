import { mkdirSync } from 'node:fs'
import { type Database, open, type RootDatabase } from 'lmdb'
import { UserError } from '../../lib/user-error.ts'
import type { StoredKey } from '../keys/key-store.ts'
import type { Attempts } from '../metering/attempt-limiter.ts'
import type { QuotaDelta } from '../metering/quota-counters.ts'
import type { StoredSession } from '../people/session-store.ts'
import type { Plan } from '../plans/plan.ts'
import type { KeyUse, UsageDelta, UsageRecord } from '../usage/usage-store.ts'
import { AccountError } from './account-error.ts'
import type { AuditEntry } from './audit-log.ts'

/** What each table holds, by text keys. */
export interface AccountRows {
  readonly keys: StoredKey
  /** The ids of keys, by the hashes of their secrets. */
  readonly keyIds: string
  /** The ids of marketplace keys, by subscription. */
  readonly subscriptions: string
  readonly accounts: Account
  /** The salt of an e-mail address, by the address. */
  readonly salts: string
  /** By address and derived password. */
  readonly credentials: Credential
  readonly invitations: Invitation
  readonly sessions: StoredSession
  readonly plans: Plan
  /** By consecutive numbers, so that they are in order. */
  readonly audit: AuditEntry
  readonly attempts: Attempts
  /** Requests that count against quotas, by owner and period. */
  readonly quota: number
  readonly hours: UsageRecord
  readonly days: UsageRecord
  readonly uses: KeyUse
  /** Counts that could not be settled with a store elsewhere, by process and number. */
  readonly outbox: CounterFlush
  /** The format of the tables, a number that every commit raises, and, in a copy, what it is a copy of. */
  readonly meta: number
}

export type AccountTableName = keyof AccountRows

/** The tables, to be read from. */
export type AccountTables = { readonly [T in AccountTableName]: Database<AccountRows[T], string> }

/** The tables, and the environment that they are in. */
export interface AccountEnvironment {
  readonly root: RootDatabase
  readonly tables: AccountTables
}

/** Raised when records take a form that earlier versions of the program would misread. */
const ACCOUNTS_FORMAT = 2

/** Thrown when a folder holds accounts that this version cannot read. */
export class AccountsFormatError extends UserError {
  override readonly name = 'AccountsFormatError'
}

/** Opens the accounts in a folder, an LMDB environment of its own, making it if need be. */
export function openAccountTables(dir: string): AccountEnvironment {
  mkdirSync(dir, { recursive: true })
  const root = open({ path: dir, maxDbs: 24 })
  const table = <T extends AccountTableName>(name: T) => root.openDB<AccountRows[T], string>({ name })
  const tables: AccountTables = {
    keys: table('keys'),
    keyIds: table('keyIds'),
    subscriptions: table('subscriptions'),
    accounts: table('accounts'),
    salts: table('salts'),
    credentials: table('credentials'),
    invitations: table('invitations'),
    sessions: table('sessions'),
    plans: table('plans'),
    audit: table('audit'),
    attempts: table('attempts'),
    quota: table('quota'),
    hours: table('hours'),
    days: table('days'),
    uses: table('uses'),
    outbox: table('outbox'),
    meta: table('meta'),
  }
  root.transactionSync(() => {
    const format = tables.meta.get('format') ?? (tables.meta.get('revision') === undefined ? undefined : 1)
    if (format === undefined) tables.meta.put('format', ACCOUNTS_FORMAT)
    else if (format !== ACCOUNTS_FORMAT) {
      throw new AccountsFormatError(
        `The accounts in ${dir} have the format ${format}, and this version reads ${ACCOUNTS_FORMAT}; ` +
          'move the folder away and make the keys anew',
      )
    }
  })
  return { root, tables }
}

/** What an account may do: use the platform, or look after the service as well. */
export type AccountRole = 'developer' | 'admin'

/** A developer's account. Its keys share its plan. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly role: AccountRole
  readonly plan: string
  readonly createdAt: number
}

/** What an address and a password lead to. */
export interface Credential {
  readonly accountId: string
}

/** A permission to sign up, stored under the hash of its code. */
export interface Invitation {
  readonly email: string
  readonly createdAt: number
  readonly endsAt: number
}

const MAX_EMAIL_LENGTH = 254

/** Letters that cannot be seen, and those that a terminal would obey. */
const INVISIBLE_CHARACTER = /[\p{Cc}\p{Cf}]/u

/** An e-mail address in the one form in which it is stored and compared. */
export function normalizeEmail(text: string): string {
  const email = text.trim().normalize('NFC').toLowerCase()
  const isAddress = /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)*$/.test(email)
  if (email.length <= MAX_EMAIL_LENGTH && isAddress && !INVISIBLE_CHARACTER.test(email)) return email
  throw new AccountError('invalid_email', 'An e-mail address such as ann@example.com is needed')
}

/** Counts of one process that are added to those of all, once. */
export interface CounterFlush {
  /** The process, and the number of this one among its settlements. */
  readonly settler: string
  readonly number: number
  readonly quota: readonly QuotaDelta[]
  readonly usage: readonly UsageDelta[]
}

/** Where a settlement that could not be sent is kept: those of a process are in order. */
export function outboxKey({ settler, number }: Pick<CounterFlush, 'settler' | 'number'>): string {
  return `${settler}/${String(number).padStart(12, '0')}`
}
