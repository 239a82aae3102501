import Type, { type Static, type TObject, type TOptional, type TSchema } from '../../lib/json-schema.ts'
import { suggestName } from '../../lib/text/edit-distance.ts'
import { ApiError, quoteValue } from '../exchange/errors.ts'
import { encodeHeaderText, formatHeader, type HeaderBlock } from '../exchange/headers.ts'

/** The parameters of a query string as text, before they are parsed. */
interface ScannedParameters {
  readonly known: ReadonlyMap<string, string>
  /** Names that the schema does not have, in the order of the query string. */
  readonly ignored: readonly IgnoredPart[]
}

/** Parses query strings by one schema. */
interface ParameterParser<T> {
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
  /** The schema of the entries of a list. */
  readonly items?: { readonly enum?: readonly string[] }
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  /** Whether the values of an `enum` are accepted in upper case, too. */
  readonly 'x-case-insensitive'?: boolean
  /** Completes "it must be …" in place of the `pattern`. */
  readonly 'x-expected'?: string
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
  const parameters = names.map((name) => ({
    name,
    parse: createValueParser(name, schemas[name]!),
    isRequired: required.has(name),
  }))
  const positions: ReadonlyMap<string, number> = new Map(names.map((name, i) => [name, i]))
  const requiredPositions = names.flatMap((name, i) => (required.has(name) ? [i] : []))
  /** All members, with their defaults: values are a copy of it, so that all of an endpoint have one shape. */
  const defaults = Object.fromEntries(names.map((name) => [name, schemas[name]!.default]))

  function scan(search: string, strict: boolean): ScannedParameters {
    const known = new Map<string, string>()
    const unknown = new Set<string>()
    let contradiction: string | undefined
    for (const [name, value] of parseQueryString(search)) {
      if (!positions.has(name)) unknown.add(name)
      else if (value !== '') {
        const before = known.get(name)
        if (before === undefined) known.set(name, value)
        else if (before !== value) contradiction ??= name
      }
    }
    if (contradiction !== undefined) {
      const message = `The parameter "${contradiction}" is given twice with different values; give it once.`
      throw new ApiError('invalid_parameter', message, { parameter: contradiction })
    }
    if (unknown.size === 0) return { known, ignored: NOTHING_IGNORED }
    if (strict) rejectUnknown(unknown, names)
    return { known, ignored: Array.from(unknown, (name) => ({ text: name, suggest: () => suggestName(name, names) })) }
  }

  function parse({ known }: ScannedParameters): ParameterValues<S> {
    const values = { ...defaults }
    for (const position of orderedPositions(known)) {
      const { name, parse, isRequired } = parameters[position] as (typeof parameters)[number]
      const text = known.get(name)
      const value = text === undefined ? undefined : parse(text)
      if (value !== undefined) values[name] = value
      else if (isRequired) {
        const message = `The parameter "${name}" is required; add ${name}=… to the query.`
        throw new ApiError('missing_parameter', message, { parameter: name })
      }
    }
    return values as ParameterValues<S>
  }

  /** The positions of the given and the required parameters, in the order of the schema. Most requests give few of many. */
  function orderedPositions(known: ReadonlyMap<string, string>): number[] {
    const ordered = [...requiredPositions]
    for (const name of known.keys()) {
      const position = positions.get(name) as number
      if (!ordered.includes(position)) ordered.push(position)
    }
    return ordered.sort((a, b) => a - b)
  }

  return { scan, parse }
}

function rejectUnknown(unknown: ReadonlySet<string>, known: readonly string[]): void {
  const [name] = unknown
  if (name === undefined) return
  const suggestion = suggestName(name, known)
  const question = suggestion === undefined ? '.' : `; did you mean "${suggestion}"?`
  const message = `There is no parameter ${quoteValue(name)} here${question} Known: ${known.join(', ')}.`
  throw new ApiError('unknown_parameter', message, { parameter: name })
}

const NOTHING_IGNORED: readonly IgnoredPart[] = []

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
])

