/** The record's own value under a key from outside: `constructor` and `__proto__` are inherited by every object. */
export function ownEntry<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** The type without `readonly`, for a value that is being built. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] }
