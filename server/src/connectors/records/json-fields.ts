import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'

/** The text of a field; undefined if it is missing, blank or of another type. */
export function textField(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The number of a field; undefined if it is missing or of another type. */
export function numberField(object: JsonObject, name: string): number | undefined {
  const value = object[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The year of a field with a date such as `2011-04-17`. */
export function yearField(object: JsonObject, name: string): number | undefined {
  const year = /^(\d{4})-/.exec(textField(object, name) ?? '')?.[1]
  return year === undefined ? undefined : Number(year)
}

/** The object of a field; empty if it is missing or of another type. */
export function objectField(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  return isObject(value) ? value : {}
}

/** The objects in the list of a field; none if there is no list. */
export function objectListField(object: JsonObject, name: string): readonly JsonObject[] {
  return toObjects(object[name])
}

/** The objects in a list; none if the value is no list. */
export function toObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The texts in a list; none if the value is no list. */
export function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : []
}

/** A value as text, as `String` gives it; that throws for an object with a member `toString`, which any feed may have. */
export function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => toText(one ?? '')).join()
  return typeof value === 'object' && value !== null ? '[object Object]' : String(value)
}
