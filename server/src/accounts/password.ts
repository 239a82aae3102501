import { randomBytes, scrypt } from 'node:crypto'
import { AccountProblem } from './account-problem.ts'

/** How much work a guess takes: 2^N, block size and repeats of scrypt. */
export interface PasswordCost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/** 32 MiB and some tenths of a second of one core a guess: what OWASP recommends for scrypt at this memory. */
export const USUAL_COST: PasswordCost = { log2N: 15, r: 8, p: 3 }

const MOST_MEMORY = 64 * 1024 * 1024

const LEAST_CHARACTERS = 10
const MOST_CHARACTERS = 200

/** Passwords that are being derived at a time in one process, and that may wait: requests for shows go on meanwhile. */
const AT_A_TIME = 1
const MOST_WAITING = 32

let running = 0
const waiting: (() => void)[] = []

/** Refuses passwords that are too easily guessed, or too long to be worth deriving. */
export function checkPassword(password: string, email: string): void {
  const { length } = password
  if (length < LEAST_CHARACTERS || length > MOST_CHARACTERS) {
    const message = `The password has ${length} characters; ${LEAST_CHARACTERS} to ${MOST_CHARACTERS} are needed`
    throw new AccountProblem('weak_password', message)
  }
  const plain = password.toLowerCase()
  if (plain === email || plain === email.split('@')[0] || new Set(plain).size < 4) {
    throw new AccountProblem('weak_password', 'The password is too easy to guess; choose another one')
  }
}

/** What a password and a salt make, as text; it takes long, whatever the password is. */
export async function derivePassword(password: string, salt: string): Promise<string> {
  if (running >= AT_A_TIME) {
    if (waiting.length >= MOST_WAITING) {
      throw new AccountProblem('too_many_attempts', 'Too many people sign in at the moment; try again shortly', 5)
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  running++
  try {
    return await new Promise((resolve, reject) => {
      scrypt(password.slice(0, MOST_CHARACTERS), salt, 32, costOf(salt), (error, key) => {
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
export function newSalt({ log2N, r, p }: PasswordCost): string {
  return `scrypt:${log2N}:${r}:${p}:${randomBytes(16).toString('hex')}`
}

function costOf(salt: string): { N: number; r: number; p: number; maxmem: number } {
  const [, log2N, r, p] = salt.split(':').map(Number) as [number, number, number, number]
  return { N: 2 ** log2N, r, p, maxmem: MOST_MEMORY }
}
