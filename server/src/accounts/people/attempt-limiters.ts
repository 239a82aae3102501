import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { hashSecret } from '../keys/api-key.ts'
import { AccountError, type AccountStore, type AccountTransaction, deleteExpired } from '../store/account-store.ts'
import type { Attempts } from '../store/account-tables.ts'

/** Who tries to sign in, and from where. */
export interface SignInClient {
  /** The client's IPv4 address or IPv6 /64 network. */
  readonly clientAddress: string
  /** The token of a device that has signed in before. */
  readonly deviceToken?: string | undefined
  readonly now: number
}

/** A device on which the owner of an account has signed in before. */
export interface KnownDevice {
  readonly accountId: string
}

const QUARTER_HOUR_SECONDS = 15 * 60

/** The limits of attempts, by what is counted. */
const SIGN_IN_LIMITS = {
  /** One e-mail address from one client. */
  emailAndClient: { maxAttempts: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  /** One e-mail address from all clients. */
  email: { maxAttempts: 100, windowSeconds: 4 * QUARTER_HOUR_SECONDS },
  client: { maxAttempts: 60, windowSeconds: QUARTER_HOUR_SECONDS },
  /** An IPv4 /24 or IPv6 /48 network, which one party often holds as a whole. */
  network: { maxAttempts: 600, windowSeconds: QUARTER_HOUR_SECONDS },
  device: { maxAttempts: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  /** Mails with a link to set a new password, to one e-mail address and from one client. */
  resetsOfEmail: { maxAttempts: 3, windowSeconds: 4 * QUARTER_HOUR_SECONDS },
  resetsOfClient: { maxAttempts: 10, windowSeconds: 4 * QUARTER_HOUR_SECONDS },
  /** Passwords that somebody who is signed in types again. */
  owner: { maxAttempts: 10, windowSeconds: QUARTER_HOUR_SECONDS },
} as const

const DEVICE_TTL_SECONDS = 180 * 86_400

/**
 * Limits guesses of passwords. Strangers are counted by e-mail address, by client and by network. A known device has a
 * counter of its own instead, so that strangers cannot lock the owner out. A sign-in that succeeds takes back its own
 * attempt only: nobody can clear a counter of failed guesses by signing in to an account of their own.
 */
export class SignInLimiter {
  private readonly store: AccountStore
  private readonly limiter: AttemptLimiter

  constructor(store: AccountStore, limiter: AttemptLimiter) {
    this.store = store
    this.limiter = limiter
  }

  /** Counts an attempt, or throws if there were too many. Returns the device if it is a known one. */
  async admit(email: string, client: SignInClient): Promise<KnownDevice | undefined> {
    const accountId = this.findDeviceAccount(email, client)
    if (accountId === undefined) {
      await this.admitStranger(email, client)
      return undefined
    }
    const counter = { name: `device/${hashSecret(client.deviceToken ?? '')}`, limit: SIGN_IN_LIMITS.device }
    await this.limiter.consume([counter], client.now)
    return { accountId }
  }

  /** Counts an attempt as that of a stranger, or throws if there were too many. */
  admitStranger(email: string, { clientAddress, now }: SignInClient): Promise<void> {
    return this.limiter.consume([...emailCounters(email, clientAddress), ...clientCounters(clientAddress)], now)
  }

  /** Counts an attempt of a client that names no e-mail address, or throws if there were too many. */
  admitClient({ clientAddress, now }: SignInClient): Promise<void> {
    return this.limiter.consume(clientCounters(clientAddress), now)
  }

  /** Counts a request for a mail with a reset link, or throws if there were too many; whether there is an account or not. */
  admitReset(email: string, { clientAddress, now }: SignInClient): Promise<void> {
    const counters = [
      { name: `reset/${hashSecret(email)}`, limit: SIGN_IN_LIMITS.resetsOfEmail },
      { name: `reset-from/${clientAddress}`, limit: SIGN_IN_LIMITS.resetsOfClient },
      ...clientCounters(clientAddress),
    ]
    return this.limiter.consume(counters, now)
  }

  /** Counts a password that somebody who is signed in has typed again, or throws if there were too many. */
  admitOwner(accountId: string, now: number): Promise<void> {
    return this.limiter.consume([{ name: `password/${accountId}`, limit: SIGN_IN_LIMITS.owner }], now)
  }

  /** Takes back the attempt of a stranger who turned out to be the owner. Counters of the client are kept. */
  takeBack(tx: AccountTransaction, email: string, clientAddress: string): void {
    for (const { name } of emailCounters(email, clientAddress)) this.limiter.takeBack(tx, name)
  }

  /** Deletes all counters of an e-mail address and, if given, those of a client. Returns how many there were. */
  clear(tx: AccountTransaction, email: string, clientAddress?: string): number {
    const hash = hashSecret(email)
    const clients = clientAddress === undefined ? [] : clientCounters(clientAddress)
    const names = [
      `anywhere/${hash}`,
      `reset/${hash}`,
      ...this.limiter.names(`here/${hash}/`),
      ...clients.map(({ name }) => name),
    ]
    return names.filter((name) => this.limiter.delete(tx, name)).length
  }

  /** A token for a device on which the owner has just signed in; undefined if the device has one for this account. */
  issueDeviceToken(email: string, accountId: string, client: SignInClient): string | undefined {
    const renewed = { ...client, now: client.now + DEVICE_TTL_SECONDS / 2 }
    if (this.findDeviceAccount(email, renewed) === accountId) return undefined
    const text = `${accountId}.${client.now + DEVICE_TTL_SECONDS}.${randomBytes(9).toString('base64url')}`
    const signature = this.sign(email, text)
    return signature && `${text}.${signature.toString('base64url')}`
  }

  /** The account that the client's device is known for. */
  private findDeviceAccount(email: string, { deviceToken, now }: SignInClient): string | undefined {
    if (deviceToken === undefined) return undefined
    const end = deviceToken.lastIndexOf('.')
    const text = deviceToken.slice(0, end)
    const given = Buffer.from(deviceToken.slice(end + 1), 'base64url')
    const expected = this.sign(email, text)
    if (expected === undefined || given.length !== expected.length || !timingSafeEqual(given, expected))
      return undefined
    const [accountId, endsAt] = text.split('.')
    return Number(endsAt) > now ? accountId : undefined
  }

  /** The HMAC key is the salt of the address: it is stored on all nodes, survives restarts, and never leaves them. */
  private sign(email: string, text: string): Buffer | undefined {
    const salt = this.store.tables.salts.get(email)
    return salt === undefined ? undefined : createHmac('sha256', salt).update(`device.${text}`).digest()
  }
}

function emailCounters(email: string, clientAddress: string): AttemptCounter[] {
  const hash = hashSecret(email)
  return [
    { name: `here/${hash}/${clientAddress}`, limit: SIGN_IN_LIMITS.emailAndClient },
    { name: `anywhere/${hash}`, limit: SIGN_IN_LIMITS.email },
  ]
}

function clientCounters(clientAddress: string): AttemptCounter[] {
  return [
    { name: `place/${clientAddress}`, limit: SIGN_IN_LIMITS.client },
    { name: `network/${surroundingNetwork(clientAddress)}`, limit: SIGN_IN_LIMITS.network },
  ]
}

/** The IPv4 /24 or IPv6 /48 network around a client. */
function surroundingNetwork(clientAddress: string): string {
  const separator = clientAddress.includes(':') ? ':' : '.'
  return clientAddress.split(separator, 3).join(separator)
}

/** The limit of a fixed window. */
interface AttemptLimit {
  readonly maxAttempts: number
  readonly windowSeconds: number
}

/** A counter, such as that of one client address, and its limit. */
export interface AttemptCounter {
  readonly name: string
  readonly limit: AttemptLimit
}

/** Error messages by error code. */
const REFUSALS = { too_many_attempts: 'Too many attempts', too_many_changes: 'Too many changes' } as const

/** A fixed-window rate limiter. Its counters are stored, so that processes share them and restarts keep them. */
export class AttemptLimiter {
  private readonly store: AccountStore

  constructor(store: AccountStore) {
    this.store = store
  }

  /** Increments all counters, or throws and increments none if one of them is at its limit. */
  async consume(
    counters: readonly AttemptCounter[],
    now: number,
    code: keyof typeof REFUSALS = 'too_many_attempts',
  ): Promise<void> {
    // Refused without a commit: a flood of attempts would wait for the write lock, and the whole process with it.
    const before = this.examine(counters, now, code)
    if (before.error !== undefined && before.misdated.length === 0) throw before.error
    const refusal = await this.store.commit((tx) => {
      const { windows, error, misdated } = this.examine(counters, now, code)
      if (error === undefined) {
        for (const { name, count, endsAt } of windows) tx.put('attempts', name, { count: count + 1, endsAt })
        return undefined
      }
      // Throwing aborts the commit: each commit invalidates the key caches of all processes.
      if (misdated.length === 0) throw error
      for (const { name, count, endsAt } of misdated) tx.put('attempts', name, { count, endsAt })
      return error
    })
    if (refusal !== undefined) throw refusal
  }

  /** The windows of counters, the error if one of them is at its limit, and those at their limit with a wrong end. */
  private examine(counters: readonly AttemptCounter[], now: number, code: keyof typeof REFUSALS) {
    const windows = counters.map(({ name, limit }) => ({ name, limit, ...this.currentWindow(name, limit, now) }))
    const full = windows.filter(({ count, limit }) => count >= limit.maxAttempts)
    if (full.length === 0) return { windows, error: undefined, misdated: [] }
    const wait = Math.max(...full.map(({ endsAt }) => endsAt - now))
    const message = `${REFUSALS[code]}; try again in ${Math.ceil(wait / 60)} min`
    const misdated = full.filter(({ isMisdated }) => isMisdated)
    return { windows, error: new AccountError(code, message, wait), misdated }
  }

  /** Takes one attempt back. The others stay counted. */
  takeBack(tx: AccountTransaction, name: string): void {
    const attempts = this.store.tables.attempts.get(name)
    if (attempts === undefined) return
    if (attempts.count <= 1) tx.delete('attempts', name)
    else tx.put('attempts', name, { ...attempts, count: attempts.count - 1 })
  }

  /** Deletes a counter. Returns whether there was one. */
  delete(tx: AccountTransaction, name: string): boolean {
    const exists = this.store.tables.attempts.get(name) !== undefined
    if (exists) tx.delete('attempts', name)
    return exists
  }

  /** The names of all counters that begin with a prefix. */
  names(prefix: string): string[] {
    return [...this.store.tables.attempts.getKeys({ start: prefix, end: `${prefix}\uffff` })]
  }

  /** Deletes expired counters. */
  async prune(now: number): Promise<void> {
    await deleteExpired(this.store, 'attempts', now)
  }

  /** The current window of a counter. An end beyond a whole window was set by a wrong clock and is corrected. */
  private currentWindow(
    name: string,
    { windowSeconds }: AttemptLimit,
    now: number,
  ): Attempts & { readonly isMisdated: boolean } {
    const attempts = this.store.tables.attempts.get(name)
    const latest = now + windowSeconds
    if (attempts === undefined || attempts.endsAt <= now) return { count: 0, endsAt: latest, isMisdated: false }
    const { count, endsAt } = attempts
    return { count, endsAt: Math.min(endsAt, latest), isMisdated: endsAt > latest }
  }
}

/** More than anyone changes by hand, and few enough to bound the storage. */
const KEY_CHANGE_LIMIT: AttemptLimit = { maxAttempts: 60, windowSeconds: 3_600 }

/** Limits how often an account's owner may change its keys: revoked keys and audit entries are kept for good. */
export class KeyChangeLimiter {
  private readonly limiter: AttemptLimiter

  constructor(limiter: AttemptLimiter) {
    this.limiter = limiter
  }

  /** Counts a change by the owner of an account; throws if there were too many. */
  consume(accountId: string, now: number): Promise<void> {
    return this.limiter.consume([{ name: `changes/${accountId}`, limit: KEY_CHANGE_LIMIT }], now, 'too_many_changes')
  }
}
