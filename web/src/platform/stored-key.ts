import { signal } from '@preact/signals'

/** A key that the reader lets this tab use for examples and for trying requests. */
export interface StoredKey {
  readonly secret: string
  /** The id and name, where the key was made in this tab and not pasted. */
  readonly id?: string
  readonly name?: string
}

/** Secrets are shown once and stored nowhere else. This one is gone when the tab is closed or the reader signs out. */
const KEPT = 'marquee.key'

/** The key that this tab keeps, if any. */
export const storedKey = signal<StoredKey | undefined>(read())

export function storeKey(key: StoredKey): void {
  storedKey.value = key
  storage()?.setItem(KEPT, JSON.stringify(key))
}

export function clearStoredKey(): void {
  storedKey.value = undefined
  storage()?.removeItem(KEPT)
}

function read(): StoredKey | undefined {
  try {
    return (JSON.parse(storage()?.getItem(KEPT) ?? 'null') as StoredKey | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Some browsers forbid storage; then the key is kept until the page is loaded anew. */
function storage(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}

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
export interface CreatedKey {
  readonly key: string
  readonly record: KeyRecord
}
