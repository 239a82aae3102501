import { randomUUID } from 'node:crypto'
import { GenerationalCache, type MeteredCache } from '../../lib/cache.ts'
import {
  AccountError,
  type AccountStore,
  type AccountTransaction,
  type AuditContext,
  type AuditLog,
} from '../store/account-store.ts'
import type { KeySource, Plan, StoredKey } from '../store/account-tables.ts'
import { DEFAULT_KEY_PREFIX, generateSecret, hashSecret, keyHint } from './api-key.ts'
import { type PlanStore, TEST_PLAN } from './plan-store.ts'

/** A key without its secrets, which are stored only as hashes. */
export interface KeyRecord extends Omit<StoredKey, 'hash' | 'previous'> {
  /** The secret before the last rotation, which is valid until `endsAt`. */
  readonly previous?: { readonly hint: string; readonly endsAt: number }
}

/** A key resolved for a request: with its plan and its state. */
export interface ResolvedKey {
  readonly id: string
  readonly source: KeySource
  readonly origins?: readonly string[]
  /** Why the secret is not valid; absent for active keys. `disabled` is the account of the key. */
  readonly ended?: 'revoked' | 'rotated' | 'disabled' | 'expired'
  readonly plan: Plan
  /** The account that it belongs to, if it is one of an account. */
  readonly accountId?: string
  /** The owner of the quota counter: the account, whose keys share a quota, the subscription, or the key itself. */
  readonly quotaOwner: string
}

/** The properties of a key to create. */
export interface NewKey {
  readonly source: KeySource
  /** What the key is for. */
  readonly name?: string
  /** Absent for keys of an account, which have the account's plan. */
  readonly plan?: string
  readonly accountId?: string
  readonly subscription?: string
  readonly origins?: readonly string[]
  /** A secret that the marketplace generated. */
  readonly secret?: string
  /** Until when a test key is valid. */
  readonly testUntil?: number
}

/** A created or rotated key with its secret. */
export interface CreatedKey {
  readonly key: string
  readonly record: KeyRecord
}

/** What the owner can change of a key. An empty list of origins allows any. */
interface KeyChange {
  readonly name?: string | undefined
  readonly origins?: readonly string[] | undefined
}

/** The limit of the cache, for about 10,000 keys; the fixed part of an entry is an estimate. */
const MAX_CACHE_BYTES = 4 * 1024 * 1024
const CACHED_KEY_BYTES = 350

/** Longer texts cannot be keys and are not hashed. */
const MAX_SECRET_LENGTH = 256

const MAX_NAME_LENGTH = 100
const MAX_ORIGINS = 32

/** Active keys of one account. */
const MAX_ACTIVE_KEYS = 20

/** How long the previous secret stays valid after a rotation. */
export const DEFAULT_OVERLAP_SECONDS = 86_400
export const MAX_OVERLAP_SECONDS = 30 * 86_400

/** How long a test key is valid. */
const TEST_KEY_SECONDS = 3_600

interface CachedKey {
  readonly key: ResolvedKey
  /** When the state of the key changes by time alone. */
  readonly expiresAt: number
}

/**
 * The API keys. A new key is active in all processes at once. A revoked one becomes invalid at once in the process that
 * revokes it, and within 20 ms in the others.
 */
export class KeyStore {
  private readonly store: AccountStore
  private readonly plans: PlanStore
  private readonly audit: AuditLog
  private readonly prefix: string
  // A hit saves SHA-256 and three reads of the store, a twentieth of the time of a small response. The revision is the
  // version of the entries, so a commit of any process invalidates them.
  private readonly cache = new GenerationalCache<string, CachedKey>({
    name: 'keys',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: (_, secret) => CACHED_KEY_BYTES + secret.length,
  })

  constructor(store: AccountStore, plans: PlanStore, audit: AuditLog, prefix = DEFAULT_KEY_PREFIX) {
    this.store = store
    this.plans = plans
    this.audit = audit
    this.prefix = prefix
  }

