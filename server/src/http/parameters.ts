import type { Static, TObject, TSchema } from 'typebox'
import { ApiError, quoted } from './errors.ts'
import { type Fields, field } from './header-fields.ts'
import { nearestName } from './nearest-name.ts'
import { readPairs } from './query-string.ts'

/** What a query string says, before its values are looked at. */
export interface GivenParameters {
  readonly known: ReadonlyMap<string, string>
  /** Names that the endpoint does not have, in the order in which they were given. */
  readonly unknown: readonly string[]
}

/** Reads query strings by one schema. */
export interface ParameterReader<T> {
  readonly names: readonly string[]
  /** The parameters as text. Strict reading refuses unknown ones instead of naming them. */
  scan(search: string, strict: boolean): GivenParameters
  /** Their values, typed and checked. */
  values(given: GivenParameters): T
}

/**
 * Makes the reader of an endpoint's query string from its schema. Checks come in a fixed order, and the first that
 * fails is answered: encoding; contradictions; unknown names, if strict; then parameter by parameter, as the schema
 * lists them, absence and value.
 */
export function parameterReader<S extends TObject>(schema: S): ParameterReader<Static<S>> {
  const names = Object.keys(schema.properties)
  const required: ReadonlySet<string> = new Set(schema.required as string[] | undefined)
  const parsers = names.map((name) => valueParser(name, (schema.properties as Record<string, TSchema>)[name]!))
  const nameSet: ReadonlySet<string> = new Set(names)

  function scan(search: string, strict: boolean): GivenParameters {
    const known = new Map<string, string>()
    const unknown: string[] = []
    let contradiction: string | undefined
    for (const [name, value] of readPairs(search)) {
      if (!nameSet.has(name)) {
        if (!unknown.includes(name)) unknown.push(name)
      } else if (value !== '') {
        const before = known.get(name)
        if (before === undefined) known.set(name, value)
        else if (before !== value) contradiction ??= name
      }
    }
    if (contradiction !== undefined) {
      const message = `The parameter "${contradiction}" is given twice with different values; give it once.`
      throw new ApiError('invalid_parameter', message, { parameter: contradiction })
    }
    if (strict) refuseUnknown(unknown, names)
    return { known, unknown }
  }

  function values({ known }: GivenParameters): Static<S> {
    const read: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string
      const text = known.get(name)
      if (text !== undefined) read[name] = parsers[i]!(text)
      else if (required.has(name)) {
        const message = `The parameter "${name}" is required; add ${name}=… to the query.`
        throw new ApiError('missing_parameter', message, { parameter: name })
      }
    }
    return read as Static<S>
  }

  return { names, scan, values }
}

function refuseUnknown(unknown: readonly string[], known: readonly string[]): void {
  const name = unknown[0]
  if (name === undefined) return
  const message = `There is no parameter ${quoted(name)} here; did you mean "${nearestName(name, known)}"? Known: ${known.join(', ')}.`
  throw new ApiError('unknown_parameter', message, { parameter: name })
}

const LISTED_NAMES = 16

/** The header field that names parameters which were passed over, each with the nearest known name; empty if none were. */
export function ignoredField(unknown: readonly string[], known: readonly string[]): Fields {
  if (unknown.length === 0) return ''
  const listed = unknown.slice(0, LISTED_NAMES).map((name) => {
    // A cut may part a surrogate pair, which cannot be encoded.
    const cut = name.slice(0, 64).replace(/[\ud800-\udbff]$/, '')
    return `${encodeURIComponent(cut)} (${nearestName(name, known)}?)`
  })
  const rest = unknown.length - listed.length
  if (rest > 0) listed.push(`${rest} more`)
  return field('X-Ignored-Parameters', listed.join(', '))
}

function valueParser(name: string, schema: TSchema): (text: string) => unknown {
  const { type, minimum, maximum, maxItems, ...rest } = schema as JsonSchema
  if (rest.enum !== undefined) {
    const allowed: ReadonlySet<string> = new Set(rest.enum)
    return (text) => (allowed.has(text) ? text : refuse(name, text, `one of ${rest.enum?.join(', ')}`))
  }
  if (type === 'integer') {
    const low = minimum ?? Number.MIN_SAFE_INTEGER
    const high = maximum ?? Number.MAX_SAFE_INTEGER
    const right = minimum === undefined ? 'a whole number' : `a whole number from ${minimum} to ${maximum}`
    return (text) => {
      const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
      return Number.isSafeInteger(value) && value >= low && value <= high ? value : refuse(name, text, right)
    }
  }
  if (type === 'boolean') {
    return (text) => (text === 'true' ? true : text === 'false' ? false : refuse(name, text, 'true or false'))
  }
  if (type === 'array') {
    return (text) => {
      const items = text.split(',')
      if (maxItems === undefined || items.length <= maxItems) return items
      const message = `The parameter "${name}" has ${items.length} entries; it may have at most ${maxItems}.`
      throw new ApiError('invalid_parameter', message, { parameter: name })
    }
  }
  return (text) => text
}

/** Refuses a value, saying what would be right. */
export function refuse(parameter: string, value: string, right: string): never {
  const message = `The parameter "${parameter}" is ${quoted(value)}; it must be ${right}.`
  throw new ApiError('invalid_parameter', message, { parameter })
}

interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
}
