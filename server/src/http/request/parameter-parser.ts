import type { Static, TObject, TOptional, TSchema } from 'typebox'
import Type from 'typebox'
import { ApiError, quoteValue } from '../response/errors.ts'
import { formatHeader, type HeaderBlock } from '../response/headers.ts'

/** The parameters of a query string as text, before they are parsed. */
interface ScannedParameters {
  readonly known: ReadonlyMap<string, string>
  /** Names that the schema does not have, in the order of the query string. */
  readonly unknown: readonly string[]
}

/** Parses query strings by one schema. */
interface ParameterParser<T> {
  readonly names: readonly string[]
  /** Splits a query string. Strict scanning rejects unknown names instead of returning them. */
  scan(search: string, strict: boolean): ScannedParameters
  /** Parses and checks the values, and fills in the defaults of the schema. */
  parse(scanned: ScannedParameters): T
}

/** The schema of an optional parameter with a default. */
interface Defaulted {
  readonly default: unknown
}

/** The values of parameters: those with a default are never undefined. */
export type ParameterValues<S extends TObject> = {
  [K in keyof Static<S>]: K extends keyof S['properties']
    ? S['properties'][K] extends Defaulted
      ? Exclude<Static<S>[K], undefined>
      : Static<S>[K]
    : never
} & {
  [K in keyof S['properties'] as S['properties'][K] extends Defaulted ? K : never]-?: Static<S['properties'][K]>
}

/** Marks a schema with a `default` as that of an optional parameter. */
export function optionalWithDefault<T extends TSchema>(schema: T): TOptional<T> & Defaulted {
  if (!('default' in schema)) throw new TypeError('The schema has no default')
  return Type.Optional(schema) as TOptional<T> & Defaulted
}

/** The part of JSON Schema that parameters use. */
interface ParameterSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
}

/**
 * Creates the parser of an endpoint's query string from its schema. The checks run in a fixed order, and the first that
 * fails is reported: percent-encoding; contradictions; unknown names, if strict; then each parameter in the order of
 * the schema, its presence and its value.
 */
export function createParameterParser<S extends TObject>(schema: S): ParameterParser<ParameterValues<S>> {
  const schemas = schema.properties as Record<string, TSchema & ParameterSchema>
  const names = Object.keys(schemas)
  const required: ReadonlySet<string> = new Set(schema.required as string[] | undefined)
  const parsers = names.map((name) => createValueParser(name, schemas[name]!))
  const nameSet: ReadonlySet<string> = new Set(names)

  function scan(search: string, strict: boolean): ScannedParameters {
    const known = new Map<string, string>()
    const unknown: string[] = []
    let contradiction: string | undefined
    for (const [name, value] of parseQueryString(search)) {
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
    if (strict) rejectUnknown(unknown, names)
    return { known, unknown }
  }

  function parse({ known }: ScannedParameters): ParameterValues<S> {
    const values: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string
      const text = known.get(name)
      if (text !== undefined) values[name] = parsers[i]!(text)
      else if (required.has(name)) {
        const message = `The parameter "${name}" is required; add ${name}=… to the query.`
        throw new ApiError('missing_parameter', message, { parameter: name })
      } else if (schemas[name]!.default !== undefined) values[name] = schemas[name]!.default
    }
    return values as ParameterValues<S>
  }

  return { names, scan, parse }
}

function rejectUnknown(unknown: readonly string[], known: readonly string[]): void {
  const name = unknown[0]
  if (name === undefined) return
  const message = `There is no parameter ${quoteValue(name)} here; did you mean "${nearestName(name, known)}"? Known: ${known.join(', ')}.`
  throw new ApiError('unknown_parameter', message, { parameter: name })
}

