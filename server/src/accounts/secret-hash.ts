import { hash } from 'node:crypto'

/** The form in which secrets are stored and looked up: it cannot be turned back into the secret. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
