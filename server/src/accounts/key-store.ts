import { randomUUID, timingSafeEqual } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type Database, open } from 'lmdb'
import { DEFAULT_KEY_PREFIX, generateKey, hashKey, type KeySource, keyHint } from './api-key.ts'
import type { PlanName } from './plan.ts'
import type { UsageDelta, UsageStore } from './usage-store.ts'

/** What is known of a key; the secret itself is not kept anywhere. */
export interface KeyRecord {
  readonly id: string
  readonly source: KeySource
  readonly name: string
  readonly plan: PlanName
  /** Web origins from which browsers may use the key; absent means any. */
  readonly origins?: readonly string[]
  readonly createdAt: number
  readonly revokedAt?: number
  /** Enough of the key for its owner to recognise it. */
  readonly hint: string
}

/** What has to be said to make a key. */
export interface NewKey {
  readonly source: KeySource
  readonly plan: PlanName
  readonly name: string
  readonly origins?: readonly string[]
}

/**
 * The keys of the service and the counts of their use. A new key is good in all processes at once; a revoked one ends at
 * once in the process that revokes it, and within 20 ms in the others.
 */
export interface KeyStore {
  /** Makes a key. The secret is in the answer and never again. */
  create(key: NewKey, now: number): { readonly key: string; readonly record: KeyRecord }
  /** All keys, oldest first, revoked ones included. */
  list(): KeyRecord[]
  /** Ends a key for good. Gives its record, or undefined if no key has the id. */
  revoke(id: string, now: number): KeyRecord | undefined
  /** The record of the key with this secret, revoked or not. */
  find(secret: string): KeyRecord | undefined
  readonly usage: UsageStore
  /** Copies everything, as it is at one instant, into an empty folder. */
  backup(dir: string): Promise<void>
  close(): Promise<void>
}

interface StoredKey extends KeyRecord {
  readonly hash: string
}

/** Secrets remembered in memory; beyond that the oldest are forgotten and looked up again. */
const REMEMBERED_KEYS = 10_000

/** How long a process may take to notice that another one revoked a key. */
const LOOK_AGAIN_MS = 20

/** Longer texts cannot be keys, and are not worth hashing. */
const LONGEST_KEY = 256

/** Opens the accounts in a folder, an LMDB environment of its own, making it if need be. */
export function openKeyStore(dir: string, options: { readonly keyPrefix?: string } = {}): KeyStore {
  const keyPrefix = options.keyPrefix ?? DEFAULT_KEY_PREFIX
  mkdirSync(dir, { recursive: true })
  const root = open({ path: dir, maxDbs: 8 })
  const keys: Database<StoredKey, string> = root.openDB({ name: 'keys' })
  const idsByHash: Database<string, string> = root.openDB({ name: 'ids-by-hash', encoding: 'string' })
  const meta: Database<number, string> = root.openDB({ name: 'meta' })
  const usage: Database<number, string> = root.openDB({ name: 'usage' })

  // Hot keys skip SHA-256 and the store. Every change of the keys raises the revision, which outdates the memory of
  // every process. Under load the first read of each turn of the event loop is dear, so it is read every 20 ms.
  const remembered = new Map<string, KeyRecord>()
  let rememberedRevision = -1
  let lookAgainAt = 0

  function find(secret: string): KeyRecord | undefined {
    const instant = performance.now()
    if (instant >= lookAgainAt) {
      lookAgainAt = instant + LOOK_AGAIN_MS
      const revision = meta.get('revision') ?? 0
      if (revision !== rememberedRevision) remembered.clear()
      rememberedRevision = revision
    }
    const known = remembered.get(secret)
    if (known !== undefined) return known
    const record = lookUp(secret)
    if (record === undefined) return undefined
    if (remembered.size >= REMEMBERED_KEYS) remembered.delete(remembered.keys().next().value as string)
    remembered.set(secret, record)
    return record
  }

  function lookUp(secret: string): KeyRecord | undefined {
    if (secret.length === 0 || secret.length > LONGEST_KEY) return undefined
    const hash = hashKey(secret)
    const id = idsByHash.get(hash.toString('hex'))
    const stored = id === undefined ? undefined : keys.get(id)
    if (stored === undefined || !timingSafeEqual(hash, Buffer.from(stored.hash, 'hex'))) return undefined
    return recordOf(stored)
  }

  function write<T>(change: () => T): T {
    lookAgainAt = 0
    return root.transactionSync(() => {
      const result = change()
      meta.put('revision', (meta.get('revision') ?? 0) + 1)
      return result
    })
  }

  return {
    find,
    create(key, now) {
      const secret = generateKey(key.source, keyPrefix)
      const stored: StoredKey = {
        id: randomUUID(),
        source: key.source,
        name: key.name,
        plan: key.plan,
        ...(key.origins === undefined ? {} : { origins: key.origins.map((origin) => origin.toLowerCase()) }),
        createdAt: now,
        hint: keyHint(key.source, secret, keyPrefix),
        hash: hashKey(secret).toString('hex'),
      }
      write(() => {
        keys.put(stored.id, stored)
        idsByHash.put(stored.hash, stored.id)
      })
      return { key: secret, record: recordOf(stored) }
    },
    list() {
      return [...keys.getRange().map(({ value }) => recordOf(value))].sort(
        (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
      )
    },
    revoke(id, now) {
      return write(() => {
        const stored = keys.get(id)
        if (stored === undefined) return undefined
        const revoked = stored.revokedAt === undefined ? { ...stored, revokedAt: now } : stored
        keys.put(id, revoked)
        return recordOf(revoked)
      })
    },
    usage: {
      total: (keyId, period) => usage.get(usageKey(keyId, period)) ?? 0,
      add: (deltas) => root.transaction(() => deltas.map((delta) => addUsage(usage, delta))),
    },
    backup: (dir) => root.backup(dir, true),
    close: () => root.close(),
  }
}

function addUsage(usage: Database<number, string>, { keyId, period, requests }: UsageDelta): number {
  const key = usageKey(keyId, period)
  const total = (usage.get(key) ?? 0) + requests
  if (requests !== 0) usage.put(key, total)
  return total
}

function usageKey(keyId: string, period: string): string {
  return `${keyId}/${period}`
}

function recordOf({ hash: _, ...record }: StoredKey): KeyRecord {
  return Object.freeze(record)
}
