import type { NoticeCode, NoticeLog } from '../import-report.ts'

/** Where a record stands in a feed, and where its notices go. */
export interface RecordLocation {
  readonly notices: NoticeLog
  readonly line: number
  /** The name of the record, if it has one. */
  readonly record: string | undefined
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Typed access to the fields of a record. An invalid field adds a notice with its path and is undefined; `null` counts as
 * absent.
 */
export class Fields {
  readonly value: JsonObject
  readonly location: RecordLocation
  private readonly path: string

  constructor(value: JsonObject, location: RecordLocation, path = '') {
    this.value = value
    this.location = location
    this.path = path
  }

  /** Adds a notice at this record. Returns undefined, as the value of the field. */
  addNotice(code: NoticeCode, message: string): undefined {
    const { notices, line, record } = this.location
    notices.add(code, message, { line, record })
    return undefined
  }

  has(name: string): boolean {
    const value = this.value[name]
    return value !== undefined && value !== null
  }

  /** A text without which the record is invalid. */
  requiredText(name: string): string | undefined {
    const value = this.value[name]
    if (typeof value === 'string') return value.toWellFormed()
    if (!this.has(name)) return this.addNotice('missing_field', `"${this.path}${name}" is missing; a text is needed`)
    return this.addNotice('invalid_field', `"${this.path}${name}" is ${formatValue(value)}; a text is needed`)
  }

  /** One of the given values, without which the record is invalid. */
  requiredEnum<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.value[name]
    if (allowed.includes(value as T)) return value as T
    const code = this.has(name) ? 'invalid_field' : 'missing_field'
    return this.addNotice(
      code,
      `"${this.path}${name}" is ${formatValue(value)}; one of ${allowed.join(', ')} is needed`,
    )
  }

  text(name: string): string | undefined {
    // A lone surrogate would be stored as another character than it is compared as.
    return (this.optional(name, 'a text', (value) => typeof value === 'string') as string | undefined)?.toWellFormed()
  }

  /** The address of a page or an image. One that a browser would run is left out. */
  link(name: string): string | undefined {
    const link = this.text(name)
    return link !== undefined && isUnsafeLink(link) ? this.addUnsafeLink(name) : link
  }

  /** Adds the notice of an unsafe link. Returns undefined, as the value of the field. */
  addUnsafeLink(name: string): undefined {
    const link = formatValue(this.value[name])
    return this.addNotice('unsafe_link', `"${this.path}${name}" is ${link}; an address such as https://… is needed`)
  }

  boolean(name: string): boolean | undefined {
    return this.optional(name, 'true or false', (value) => typeof value === 'boolean') as boolean | undefined
  }

  integer(name: string, min: number, max: number): number | undefined {
    const isValid = (value: unknown) =>
      Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
    const value = this.optional(name, `a whole number from ${min} to ${max}`, isValid) as number | undefined
    return value === undefined ? undefined : normalizeZero(value)
  }

  textList(name: string): string[] | undefined {
    const isValid = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string')
    return (this.optional(name, 'a list of texts', isValid) as string[] | undefined)?.map((text) => text.toWellFormed())
  }

  list(name: string): readonly unknown[] | undefined {
    return this.optional(name, 'a list', Array.isArray) as unknown[] | undefined
  }

  object(name: string): JsonObject | undefined {
    return this.optional(name, 'an object', isObject) as JsonObject | undefined
  }

  /** A record of one field with this value, at the same place. */
  withField(name: string, value: unknown): Fields {
    return new Fields({ [name]: value }, this.location, this.path)
  }

  /** The fields of a nested object. */
  nested(name: string): Fields | undefined {
    const value = this.object(name)
    return value === undefined ? undefined : new Fields(value, this.location, `${this.path}${name}.`)
  }

  private optional(name: string, expected: string, isValid: (value: unknown) => boolean): unknown {
    const value = this.value[name]
    if (value === undefined || value === null) return undefined
    if (isValid(value)) return value
    return this.addNotice('ignored_field', `"${this.path}${name}" is ${formatValue(value)}; ${expected} is needed`)
  }
}

/** Schemes whose addresses are code or content of their own, or lead to local files. */
const UNSAFE_SCHEME = /^(?:javascript|vbscript|data|blob|file|filesystem|view-source):/i

/** Whether following a link could run code in the page. Browsers ignore control characters and spaces in the scheme. */
export function isUnsafeLink(link: string): boolean {
  if (UNSAFE_SCHEME.test(link)) return true
  const head = link.slice(0, MAX_SCHEME_CHARS)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what browsers skip.
  return /[\x00-\x20]/.test(head) && UNSAFE_SCHEME.test(head.replace(/[\x00-\x20]+/g, ''))
}

/** More than any scheme with what browsers skip in it; the rest of a link is not looked at. */
const MAX_SCHEME_CHARS = 1_000

/** Turns -0 into 0: JSON has a negative zero and the catalog has not, so the two would never compare as equal. */
export function normalizeZero(value: number): number {
  return value === 0 ? 0 : value
}

/** A value as notices show it: JSON, at most 60 characters. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'missing'
  const json = JSON.stringify(value) ?? String(value)
  return json.length <= 60 ? json : `${json.slice(0, 57)}…`
}