  /**
   * Finds the key with this secret, active or not. Safe against timing attacks: the store is searched by SHA-256, and
   * the cache by V8's seeded string hash, so the duration does not reveal how much of a guess is right.
   */
  find(secret: string, now: number): ResolvedKey | undefined {
    if (secret.length === 0 || secret.length > MAX_SECRET_LENGTH) return undefined
    const revision = this.store.revision()
    const cached = this.cache.get(secret, revision)
    if (cached !== undefined && now < cached.expiresAt) return cached.key
    const resolved = this.resolve(hashSecret(secret), now)
    if (resolved === undefined) return undefined
    this.cache.set(secret, resolved, revision)
    return resolved.key
  }

  /** The caches of this store, for the metrics. */
  caches(): readonly MeteredCache[] {
    return [this.cache]
  }

  /** Lists all keys, or those of an account, oldest first, revoked ones included. */
  list(accountId?: string): KeyRecord[] {
    const records: KeyRecord[] = []
    for (const { value } of this.store.tables.keys.getRange()) {
      if (accountId === undefined || value.accountId === accountId) records.push(this.toRecord(value))
    }
    return records.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  }

  /** The key with an id; throws if there is none. */
  require(id: string): KeyRecord {
    return this.toRecord(this.requireStored(id))
  }

  /** The key with an id, if there is one. */
  get(id: string): KeyRecord | undefined {
    const stored = this.store.tables.keys.get(id)
    return stored && this.toRecord(stored)
  }

  /** Creates a key. The secret is returned here only. */
  async create(key: NewKey, context: AuditContext): Promise<CreatedKey> {
    return this.store.commit((tx) => this.applyCreate(tx, key, context))
  }

  /** Creates the test key of an account: valid for an hour, with a quota of its own. It replaces the one before. */
  async createTest(accountId: string, context: AuditContext): Promise<CreatedKey> {
    return this.store.commit((tx) => {
      for (const { id, testUntil } of this.list(accountId)) if (testUntil !== undefined) this.applyDelete(tx, id)
      const key = { source: 'direct', name: 'test', accountId, testUntil: context.now + TEST_KEY_SECONDS } as const
      return this.applyCreate(tx, key, context)
    })
  }

  /** Creates a key within a commit. */
  applyCreate(tx: AccountTransaction, key: NewKey, context: AuditContext): CreatedKey {
    const { accountId, subscription, testUntil } = key
    const plan = accountId === undefined ? this.plans.require(key.plan ?? '').name : ''
    if (accountId !== undefined && this.list(accountId).filter(isActive).length >= MAX_ACTIVE_KEYS) {
      const message = `An account can have ${MAX_ACTIVE_KEYS} keys at a time; revoke one that is not needed`
      throw new AccountError('too_many_keys', message)
    }
    const secret = key.secret ?? generateSecret(key.source, this.prefix)
    const origins = normalizeOrigins(key.origins)
    const stored: StoredKey = {
      id: randomUUID(),
      source: key.source,
      name: key.name === undefined ? '' : normalizeName(key.name),
      plan,
      ...(accountId !== undefined && { accountId }),
      ...(subscription !== undefined && { subscription }),
      ...(origins !== undefined && { origins }),
      createdAt: context.now,
      ...(testUntil !== undefined && { testUntil }),
      hint: keyHint(key.source, secret, this.prefix),
      hash: hashSecret(secret),
    }
    tx.put('keys', stored.id, stored)
    tx.put('keyIds', stored.hash, stored.id)
    const { source, name } = stored
    this.audit.add(tx, context, 'key.created', stored.id, { source, name, ...(plan !== '' && { plan }) })
    return { key: secret, record: this.toRecord(stored) }
  }

