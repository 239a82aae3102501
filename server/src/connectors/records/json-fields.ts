import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'

/** A text in an answer, or undefined where there is none worth having. */
export function textField(answer: JsonObject, name: string): string | undefined {
  const value = answer[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** A number in an answer. */
export function numberField(answer: JsonObject, name: string): number | undefined {
  const value = answer[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** An object in an answer; an empty one where there is none. */
export function objectField(answer: JsonObject, name: string): JsonObject {
  const value = answer[name]
  return isObject(value) ? value : {}
}

/** The objects of a list in an answer; none where there is no list. */
export function objectListField(answer: JsonObject, name: string): readonly JsonObject[] {
  const value = answer[name]
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The year of a date such as `2011-04-17`. */
export function yearField(answer: JsonObject, name: string): number | undefined {
  const year = /^(\d{4})-/.exec(textField(answer, name) ?? '')?.[1]
  return year === undefined ? undefined : Number(year)
}
