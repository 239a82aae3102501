/** Whole numbers below a bound that are the same for the same seed. */
export function seededNumbers(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761) >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    return (state >>> 3) % below
  }
}

/** Values that no field expects. The text of the deep ones is made by hand, since `JSON.stringify` cannot write them. */
export const ODD_VALUES = [
  '['.repeat(100_000) + ']'.repeat(100_000),
  `${'{"a":'.repeat(4_000)}{}${'}'.repeat(4_000)}`,
  `[${'[],'.repeat(3_000)}[]]`,
  JSON.stringify('x'.repeat(200_000)),
  JSON.stringify(Array.from({ length: 2_000 }, (_, i) => `entry ${i}`)),
  JSON.stringify({ constructor: { prototype: {} }, hasOwnProperty: 1, toString: null, length: -1 }),
  '{"__proto__":{"polluted":true}}',
  '1e400',
  '-0',
  '9007199254740993',
  'null',
  'true',
  '""',
  '"\\u0000\\ud800"',
  '[null]',
  '{}',
  '{"a":1,"a":{"a":2},"":[]}',
]

/** The paths of all values within a record. */
export function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inside]) => pathsIn(inside, [...path, key]))]
}

/** A record as JSON, with the text of another value at a path. */
export function replaceAt(record: object, path: readonly string[], text: string): string {
  const copy = structuredClone(record) as Record<string, unknown>
  let parent = copy
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string, unknown>
  parent[path.at(-1) as string] = 'REPLACED'
  return JSON.stringify(copy).replace('"REPLACED"', text)
}
