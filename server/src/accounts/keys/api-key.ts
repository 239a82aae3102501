import { createHash, randomBytes } from 'node:crypto'
import type { KeySource } from '../store/account-tables.ts'

/** The prefix of direct keys, unless configured otherwise. */
export const DEFAULT_KEY_PREFIX = 'mq-key-'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz'

/**
 * Generates a secret. A direct key is the prefix and 40 letters and digits. A marketplace key is 50 lower-case letters
 * and digits and never starts with the prefix: client libraries distinguish the two by it.
 */
export function generateSecret(source: KeySource, prefix: string = DEFAULT_KEY_PREFIX): string {
  if (source === 'direct') return prefix + randomString(BASE62, 40)
  for (;;) {
    const key = randomString(BASE36, 50)
    if (!key.startsWith(prefix)) return key
  }
}

/** The visible part of a secret: the prefix of a direct key, and the last four characters. */
export function keyHint(source: KeySource, key: string, prefix: string = DEFAULT_KEY_PREFIX): string {
  return `${source === 'direct' ? prefix : ''}…${key.slice(-4)}`
}

function randomString(alphabet: string, length: number): string {
  // Rejection sampling: bytes from the largest multiple of the alphabet's size on would favour the first letters.
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

/** Hashes a secret with SHA-256. Secrets are stored and looked up by this hash only. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