  /**
   * Replaces the secret of a key. The previous one stays valid for the overlap, so that apps can be migrated. Everything
   * else, the counters included, stays.
   */
  async rotate(id: string, overlapSeconds: number, context: AuditContext): Promise<CreatedKey> {
    return this.store.commit((tx) => {
      const stored = this.requireStored(id)
      if (stored.revokedAt !== undefined) throw new AccountError('key_ended', 'The key was revoked; make a new one')
      if (stored.previous !== undefined) tx.delete('keyIds', stored.previous.hash)
      const secret = generateSecret(stored.source, this.prefix)
      const { previous: _, ...rest } = stored
      const rotated: StoredKey = {
        ...rest,
        hash: hashSecret(secret),
        hint: keyHint(stored.source, secret, this.prefix),
        previous: { hint: stored.hint, hash: stored.hash, endsAt: context.now + overlapSeconds },
      }
      tx.put('keys', id, rotated)
      tx.put('keyIds', rotated.hash, id)
      this.audit.add(tx, context, 'key.rotated', id, { overlapSeconds })
      return { key: secret, record: this.toRecord(rotated) }
    })
  }

  /** Renames a key, or sets its allowed origins. */
  async change(id: string, { name, origins }: KeyChange, context: AuditContext): Promise<KeyRecord> {
    return this.store.commit((tx) => {
      const { origins: before, ...rest } = this.requireStored(id)
      const after = origins === undefined ? before : normalizeOrigins(origins)
      const changed: StoredKey = {
        ...rest,
        ...(name !== undefined && { name: normalizeName(name) }),
        ...(after !== undefined && { origins: after }),
      }
      tx.put('keys', id, changed)
      this.audit.add(tx, context, 'key.changed', id, {
        name,
        origins: origins === undefined ? undefined : (after ?? []),
      })
      return this.toRecord(changed)
    })
  }

  /** Sets the plan of a key, from the next request on. */
  async setPlan(id: string, plan: string, context: AuditContext): Promise<KeyRecord> {
    return this.store.commit((tx) => this.applySetPlan(tx, id, plan, context))
  }

  /** Sets the plan of a key within a commit. */
  applySetPlan(tx: AccountTransaction, id: string, plan: string, context: AuditContext): KeyRecord {
    const stored = this.requireStored(id)
    if (stored.accountId !== undefined) {
      const message = `The key belongs to the account ${stored.accountId}, whose keys share its plan; change that one`
      throw new AccountError('unknown_plan', message)
    }
    const changed = { ...stored, plan: this.plans.require(plan).name }
    tx.put('keys', id, changed)
    this.audit.add(tx, context, 'key.plan_changed', id, { from: stored.plan, to: plan })
    return this.toRecord(changed)
  }

  /** Revokes a key for good. */
  async revoke(id: string, context: AuditContext): Promise<KeyRecord> {
    return this.store.commit((tx) => this.applyRevoke(tx, id, context))
  }

  /** Revokes a key within a commit. A key that is revoked already is not changed. */
  applyRevoke(tx: AccountTransaction, id: string, context: AuditContext): KeyRecord {
    const stored = this.requireStored(id)
    if (stored.revokedAt !== undefined) return this.toRecord(stored)
    const revoked = { ...stored, revokedAt: context.now }
    tx.put('keys', id, revoked)
    this.audit.add(tx, context, 'key.revoked', id)
    return this.toRecord(revoked)
  }

  /** Deletes a key within a commit, as if it had never been. */
  applyDelete(tx: AccountTransaction, id: string): void {
    const { hash, previous } = this.requireStored(id)
    tx.delete('keys', id)
    tx.delete('keyIds', hash)
    if (previous !== undefined) tx.delete('keyIds', previous.hash)
  }

  private requireStored(id: string): StoredKey {
    const stored = this.store.tables.keys.get(id)
    if (stored === undefined) throw new AccountError('unknown_key', `No key has the id ${id}`)
    return stored
  }

