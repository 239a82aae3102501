import type { FieldTree } from '../query/show-shape.ts'

/** A JSON object of an answer. */
export type JsonObject = Record<string, unknown>

/** A value with the chosen members only, in the order in which it has them. */
export function chooseFields(value: unknown, { isMap, members }: FieldTree, extra: ReadonlySet<string>): unknown {
  if (members === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => chooseFields(item, { isMap, members }, extra))
  const chosen: JsonObject = {}
  for (const [key, inside] of Object.entries(value)) {
    const field = isMap ? { isMap: false, members } : members.get(key)
    if (field !== undefined) chosen[key] = chooseFields(inside, field, extra)
    else if (extra.has(key)) chosen[key] = inside
  }
  return chosen
}
