import { createHash } from 'node:crypto'

/** The form in which secrets are stored and looked up: it cannot be turned back into the secret. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
