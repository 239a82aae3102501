import type { KeyStore } from '../accounts/keys/key-store.ts'
import type { LedgerHealth } from '../http/observe/monitoring.ts'
import { ApiError } from '../http/response/errors.ts'

/**
 * Keys of a node that copies them. While PostgreSQL is away, a key that is not known here may well have been made
 * elsewhere: that is no fault of the client's, and it should try again.
 */
export function keysWhileAway(keys: Pick<KeyStore, 'find'>, ledger: () => LedgerHealth): Pick<KeyStore, 'find'> {
  return {
    find(secret, now) {
      const key = keys.find(secret, now)
      if (key !== undefined || ledger().connected) return key
      throw new ApiError('unavailable', 'This API key cannot be looked up at the moment; try again soon.', {
        headers: ['Retry-After', '5'],
        extras: { retryAfter: 5 },
      })
    },
  }
}
