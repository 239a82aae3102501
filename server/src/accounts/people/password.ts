import { randomBytes, scrypt } from 'node:crypto'
import { AccountError } from '../store/account-error.ts'

/** How much work a guess takes: 2^N, block size and repeats of scrypt. */
export interface PasswordCost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/** 32 MiB and some tenths of a second of one core a guess: what OWASP recommends for scrypt at this memory. */
export const DEFAULT_PASSWORD_COST: PasswordCost = { log2N: 15, r: 8, p: 3 }

const MAX_MEMORY_BYTES = 64 * 1024 * 1024

const MIN_PASSWORD_LENGTH = 10
const MAX_PASSWORD_LENGTH = 200

/** Passwords that are being derived at a time in one process, and that may wait: requests for shows go on meanwhile. */
const MAX_CONCURRENT = 1
const MAX_QUEUED = 32

let running = 0
const waiting: (() => void)[] = []

/** Refuses passwords that are too easily guessed, or too long to be worth deriving. */
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

/** What a password and a salt make, as text; it takes long, whatever the password is. */
export async function derivePassword(password: string, salt: string): Promise<string> {
  if (running >= MAX_CONCURRENT) {
    if (waiting.length >= MAX_QUEUED) {
      throw new AccountError('too_many_attempts', 'Too many people sign in at the moment; try again shortly', 5)
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  running++
  try {
    return await new Promise((resolve, reject) => {
      scrypt(password.slice(0, MAX_PASSWORD_LENGTH), salt, 32, parseCost(salt), (error, key) => {
        if (error === null) resolve(key.toString('hex'))
        else reject(error)
      })
    })
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** A new salt. It names its cost, so that those made before stay good when the usual cost is raised. */
export function generateSalt({ log2N, r, p }: PasswordCost): string {
  return `scrypt:${log2N}:${r}:${p}:${randomBytes(16).toString('hex')}`
}

function parseCost(salt: string): { N: number; r: number; p: number; maxmem: number } {
  const [, log2N, r, p] = salt.split(':').map(Number) as [number, number, number, number]
  return { N: 2 ** log2N, r, p, maxmem: MAX_MEMORY_BYTES }
}