/** The parser of one parameter. It returns undefined for a value that counts as absent. */
function createValueParser(name: string, schema: ParameterSchema): (text: string) => unknown {
  const { type, minimum, maximum, maxItems, pattern, examples = [] } = schema
  if (schema.enum !== undefined) {
    const allowed: ReadonlySet<string> = new Set(schema.enum)
    const normalize = schema['x-case-insensitive'] ? (text: string) => text.toLowerCase() : (text: string) => text
    return (text) => {
      const value = normalize(text)
      return allowed.has(value) ? value : rejectValue(name, text, `one of ${schema.enum?.join(', ')}`)
    }
  }
  if (type === 'integer') {
    const low = minimum ?? Number.MIN_SAFE_INTEGER
    const high = maximum ?? Number.MAX_SAFE_INTEGER
    const expected = minimum === undefined ? 'a whole number' : `a whole number from ${minimum} to ${maximum}`
    return (text) => {
      const value = /^-?\d+(?:\.0+)?$/.test(text) ? Number(text) : Number.NaN
      return Number.isSafeInteger(value) && value >= low && value <= high ? value : rejectValue(name, text, expected)
    }
  }
  if (type === 'boolean') {
    return (text) => BOOLEANS.get(text.toLowerCase()) ?? rejectValue(name, text, 'true or false')
  }
  if (type === 'array') {
    const choices = schema.items?.enum
    return (text) => {
      const items: string[] = []
      for (const item of text.split(',')) {
        const trimmed = item.trim()
        if (trimmed !== '') items.push(trimmed)
      }
      const unknown = choices === undefined ? undefined : items.find((item) => !choices.includes(item))
      if (unknown !== undefined) rejectValue(name, unknown, `one of ${choices?.join(', ')}`)
      if (maxItems === undefined || items.length <= maxItems) return items.length === 0 ? undefined : items
      const message = `The parameter "${name}" has ${items.length} entries; it may have at most ${maxItems}.`
      throw new ApiError('invalid_parameter', message, { parameter: name })
    }
  }
  if (pattern !== undefined) {
    const matcher = new RegExp(pattern)
    const example = examples.length > 0 ? `, such as ${examples[0]}` : ''
    const expected = schema['x-expected'] ?? `of the form ${pattern}${example}`
    return (text) => (matcher.test(text) ? text : rejectValue(name, text, expected))
  }
  return (text) => text
}

/** Throws the error of an invalid value; `expected` completes "it must be …". */
export function rejectValue(parameter: string, value: string, expected: string): never {
  const message = `The parameter "${parameter}" is ${quoteValue(value)}; it must be ${expected}.`
  throw new ApiError('invalid_parameter', message, { parameter })
}

/** What was ignored in a request: the name of a parameter, or an entry of a list. */
export interface IgnoredPart {
  /** The parameter whose value has the ignored entry; undefined if the text is an unknown parameter itself. */
  readonly parameter?: string
  readonly text: string
  /** Finds what was probably meant. It is called only for parts that are listed, since a URL can hold thousands. */
  suggest(): string | undefined
}

const MAX_LISTED_PARTS = 16

/** The header that lists what was ignored, each with what was probably meant; empty if there is nothing to list. */
export function ignoredParametersHeader(parts: readonly IgnoredPart[]): HeaderBlock {
  if (parts.length === 0) return ''
  const listed = parts.slice(0, MAX_LISTED_PARTS).map(({ parameter, text, suggest }) => {
    const named = parameter === undefined ? encodeHeaderText(text) : `${parameter}=${encodeHeaderText(text)}`
    const suggestion = suggest()
    return suggestion === undefined ? named : `${named} (${suggestion}?)`
  })
  const rest = parts.length - listed.length
  if (rest > 0) listed.push(`${rest} more`)
  return formatHeader('X-Ignored-Parameters', listed.join(', '))
}

/** No id is longer; what is longer is cut, so that the header stays small. */
const MAX_LISTED_ID_LENGTH = 40

/** The header that names requested ids that no show has; empty if there are none. */
export function unknownIdsHeader(ids: readonly string[]): HeaderBlock {
  if (ids.length === 0) return ''
  const listed = ids.map((id) => encodeHeaderText(id.slice(0, MAX_LISTED_ID_LENGTH)).replaceAll('%2F', '/'))
  return formatHeader('X-Unknown-Ids', listed.join(', '))
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
