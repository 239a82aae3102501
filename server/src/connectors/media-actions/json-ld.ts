import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import type { LocalText } from '../records/locales.ts'

/** A property of JSON-LD may be one value or a list of them, or be missing. */
export function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
}

/** The values of a property that are objects. */
export function toObjects(value: unknown): readonly JsonObject[] {
  return toArray(value).filter(isObject)
}

/** The last part of a name that may be written out as an address: `Movie` of `http://schema.org/Movie`. */
export function shortName(value: unknown): string {
  return String(value).replace(/^.*[/#]/, '')
}

/** Whether an object is of a type; it may have several. */
export function hasType(value: JsonObject, type: string): boolean {
  return toArray(value['@type']).some((one) => shortName(one) === type)
}

/** The texts of a property whose values are texts, or objects with a name. */
export function readNames(value: unknown): string[] {
  return toArray(value).flatMap((one) => {
    const name = isObject(one) ? (one.name ?? one['@value']) : one
    return typeof name === 'string' && name.trim() !== '' ? [name.trim()] : []
  })
}

/** The texts of a property that may be said in several languages. */
export function readLocalTexts(value: unknown): LocalText[] {
  return toArray(value).flatMap((one): LocalText[] => {
    if (typeof one === 'string') return [{ language: undefined, text: one.trim() }]
    if (!isObject(one) || typeof one['@value'] !== 'string') return []
    const language = one['@language']
    return [{ language: typeof language === 'string' ? language : undefined, text: one['@value'].trim() }]
  })
}

/** The `@id` of a thing that is given whole, as a reference, or as the id alone. */
export function readId(value: unknown): string | undefined {
  const [first] = toArray(value)
  const id = isObject(first) ? first['@id'] : first
  return typeof id === 'string' && id !== '' ? id.replace(/[\t\n\r]/g, ' ') : undefined
}

/** A number that may be written as a text. */
export function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
