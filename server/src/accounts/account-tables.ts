import { mkdirSync } from 'node:fs'
import { type Database, open, type RootDatabase } from 'lmdb'
import { UserError } from '../lib/user-error.ts'
import type { Account, Credential, Invitation } from './account.ts'
import type { AuditEntry } from './audit-log.ts'
import type { StoredKey } from './key-store.ts'
import type { Plan } from './plan.ts'
import type { Settlement } from './postgres/settlement.ts'
import type { StoredSession } from './session-store.ts'
import type { Attempts } from './throttle.ts'
import type { KeyUse, UsageRecord } from './usage-book.ts'

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
  readonly outbox: Settlement
  /** The format of the tables, a number that every commit raises, and, in a copy, what it is a copy of. */
  readonly meta: number
}

export type AccountTable = keyof AccountRows

/** The tables, to be read from. */
export type AccountTables = { readonly [T in AccountTable]: Database<AccountRows[T], string> }

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
  const table = <T extends AccountTable>(name: T) => root.openDB<AccountRows[T], string>({ name })
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
