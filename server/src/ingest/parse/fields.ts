import type { NoticeCode, NoticeLog } from '../notice.ts'

/** Where in a feed something stands. */
export interface RecordLocation {
  readonly notices: NoticeLog
  readonly line: number
  /** The record, as far as it can be named. */
  readonly record: string | undefined
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads the fields of a record and notes what is wrong with them, naming each by its path. */
export class Fields {
  readonly value: JsonObject
  readonly location: RecordLocation
  private readonly path: string

  constructor(value: JsonObject, place: RecordLocation, path = '') {
    this.value = value
    this.location = place
    this.path = path
  }

  addNotice(code: NoticeCode, message: string): undefined {
    const { notices, line, record } = this.location
    notices.add(code, message, { line, record })
    return undefined
  }

  has(name: string): boolean {
    const value = this.value[name]
    return value !== undefined && value !== null
  }

  /** A text that the record cannot do without. */
  requiredText(name: string): string | undefined {
    const value = this.value[name]
    if (typeof value === 'string') return value.toWellFormed()
    if (!this.has(name)) return this.addNotice('missing_field', `"${this.path}${name}" is missing; a text is needed`)
    return this.addNotice('invalid_field', `"${this.path}${name}" is ${formatValue(value)}; a text is needed`)
  }

  /** One of a few words that the record cannot do without. */
  requiredEnum<T extends string>(name: string, words: readonly T[]): T | undefined {
    const value = this.value[name]
    if (words.includes(value as T)) return value as T
    const code = this.has(name) ? 'invalid_field' : 'missing_field'
    return this.addNotice(code, `"${this.path}${name}" is ${formatValue(value)}; one of ${words.join(', ')} is needed`)
  }

  text(name: string): string | undefined {
    // Half a surrogate pair is no text: it would be stored as something else than it is compared as.
    return (this.optional(name, 'a text', (value) => typeof value === 'string') as string | undefined)?.toWellFormed()
  }

  boolean(name: string): boolean | undefined {
    return this.optional(name, 'true or false', (value) => typeof value === 'boolean') as boolean | undefined
  }

  integer(name: string, least: number, most: number): number | undefined {
    const fits = (value: unknown) =>
      Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
    const value = this.optional(name, `a whole number from ${least} to ${most}`, fits) as number | undefined
    return value === undefined ? undefined : normalizeZero(value)
  }

  textList(name: string): string[] | undefined {
    const fits = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string')
    return (this.optional(name, 'a list of texts', fits) as string[] | undefined)?.map((text) => text.toWellFormed())
  }

  list(name: string): readonly unknown[] | undefined {
    return this.optional(name, 'a list', Array.isArray) as unknown[] | undefined
  }

  object(name: string): JsonObject | undefined {
    return this.optional(name, 'an object', isObject) as JsonObject | undefined
  }

  /** These fields, were one of them this value. */
  withField(name: string, value: unknown): Fields {
    return new Fields({ [name]: value }, this.location, this.path)
  }

  /** The fields of an object inside this one. */
  nested(name: string): Fields | undefined {
    const value = this.object(name)
    return value === undefined ? undefined : new Fields(value, this.location, `${this.path}${name}.`)
  }

  private optional(name: string, wanted: string, fits: (value: unknown) => boolean): unknown {
    const value = this.value[name]
    if (value === undefined || value === null) return undefined
    if (fits(value)) return value
    return this.addNotice('ignored_field', `"${this.path}${name}" is ${formatValue(value)}; ${wanted} is needed`)
  }
}

/** JSON knows a negative zero, and the catalog does not: it would never be found equal to what is stored. */
export function normalizeZero(value: number): number {
  return value === 0 ? 0 : value
}

/** A value as a notice shows it: short. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'missing'
  const json = JSON.stringify(value) ?? String(value)
  return json.length <= 60 ? json : `${json.slice(0, 57)}…`
}
