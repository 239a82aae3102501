/** Whether two values of plain data say the same: lists in the same order, objects with the same keys in any order. */
export function sameData(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && sameLists(a, b)
  return !Array.isArray(b) && sameObjects(a as Plain, b as Plain)
}

type Plain = Readonly<Record<string, unknown>>

function sameLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!sameData(a[i], b[i])) return false
  return true
}

function sameObjects(a: Plain, b: Plain): boolean {
  let keys = 0
  for (const key in a) {
    const value = b[key]
    if (!sameData(a[key], value) || (value === undefined && !Object.hasOwn(b, key))) return false
    keys++
  }
  for (const _ in b) if (--keys < 0) return false
  return true
}
