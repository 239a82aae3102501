/**
 * What a record holds under a key from outside. Such a key may be `constructor` or `__proto__`, which every object
 * answers to without holding anything.
 */
export function ownEntry<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