function createValueParser(name: string, schema: ParameterSchema): (text: string) => unknown {
  const { type, minimum, maximum, maxItems, pattern, examples = [] } = schema
  if (schema.enum !== undefined) {
    const allowed: ReadonlySet<string> = new Set(schema.enum)
    return (text) => (allowed.has(text) ? text : rejectValue(name, text, `one of ${schema.enum?.join(', ')}`))
  }
  if (type === 'integer') {
    const low = minimum ?? Number.MIN_SAFE_INTEGER
    const high = maximum ?? Number.MAX_SAFE_INTEGER
    const expected = minimum === undefined ? 'a whole number' : `a whole number from ${minimum} to ${maximum}`
    return (text) => {
      const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
      return Number.isSafeInteger(value) && value >= low && value <= high ? value : rejectValue(name, text, expected)
    }
  }
  if (type === 'boolean') {
    return (text) => (text === 'true' ? true : text === 'false' ? false : rejectValue(name, text, 'true or false'))
  }
  if (type === 'array') {
    return (text) => {
      const items = text.split(',')
      if (maxItems === undefined || items.length <= maxItems) return items
      const message = `The parameter "${name}" has ${items.length} entries; it may have at most ${maxItems}.`
      throw new ApiError('invalid_parameter', message, { parameter: name })
    }
  }
  if (pattern !== undefined) {
    const matcher = new RegExp(pattern)
    const expected = `of the form ${pattern}${examples.length > 0 ? `, such as ${examples[0]}` : ''}`
    return (text) => (matcher.test(text) ? text : rejectValue(name, text, expected))
  }
  return (text) => text
}

/** Throws the error of an invalid value; `expected` completes "it must be …". */
export function rejectValue(parameter: string, value: string, expected: string): never {
  const message = `The parameter "${parameter}" is ${quoteValue(value)}; it must be ${expected}.`
  throw new ApiError('invalid_parameter', message, { parameter })
}

const MAX_LISTED_NAMES = 16

/** The header that lists ignored parameters, each with the nearest known name; empty if there are none. */
export function ignoredParametersHeader(unknown: readonly string[], known: readonly string[]): HeaderBlock {
  if (unknown.length === 0) return ''
  const listed = unknown.slice(0, MAX_LISTED_NAMES).map((name) => {
    // The cut may split a surrogate pair, and half of one cannot be encoded.
    const cut = name.slice(0, 64).replace(/[\ud800-\udbff]$/, '')
    return `${encodeURIComponent(cut)} (${nearestName(name, known)}?)`
  })
  const rest = unknown.length - listed.length
  if (rest > 0) listed.push(`${rest} more`)
  return formatHeader('X-Ignored-Parameters', listed.join(', '))
}

/** The known name with the least edit distance, the first of several. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  // A longer name is no typing error, and the table would only cost time.
  const compared = name.slice(0, 40)
  let nearest: string | undefined
  let least = Infinity
  for (const candidate of known) {
    const distance = editDistance(compared, candidate)
    if (distance < least) {
      least = distance
      nearest = candidate
    }
  }
  return nearest
}

/** The Levenshtein distance. */
export function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = above[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, above[column]! + 1, current[column - 1]! + 1))
    }
    above = current
  }
  return above[b.length] as number
}

/** The query string of a request target, without its question mark. */
export function extractQueryString(url: string): string {
  const start = url.indexOf('?')
  if (start === -1) return ''
  const end = url.indexOf('#', start)
  return end === -1 ? url.slice(start + 1) : url.slice(start + 1, end)
}

/** The decoded pairs of a query string in their order; a name without a value has an empty one. */
export function parseQueryString(search: string): [name: string, value: string][] {
  const pairs: [string, string][] = []
  if (search === '') return pairs
  for (const part of search.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decodeQueryComponent(equals === -1 ? part : part.slice(0, equals), undefined)
    const value = equals === -1 ? '' : decodeQueryComponent(part.slice(equals + 1), name)
    pairs.push([name, value])
  }
  return pairs
}

function decodeQueryComponent(text: string, parameter: string | undefined): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    const what = parameter === undefined ? 'The name of a parameter' : `The parameter ${quoteValue(parameter)}`
    throw new ApiError(
      'invalid_parameter',
      `${what} is not valid percent-encoded UTF-8: ${quoteValue(text)}; write a percent sign as %25.`,
      parameter === undefined ? {} : { parameter },
    )
  }
}
