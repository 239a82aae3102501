import { resolve } from 'node:path'
import type { Database, RootDatabase } from 'lmdb'
import { UserError } from '../../lib/errors.ts'
import { makeFolder } from '../../lib/files.ts'
import { openLmdb } from '../../lib/lmdb/lmdb.ts'
import type { ChangeType } from '../../model/change.ts'
import type { OutputLanguage } from '../../model/language.ts'
import type { ItemType, ShowType } from '../../model/show.ts'
import type { QuotaDelta } from './quota-store.ts'
import type { KeyUse, UsageDelta, UsageRecord } from './usage-store.ts'

/** Raised when rows change in a way that earlier versions of the program would misread. */
const ACCOUNTS_FORMAT = 2

/** The row type of each table. All keys are strings. */
export interface AccountRows {
  readonly keys: StoredKey
  /** Key ids by the hash of a secret. */
  readonly keyIds: string
  /** Ids of marketplace keys by subscription. */
  readonly subscriptions: string
  readonly accounts: Account
  /** Password salts by e-mail address. */
  readonly salts: string
  /** By e-mail address and derived password. */
  readonly credentials: Credential
  readonly invitations: Invitation
  readonly resets: PasswordReset
  readonly sessions: StoredSession
  readonly plans: Plan
  readonly feeds: SavedFeed
  readonly webhooks: StoredWebhook
  /** How far deliveries to a webhook are, by its id. Only the process that delivers writes them. */
  readonly webhookStates: WebhookState
  /** The latest deliveries, by webhook and number. */
  readonly webhookLog: DeliveryRecord
  /** Messages that were given up, by webhook and message. */
  readonly deadLetters: DeadLetter
  /** By a zero-padded sequence number, so that the key order is the order of time. */
  readonly audit: AuditEntry
  readonly attempts: Attempts
  /** Requests counted against quotas, by owner and period. */
  readonly quota: number
  readonly hours: UsageRecord
  readonly days: UsageRecord
  readonly uses: KeyUse
  /** Counter flushes that PostgreSQL has not received yet, by process and sequence number. */
  readonly outbox: CounterFlush
  /** `format`; `revision`, which every commit increments; and, in a replica, `ledger`, the hash of the ledger's id. */
  readonly meta: number
}

/** Where a key comes from: the service's own platform, or a third-party marketplace. */
export const KEY_SOURCES = ['direct', 'marketplace'] as const
export type KeySource = (typeof KEY_SOURCES)[number]

/** A key with the hashes of its current and its previous secret. */
export interface StoredKey {
  readonly id: string
  readonly source: KeySource
  readonly name: string
  /** The plan of the key. Keys of an account have the account's plan instead. */
  readonly plan: string
  readonly accountId?: string
  /** The marketplace subscription that the key belongs to. */
  readonly subscription?: string
  /** Web origins from which browsers may use the key; absent means any. */
  readonly origins?: readonly string[]
  readonly createdAt: number
  readonly revokedAt?: number
  /** Until when a test key is valid. It has a small quota of its own; other keys have no end. */
  readonly testUntil?: number
  /** The visible part of the secret, by which the owner recognises the key. */
  readonly hint: string
  readonly hash: string
  /** The secret before the last rotation, which is valid until `endsAt`. */
  readonly previous?: { readonly hint: string; readonly endsAt: number; readonly hash: string }
}

/** The calendar periods of a quota, in UTC. */
export const QUOTA_PERIODS = ['month', 'day'] as const
export type QuotaPeriod = (typeof QUOTA_PERIODS)[number]

/** The limits of a key. */
export interface Plan {
  readonly name: string
  /** Requests granted per calendar period; absent means unlimited. */
  readonly quota?: { readonly requests: number; readonly per: QuotaPeriod }
  /** Requests per second; absent means unlimited. */
  readonly rate?: number
  /** Whether exports of the catalog are included; absent means that only a plan without a quota includes them. */
  readonly exports?: boolean
  /** Whether the plan is no longer offered; those who are on it stay on it. */
  readonly hidden?: boolean
}

/** A filter of feeds that an account has saved under a signed address. */
export interface SavedFeed {
  readonly id: string
  readonly accountId: string
  readonly name: string
  /** The filter as the query string of a feed. */
  readonly search: string
  /** Signs the address. */
  readonly secret: string
  readonly createdAt: number
}

