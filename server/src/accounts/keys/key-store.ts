import { randomUUID } from 'node:crypto'
import type { Plan } from '../plans/plan.ts'
import type { PlanStore } from '../plans/plan-store.ts'
import { AccountError } from '../store/account-error.ts'
import type { AccountStore, AccountTransaction } from '../store/account-store.ts'
import type { AuditContext, AuditLog } from '../store/audit-log.ts'
import { DEFAULT_KEY_PREFIX, generateSecret, hashSecret, type KeySource, keyHint } from './api-key.ts'

/** What is known of a key; the secret itself is not kept anywhere. */
export interface KeyRecord {
  readonly id: string
  readonly source: KeySource
  readonly name: string
  /** The plan that the key is on; keys of an account are on the account's. */
  readonly plan: string
  readonly accountId?: string
  /** The marketplace's subscription that the key belongs to. */
  readonly subscription?: string
  /** Web origins from which browsers may use the key; absent means from anywhere. */
  readonly origins?: readonly string[]
  readonly createdAt: number
  readonly revokedAt?: number
  /** Enough of the key for its owner to recognise it. */
  readonly hint: string
  /** The secret before the last rotation, while it is still good. */
  readonly previous?: { readonly hint: string; readonly endsAt: number }
}

/** A key as it is stored: with the hashes of its secrets. */
export interface StoredKey extends Omit<KeyRecord, 'previous'> {
  readonly hash: string
  readonly previous?: { readonly hint: string; readonly endsAt: number; readonly hash: string }
}

/** A key as a request meets it. */
export interface ResolvedKey {
  readonly id: string
  readonly source: KeySource
  readonly origins?: readonly string[]
  /** Why the key is no longer good, if it is not. */
  readonly ended?: 'revoked' | 'rotated'
  readonly plan: Plan
  /** Whom its requests are counted for: the account, whose keys share a quota, or the key itself. */
  readonly quotaOwner: string
}

/** What has to be said to make a key. */
export interface NewKey {
  readonly source: KeySource
  /** What the key is for; a key may go without. */
  readonly name?: string
  /** Left out for keys of an account, which are on the account's plan. */
  readonly plan?: string
  readonly accountId?: string
  readonly subscription?: string
  readonly origins?: readonly string[]
  /** A secret that somebody else made. */
  readonly secret?: string
}

/** A key that was just made, or made anew, with its secret. */
export interface CreatedKey {
  readonly key: string
  readonly record: KeyRecord
}

/** What can be altered of a key by its owner; an empty list of origins lifts the limit. */
export interface KeyChange {
  readonly name?: string | undefined
  readonly origins?: readonly string[] | undefined
}

/** Keys remembered in memory; beyond that the oldest are forgotten and looked up again. */
const MAX_CACHED_KEYS = 10_000

/** Longer texts cannot be keys, and are not worth hashing. */
const MAX_SECRET_LENGTH = 256

const MAX_NAME_LENGTH = 100
const MAX_ORIGINS = 32

/** Keys of one account that are good at a time. */
export const MAX_ACTIVE_KEYS = 20

/** How long the former secret stays good after a rotation, unless said otherwise, and at most. */
export const DEFAULT_OVERLAP_SECONDS = 86_400
export const MAX_OVERLAP_SECONDS = 30 * 86_400

interface CachedKey {
  readonly key: ResolvedKey
  /** The instant at which it has to be looked at again. */
  readonly expiresAt: number
}

/**
 * The keys of the service. A new key is good in all processes at once; a revoked one ends at once in the process that
 * revokes it, and within 20 ms in the others.
 */
export class KeyStore {
  private readonly store: AccountStore
  private readonly plans: PlanStore
  private readonly audit: AuditLog
  private readonly prefix: string
  // Hot keys, by secret, skip SHA-256 and the store: together they take a twentieth of a small answer. Every commit
  // raises the revision, which outdates the memory of every process.
  private readonly cache = new Map<string, CachedKey>()
  private revision = -1

  constructor(ledger: AccountStore, plans: PlanStore, audit: AuditLog, prefix = DEFAULT_KEY_PREFIX) {
    this.store = ledger
    this.plans = plans
    this.audit = audit
    this.prefix = prefix
  }

