import { signal } from '@preact/signals'

/** A key that this tab uses for examples and for trial requests. */
export interface StoredKey {
  readonly secret: string
  /** Id and name of a key that was created in this tab; a pasted one has none. */
  readonly id?: string
  readonly name?: string
}

/** The session storage drops it when the tab is closed; signing out clears it. */
const STORAGE_KEY = 'marquee.key'

/** The stored key of this tab, if any. */
export class StoredKeySlot {
  readonly #key = signal<StoredKey | undefined>(readKey())

  get value(): StoredKey | undefined {
    return this.#key.value
  }

  peek(): StoredKey | undefined {
    return this.#key.peek()
  }

  set(key: StoredKey): void {
    this.#key.value = key
    storage()?.setItem(STORAGE_KEY, JSON.stringify(key))
  }

  clear(): void {
    this.#key.value = undefined
    storage()?.removeItem(STORAGE_KEY)
  }
}

function readKey(): StoredKey | undefined {
  try {
    return (JSON.parse(storage()?.getItem(STORAGE_KEY) ?? 'null') as StoredKey | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Some browsers forbid storage; then the key lasts until the page is reloaded. */
function storage(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}

/** A key without its secret, which is shown only once. */
export interface KeyRecord {
  readonly id: string
  readonly name: string
  /** The start of the secret, to recognise it. */
  readonly hint: string
  /** Web origins from which browsers may use the key; absent means from anywhere. */
  readonly origins?: readonly string[]
  readonly createdAt: number
  readonly revokedAt?: number
  /** The secret before the last rotation, while it is still valid. */
  readonly previous?: { readonly hint: string; readonly endsAt: number }
  readonly lastUsedAt?: number
  /** The web origin of the last request, if it came from one. */
  readonly lastOrigin?: string
}

/** A key that was just created or rotated, with its secret. */
export interface CreatedKey {
  readonly key: string
  readonly record: KeyRecord
}