/** Which changes a webhook gets. Empty lists mean all. */
export interface WebhookFilter {
  readonly country: string
  readonly changeTypes: readonly ChangeType[]
  readonly itemTypes: readonly ItemType[]
  /** `<service>`, `<service>.<type>` or `<service>.addon.<addon>`. */
  readonly catalogs: readonly string[]
  readonly showType?: ShowType
  /** Ids of shows. */
  readonly shows: readonly string[]
  /** Ids of genres, one of which a show must have; any if absent. */
  readonly genres?: readonly string[]
  readonly language: OutputLanguage
  /** How many days ahead `expiring` is sent. */
  readonly leadDays: number
}

/** An address to which changes are delivered. */
export interface StoredWebhook {
  readonly id: string
  /** Absent for one of the operator. */
  readonly accountId?: string
  readonly name: string
  readonly url: string
  readonly filter: WebhookFilter
  /** Signs messages: `whsec_` and base64. */
  readonly secret: string
  /** The secret before the last rotation, which signs, too, until `endsAt`. */
  readonly previous?: { readonly secret: string; readonly endsAt: number }
  readonly createdAt: number
  /** The journal token behind which it begins. */
  readonly since: string
  readonly paused?: { readonly at: number; readonly reason: 'owner' | 'failing' }
  /** Raised by every change, so that the process that delivers notices it. */
  readonly revision: number
}

/** The position of a webhook in the journal, and what is being tried again. */
export interface WebhookState {
  /** Everything before this token was delivered or given up. */
  readonly position: string
  /** Windows that end by this instant were announced. */
  readonly expiringUntil: number
  /** Within the windows up to `to`, where the next message begins. */
  readonly expiringSpan?: { readonly to: number; readonly cursor: string }
  /** The message that failed last. */
  readonly retry?: { readonly id: string; readonly attempts: number; readonly firstAt: number; readonly nextAt: number }
  /** Since when no delivery has succeeded. */
  readonly failingSince?: number
  /** The number of the next delivery in the log. */
  readonly deliveries: number
}

/** One attempt to deliver a message. */
export interface DeliveryRecord {
  /** Counts the deliveries of a webhook; absent in the answer to a test. */
  readonly number?: number
  /** The id of the message. */
  readonly id: string
  readonly at: number
  readonly changes: number
  readonly attempt: number
  /** Absent if there was no answer. */
  readonly status?: number
  readonly ms: number
  /** The first kilobyte of the answer. */
  readonly answer?: string
  readonly error?: string
}

/** A message that was given up after a day. The journal still has its changes. */
export interface DeadLetter {
  readonly id: string
  readonly webhookId: string
  readonly at: number
  readonly changes: number
  readonly error: string
  /** The state from which the message is made again. */
  readonly from: Pick<WebhookState, 'position' | 'expiringUntil' | 'expiringSpan'>
  /** Set when its owner asks for it to be delivered again. */
  readonly replay?: boolean
}

/** `admin` may also use the operator's pages. */
export type AccountRole = 'developer' | 'admin'

/** A developer's account. Its keys share its plan. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly role: AccountRole
  readonly plan: string
  readonly createdAt: number
  /** Since when nobody can sign in and no key of it is valid; absent for active accounts. */
  readonly disabledAt?: number
}

/** The account that an e-mail address and a password identify. */
interface Credential {
  readonly accountId: string
}

/** A permission to sign up, stored under the hash of its code. */
interface Invitation {
  readonly email: string
  readonly createdAt: number
  readonly endsAt: number
}

/** A permission to set a new password, stored under the hash of its code. */
interface PasswordReset {
  readonly accountId: string
  readonly createdAt: number
  readonly endsAt: number
}

/** A session, stored under the hash of its token. */
export interface StoredSession {
  readonly accountId: string
  readonly createdAt: number
  readonly endsAt: number
}

/** A fixed-window counter of attempts. */
export interface Attempts {
  readonly count: number
  readonly endsAt: number
}

/** Who made a change: the operator at the command line, the marketplace, the service itself, or an account's owner. */
export type Actor = 'operator' | 'marketplace' | 'service' | `account:${string}`