  /**
   * The key with this secret, ended or not. How long it takes says nothing about the secret: the store is asked by its
   * SHA-256, and memory by V8's own hash, whose seed nobody knows. Neither tells how much of a guess is right.
   */
  find(secret: string, now: number): ResolvedKey | undefined {
    if (secret.length === 0 || secret.length > MAX_SECRET_LENGTH) return undefined
    const revision = this.store.revision()
    if (revision !== this.revision) this.cache.clear()
    this.revision = revision
    const require = this.cache.get(secret)
    if (require !== undefined && now < require.expiresAt) return require.key
    const found = this.resolve(hashSecret(secret), now)
    if (found === undefined) return undefined
    if (this.cache.size >= MAX_CACHED_KEYS) {
      this.cache.delete(this.cache.keys().next().value as string)
    }
    this.cache.set(secret, found)
    return found.key
  }

  /** All keys, or those of an account, oldest first, revoked ones included. */
  list(accountId?: string): KeyRecord[] {
    const records: KeyRecord[] = []
    for (const { value } of this.store.tables.keys.getRange()) {
      if (accountId === undefined || value.accountId === accountId) records.push(this.toRecord(value))
    }
    return records.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  }

  /** The key with an id; one that is not known is a problem for the caller to hear of. */
  known(id: string): KeyRecord {
    return this.toRecord(this.stored(id))
  }

  get(id: string): KeyRecord | undefined {
    const requireStored = this.store.tables.keys.get(id)
    return requireStored && this.toRecord(requireStored)
  }

  /** Makes a key. The secret is in the answer and never again. */
  async create(key: NewKey, act: AuditContext): Promise<CreatedKey> {
    return this.store.commit((writes) => this.applyCreate(writes, key, act))
  }

