import { randomBytes, scrypt } from 'node:crypto'
import { Mutex } from '../../lib/mutex.ts'
import { AccountError, type AccountTransaction } from '../store/account-store.ts'
import type { Account, AccountTables } from '../store/account-tables.ts'

const MAX_EMAIL_LENGTH = 254

/** Control and format characters: invisible, or interpreted by a terminal. */
const INVISIBLE_CHARACTER = /[\p{Cc}\p{Cf}]/u

/** The form in which an e-mail address is stored and compared, whether it is a valid one or not. */
export function foldEmail(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

/** Folds an e-mail address; throws if it is not a valid one. */
export function normalizeEmail(text: string): string {
  const email = foldEmail(text)
  const isAddress = /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)*$/.test(email)
  if (email.length <= MAX_EMAIL_LENGTH && isAddress && !INVISIBLE_CHARACTER.test(email)) return email
  throw new AccountError('invalid_email', 'An e-mail address such as ann@example.com is needed')
}

/** The key of a credential: e-mail address and derived password together. */
export function credentialKey(email: string, derived: string): string {
  return `${email}/${derived}`
}

/** Deletes the credential of an account within a commit, and the salt of its address if no other account has it. */
export function deleteCredentials(
  { credentials }: Pick<AccountTables, 'credentials'>,
  tx: AccountTransaction,
  { id, email }: Account,
): void {
  // "0" is the character after "/".
  const sameEmail = [...credentials.getRange({ start: `${email}/`, end: `${email}0` })]
  for (const { key, value } of sameEmail) if (value.accountId === id) tx.delete('credentials', key)
  if (sameEmail.every(({ value }) => value.accountId === id)) tx.delete('salts', email)
}

/** The cost parameters of scrypt. */
export interface PasswordCost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/** 32 MiB and a few tenths of a second of one core: OWASP's recommendation for scrypt with this memory. */
export const DEFAULT_PASSWORD_COST: PasswordCost = { log2N: 15, r: 8, p: 3 }

const MAX_SCRYPT_BYTES = 64 * 1024 * 1024

const MIN_PASSWORD_LENGTH = 10
const MAX_PASSWORD_LENGTH = 200

/** One derivation runs at a time, so that API requests keep the other cores; more wait, up to this many. */
const MAX_QUEUED_DERIVATIONS = 32

const derivationMutex = new Mutex()
/** Derivations that run or wait. */
let pendingDerivations = 0

/** Throws if a password is too easy to guess, or too long. */
export function checkPassword(password: string, email: string): void {
  const { length } = password
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    const message = `The password has ${length} characters; ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} are needed`
    throw new AccountError('weak_password', message)
  }
  const plain = password.toLowerCase()
  if (plain === email || plain === email.split('@')[0] || new Set(plain).size < 4) {
    throw new AccountError('weak_password', 'The password is too easy to guess; choose another one')
  }
}

/** Derives a key from a password and a salt with scrypt, in hex. */
export async function derivePassword(password: string, salt: string): Promise<string> {
  if (pendingDerivations > MAX_QUEUED_DERIVATIONS) {
    throw new AccountError('too_many_attempts', 'Too many people sign in at the moment; try again shortly', 5)
  }
  pendingDerivations++
  try {
    return await derivationMutex.run(() => runScrypt(password, salt))
  } finally {
    pendingDerivations--
  }
}

function runScrypt(password: string, salt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(password.slice(0, MAX_PASSWORD_LENGTH), salt, 32, parseCost(salt), (error, key) => {
      if (error === null) resolve(key.toString('hex'))
      else reject(error)
    })
  })
}

/** Generates a salt. It contains the cost, so that existing salts stay valid when the default cost changes. */
export function generateSalt({ log2N, r, p }: PasswordCost): string {
  return `scrypt:${log2N}:${r}:${p}:${randomBytes(16).toString('hex')}`
}

function parseCost(salt: string): { N: number; r: number; p: number; maxmem: number } {
  const [, log2N, r, p] = salt.split(':').map(Number) as [number, number, number, number]
  return { N: 2 ** log2N, r, p, maxmem: MAX_SCRYPT_BYTES }
}
