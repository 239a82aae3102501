import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { toText } from '../records/json-fields.ts'
import type { LocalText } from '../records/locales.ts'

/** The values of a JSON-LD property, which may be a single value, a list, or missing. */
export function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
}

/** The values of a property that are objects. */
export function toObjects(value: unknown): readonly JsonObject[] {
  return toArray(value).filter(isObject)
}

/** The local name of a term that may be a full IRI: `Movie` of `http://schema.org/Movie`. */
export function shortName(value: unknown): string {
  return toText(value).replace(/^.*[/#]/, '')
}

/** Whether one of the types of a node is the given one. */
export function hasType(value: JsonObject, type: string): boolean {
  return toArray(value['@type']).some((term) => shortName(term) === type)
}

/** The names in a property whose values are texts or nodes with a name. */
export function readNames(value: unknown): string[] {
  return toArray(value).flatMap((item) => {
    const name = isObject(item) ? (item.name ?? item['@value']) : item
    return typeof name === 'string' && name.trim() !== '' ? [name.trim()] : []
  })
}

/** The texts of a property with their languages, if they are tagged. */
export function readLocalTexts(value: unknown): LocalText[] {
  return toArray(value).flatMap((item): LocalText[] => {
    if (typeof item === 'string') return [{ language: undefined, text: item.trim() }]
    if (!isObject(item) || typeof item['@value'] !== 'string') return []
    const language = item['@language']
    return [{ language: typeof language === 'string' ? language : undefined, text: item['@value'].trim() }]
  })
}

/**
 * The `@id` of a node that is embedded, referenced, or given by its id alone. A trailing slash is dropped, since feeds
 * write the same id with and without one.
 */
export function readId(value: unknown): string | undefined {
  const [first] = toArray(value)
  const id = isObject(first) ? first['@id'] : first
  if (typeof id !== 'string' || id.trim() === '') return undefined
  return id
    .trim()
    .replace(/[\t\n\r]/g, ' ')
    .replace(/(?<=[^/])\/+$/, '')
}

/** Parses a number that may be a text. */
export function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Whether a value is the address of a web page or an image. An address without a protocol is none. */
export function isWebLink(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/[^/]/i.test(value)
}