  /** Makes a key within a commit. */
  applyCreate(writes: AccountTransaction, key: NewKey, act: AuditContext): CreatedKey {
    const { accountId, subscription } = key
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
      createdAt: act.now,
      hint: keyHint(key.source, secret, this.prefix),
      hash: hashSecret(secret),
    }
    writes.put('keys', stored.id, stored)
    writes.put('keyIds', stored.hash, stored.id)
    const { source, name } = stored
    this.audit.add(writes, act, 'key.created', stored.id, { source, name, ...(plan !== '' && { plan }) })
    return { key: secret, record: this.toRecord(stored) }
  }

  /**
   * Gives a key another secret, which is good at once; the present one stays good for the overlap, so that apps can be
   * moved over in peace. Everything else of the key, its counts included, stays.
   */
  async rotate(id: string, overlapSeconds: number, act: AuditContext): Promise<CreatedKey> {
    return this.store.commit((writes) => {
      const stored = this.stored(id)
      if (stored.revokedAt !== undefined) throw new AccountError('key_ended', 'The key was revoked; make a new one')
      if (stored.previous !== undefined) writes.delete('keyIds', stored.previous.hash)
      const secret = generateSecret(stored.source, this.prefix)
      const { previous: _, ...rest } = stored
      const rotated: StoredKey = {
        ...rest,
        hash: hashSecret(secret),
        hint: keyHint(stored.source, secret, this.prefix),
        previous: { hint: stored.hint, hash: stored.hash, endsAt: act.now + overlapSeconds },
      }
      writes.put('keys', id, rotated)
      writes.put('keyIds', rotated.hash, id)
      this.audit.add(writes, act, 'key.rotated', id, { overlapSeconds })
      return { key: secret, record: this.toRecord(rotated) }
    })
  }

  /** Renames a key, or limits it to other origins. */
  async change(id: string, { name, origins }: KeyChange, act: AuditContext): Promise<KeyRecord> {
    return this.store.commit((writes) => {
      const { origins: before, ...rest } = this.stored(id)
      const after = origins === undefined ? before : normalizeOrigins(origins)
      const changed: StoredKey = {
        ...rest,
        ...(name !== undefined && { name: normalizeName(name) }),
        ...(after !== undefined && { origins: after }),
      }
      writes.put('keys', id, changed)
      this.audit.add(writes, act, 'key.changed', id, {
        name,
        origins: origins === undefined ? undefined : (after ?? []),
      })
      return this.toRecord(changed)
    })
  }

  /** Puts a key on another plan; it holds from the next request on. */
  async setPlan(id: string, plan: string, act: AuditContext): Promise<KeyRecord> {
    return this.store.commit((writes) => this.applySetPlan(writes, id, plan, act))
  }

  /** Puts a key on another plan within a commit. */
  applySetPlan(writes: AccountTransaction, id: string, plan: string, act: AuditContext): KeyRecord {
    const stored = this.stored(id)
    if (stored.accountId !== undefined) {
      const message = `The key belongs to the account ${stored.accountId}, whose keys share its plan; change that one`
      throw new AccountError('unknown_plan', message)
    }
    const changed = { ...stored, plan: this.plans.require(plan).name }
    writes.put('keys', id, changed)
    this.audit.add(writes, act, 'key.plan_changed', id, { from: stored.plan, to: plan })
    return this.toRecord(changed)
  }

  /** Ends a key for good. */
  async revoke(id: string, act: AuditContext): Promise<KeyRecord> {
    return this.store.commit((writes) => this.applyRevoke(writes, id, act))
  }

  /** Ends a key within a commit; one that has ended already stays as it is. */
  applyRevoke(writes: AccountTransaction, id: string, act: AuditContext): KeyRecord {
    const stored = this.stored(id)
    if (stored.revokedAt !== undefined) return this.toRecord(stored)
    const revoked = { ...stored, revokedAt: act.now }
    writes.put('keys', id, revoked)
    this.audit.add(writes, act, 'key.revoked', id)
    return this.toRecord(revoked)
  }

  private stored(id: string): StoredKey {
    const stored = this.store.tables.keys.get(id)
    if (stored === undefined) throw new AccountError('unknown_key', `No key has the id ${id}`)
    return stored
  }

  private resolve(hash: string, now: number): CachedKey | undefined {
    const { keyIds, keys, accounts } = this.store.tables
    const id = keyIds.get(hash)
    const stored = id === undefined ? undefined : keys.get(id)
    if (stored === undefined) return undefined
    const { source, origins, accountId, subscription, previous } = stored
    const plan = this.plans.require(accountId === undefined ? stored.plan : (accounts.get(accountId)?.plan ?? ''))
    const rotatedAt = previous?.hash === hash ? previous.endsAt : Number.POSITIVE_INFINITY
    const ended = stored.revokedAt !== undefined ? 'revoked' : now >= rotatedAt ? 'rotated' : undefined
    const key: ResolvedKey = Object.freeze({
      id: stored.id,
      source,
      ...(origins !== undefined && { origins }),
      ...(ended !== undefined && { ended }),
      plan,
      // A subscription that ends and begins again, or gets another key, is still the same one.
      quotaOwner: accountId ?? (subscription === undefined ? stored.id : `subscription/${subscription}`),
    })
    return { key, expiresAt: ended === undefined ? rotatedAt : Number.POSITIVE_INFINITY }
  }

  private toRecord({ hash: _, previous, plan, ...stored }: StoredKey): KeyRecord {
    const { accountId } = stored
    const { id, source, name, ...rest } = stored
    return Object.freeze({
      id,
      source,
      name,
      plan: accountId === undefined ? plan : (this.store.tables.accounts.get(accountId)?.plan ?? plan),
      ...rest,
      ...(previous !== undefined && { previous: { hint: previous.hint, endsAt: previous.endsAt } }),
    })
  }
}

function isActive({ revokedAt }: KeyRecord): boolean {
  return revokedAt === undefined
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

/** Origins in the form that browsers send, without repeats; undefined where there is no limit. */
function normalizeOrigins(origins: readonly string[] | undefined): string[] | undefined {
  if (origins === undefined || origins.length === 0) return undefined
  if (origins.length > MAX_ORIGINS) {
    const message = `A key can be limited to ${MAX_ORIGINS} origins; ${origins.length} were given`
    throw new AccountError('invalid_origin', message)
  }
  return [...new Set(origins.map(normalizeOrigin))]
}

/** A web origin in the form in which browsers send it. */
export function normalizeOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const bare = text.trim().replace(/\/$/, '').toLowerCase()
  if (url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:') && isOriginOnly(url)) {
    return url.origin
  }
  // Apps that are no web pages have origins too, such as capacitor://localhost.
  if (/^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(bare) && url?.protocol !== 'https:') return bare
  const message = `"${text}" is not a web origin; a scheme and a host are needed, such as https://app.example`
  throw new AccountError('invalid_origin', message)
}

function isOriginOnly({ hostname, pathname, search, hash, username, password }: URL): boolean {
  return (
    !hostname.includes('*') && pathname === '/' && search === '' && hash === '' && username === '' && password === ''
  )
}
