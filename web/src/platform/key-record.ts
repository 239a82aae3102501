/** What is known of a key; its secret is shown once and kept nowhere. */
export interface KeyRecord {
  readonly id: string
  readonly name: string
  /** Enough of the secret for its owner to recognise it. */
  readonly hint: string
  /** Web origins from which browsers may use the key; absent means from anywhere. */
  readonly origins?: readonly string[]
  readonly createdAt: number
  readonly revokedAt?: number
  /** The secret before the last rotation, while it is still good. */
  readonly previous?: { readonly hint: string; readonly endsAt: number }
  readonly lastUsedAt?: number
  /** The web origin of the last request, if it came from one. */
  readonly lastOrigin?: string
}

/** A key that was just made, or made anew, with its secret. */
export interface MadeKey {
  readonly key: string
  readonly record: KeyRecord
}