  private resolve(hash: string, now: number): CachedKey | undefined {
    const { keyIds, keys, accounts } = this.store.tables
    const id = keyIds.get(hash)
    const stored = id === undefined ? undefined : keys.get(id)
    if (stored === undefined) return undefined
    const { source, origins, accountId, subscription, previous, testUntil = Number.POSITIVE_INFINITY } = stored
    const account = accountId === undefined ? undefined : accounts.get(accountId)
    const isTest = stored.testUntil !== undefined
    const plan = isTest ? TEST_PLAN : this.plans.require(accountId === undefined ? stored.plan : (account?.plan ?? ''))
    const rotatedAt = previous?.hash === hash ? previous.endsAt : Number.POSITIVE_INFINITY
    const endings = [
      stored.revokedAt !== undefined && 'revoked',
      account?.disabledAt !== undefined && 'disabled',
      now >= rotatedAt && 'rotated',
      now >= testUntil && 'expired',
    ] as const
    const ended = endings.find((ending) => ending !== false)
    const key: ResolvedKey = Object.freeze({
      id: stored.id,
      source,
      ...(origins !== undefined && { origins }),
      ...(ended !== undefined && { ended }),
      plan,
      ...(accountId !== undefined && { accountId }),
      // A subscription keeps its counter when it restarts or gets another key.
      quotaOwner: isTest
        ? `test/${accountId}`
        : (accountId ?? (subscription === undefined ? stored.id : `subscription/${subscription}`)),
    })
    return { key, expiresAt: ended === undefined ? Math.min(rotatedAt, testUntil) : Number.POSITIVE_INFINITY }
  }

  private toRecord({ hash: _, previous, plan, ...stored }: StoredKey): KeyRecord {
    const { accountId } = stored
    const { id, source, name, ...rest } = stored
    return Object.freeze({
      id,
      source,
      name,
      plan:
        rest.testUntil !== undefined
          ? TEST_PLAN.name
          : accountId === undefined
            ? plan
            : (this.store.tables.accounts.get(accountId)?.plan ?? plan),
      ...rest,
      ...(previous !== undefined && { previous: { hint: previous.hint, endsAt: previous.endsAt } }),
    })
  }
}

/** Whether a key counts towards the limit of an account; its test key does not. */
function isActive({ revokedAt, testUntil }: KeyRecord): boolean {
  return revokedAt === undefined && testUntil === undefined
}

function normalizeName(name: string): string {
  const clean = name.trim().replaceAll(/\s+/g, ' ')
  if (clean === '') throw new AccountError('invalid_name', 'The name is empty; it must say what the key is for')
  if (clean.length <= MAX_NAME_LENGTH) return clean
  throw new AccountError(
    'invalid_name',
    `The name has ${clean.length} characters; at most ${MAX_NAME_LENGTH} are taken`,
  )
}

/** Normalizes and deduplicates origins; undefined if any origin is allowed. */
function normalizeOrigins(origins: readonly string[] | undefined): string[] | undefined {
  if (origins === undefined || origins.length === 0) return undefined
  if (origins.length > MAX_ORIGINS) {
    const message = `A key can be limited to ${MAX_ORIGINS} origins; ${origins.length} were given`
    throw new AccountError('invalid_origin', message)
  }
  return [...new Set(origins.map(normalizeOrigin))]
}

/** Normalizes a web origin to the form in which browsers send it. */
function normalizeOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const bare = text.trim().replace(/\/$/, '').toLowerCase()
  if (url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:') && isOriginOnly(url)) {
    return url.origin
  }
  // Mobile apps have origins too, such as capacitor://localhost.
  if (/^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(bare) && url?.protocol !== 'https:') return bare
  const message = `"${text}" is not a web origin; a scheme and a host are needed, such as https://app.example`
  throw new AccountError('invalid_origin', message)
}

function isOriginOnly({ hostname, pathname, search, hash, username, password }: URL): boolean {
  return (
    !hostname.includes('*') && pathname === '/' && search === '' && hash === '' && username === '' && password === ''
  )
}