/** The kinds of changes that the audit log records. */
export type AuditAction =
  | 'account.created'
  | 'account.deleted'
  | 'account.disabled'
  | 'account.enabled'
  | 'account.password_changed'
  | 'account.password_reset'
  | 'account.plan_changed'
  | 'account.unlocked'
  | 'account.reset_created'
  | 'account.role_changed'
  | 'account.sessions_ended'
  | 'invitation.created'
  | 'key.created'
  | 'key.changed'
  | 'key.plan_changed'
  | 'key.rotated'
  | 'key.revoked'
  | 'plan.set'
  | 'plan.removed'
  | 'feed.created'
  | 'feed.deleted'
  | 'webhook.created'
  | 'webhook.changed'
  | 'webhook.rotated'
  | 'webhook.deleted'
  | 'source.added'
  | 'source.unscheduled'
  | 'source.removed'
  | 'source.paused'
  | 'source.resumed'
  | 'source.run'
  | 'catalog.imported'
  | 'catalog.demo'

/** One entry of the audit log. */
export interface AuditEntry {
  readonly at: number
  readonly by: Actor
  readonly action: AuditAction
  /** The id of the changed account or key, or the name of the plan, source or file. */
  readonly target: string
  /** What was changed; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Counter deltas of one process. PostgreSQL applies each flush once, by `settler` and `number`. */
export interface CounterFlush {
  /** The id of the flushing process. */
  readonly settler: string
  /** The sequence number of this flush within the process. */
  readonly number: number
  readonly quota: readonly QuotaDelta[]
  readonly usage: readonly UsageDelta[]
}

export type AccountTableName = keyof AccountRows

/** The tables. Only `AccountStore.commit` and the counters write to them. */
export type AccountTables = { readonly [T in AccountTableName]: Database<AccountRows[T], string> }

/** The LMDB environment of the accounts, and its tables. */
export interface AccountEnvironment {
  readonly root: RootDatabase
  readonly tables: AccountTables
  close(): Promise<void>
}

/** Thrown when a folder holds accounts that this version cannot read. */
export class AccountsFormatError extends UserError {
  override readonly name = 'AccountsFormatError'
}

interface OpenedTables {
  readonly root: RootDatabase
  readonly tables: AccountTables
  users: number
}

/**
 * The environments that this process has open, by folder. A second one of the same folder would not know the transactions of the
 * first: a synchronous transaction would wait for an asynchronous one, which needs this thread to go on.
 */
const opened = new Map<string, OpenedTables>()

/** Opens the LMDB environment of the accounts in a folder, and creates it if there is none. */
export function openAccountTables(dir: string): AccountEnvironment {
  const folder = resolve(dir)
  const shared = opened.get(folder) ?? { ...openTables(folder), users: 0 }
  opened.set(folder, shared)
  shared.users++
  let isOpen = true
  return {
    root: shared.root,
    tables: shared.tables,
    close: async () => {
      if (!isOpen) return
      isOpen = false
      if (--shared.users > 0) return
      opened.delete(folder)
      await shared.root.close()
    },
  }
}

function openTables(dir: string): Omit<OpenedTables, 'users'> {
  makeFolder(dir)
  const root = openLmdb({ path: dir, maxDbs: 32 })
  const table = <T extends AccountTableName>(name: T) => root.openDB<AccountRows[T], string>({ name })
  const tables: AccountTables = {
    keys: table('keys'),
    keyIds: table('keyIds'),
    subscriptions: table('subscriptions'),
    accounts: table('accounts'),
    salts: table('salts'),
    credentials: table('credentials'),
    invitations: table('invitations'),
    resets: table('resets'),
    sessions: table('sessions'),
    plans: table('plans'),
    feeds: table('feeds'),
    webhooks: table('webhooks'),
    webhookStates: table('webhookStates'),
    webhookLog: table('webhookLog'),
    deadLetters: table('deadLetters'),
    audit: table('audit'),
    attempts: table('attempts'),
    quota: table('quota'),
    hours: table('hours'),
    days: table('days'),
    uses: table('uses'),
    outbox: table('outbox'),
    meta: table('meta'),
  }
  // Tables with a revision but without a format are of format 1.
  const readFormat = () => tables.meta.get('format') ?? (tables.meta.get('revision') === undefined ? undefined : 1)
  if (readFormat() === undefined) {
    // Another process may have written it meanwhile.
    root.transactionSync(() => readFormat() ?? tables.meta.put('format', ACCOUNTS_FORMAT))
  }
  const format = readFormat()
  if (format !== ACCOUNTS_FORMAT) {
    throw new AccountsFormatError(
      `The accounts in ${dir} have the format ${format}, and this version reads ${ACCOUNTS_FORMAT}; ` +
        'move the folder away and create the keys again',
    )
  }
  return { root, tables }
}
