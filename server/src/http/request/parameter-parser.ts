import type { Static, TObject, TSchema } from 'typebox'
import { ApiError, quoteValue } from '../response/errors.ts'
import { formatHeader, type HeaderBlock } from '../response/headers.ts'

/** What a query string says, before its values are looked at. */
export interface ScannedParameters {
  readonly known: ReadonlyMap<string, string>
  /** Names that the endpoint does not have, in the order in which they were given. */
  readonly unknown: readonly string[]
}

/** Reads query strings by one schema. */
export interface ParameterParser<T> {
  readonly names: readonly string[]
  /** The parameters as text. Strict reading refuses unknown ones instead of naming them. */
  scan(search: string, strict: boolean): ScannedParameters
  /** Their values, typed and checked. */
  parse(given: ScannedParameters): T
}

/**
 * Makes the reader of an endpoint's query string from its schema. Checks come in a fixed order, and the first that
 * fails is answered: encoding; contradictions; unknown names, if strict; then parameter by parameter, as the schema
 * lists them, absence and value.
 */
export function createParameterParser<S extends TObject>(schema: S): ParameterParser<Static<S>> {
  const names = Object.keys(schema.properties)
  const required: ReadonlySet<string> = new Set(schema.required as string[] | undefined)
  const parsers = names.map((name) => createValueParser(name, (schema.properties as Record<string, TSchema>)[name]!))
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

  function parse({ known }: ScannedParameters): Static<S> {
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

  return { names, scan, parse }
}

function rejectUnknown(unknown: readonly string[], known: readonly string[]): void {
  const name = unknown[0]
  if (name === undefined) return
  const message = `There is no parameter ${quoteValue(name)} here; did you mean "${nearestName(name, known)}"? Known: ${known.join(', ')}.`
  throw new ApiError('unknown_parameter', message, { parameter: name })
}

const MAX_LISTED_NAMES = 16

/** The header field that names parameters which were passed over, each with the nearest known name; empty if none were. */
export function ignoredParametersHeader(unknown: readonly string[], known: readonly string[]): HeaderBlock {
  if (unknown.length === 0) return ''
  const listed = unknown.slice(0, MAX_LISTED_NAMES).map((name) => {
    // A cut may part a surrogate pair, which cannot be encoded.
    const cut = name.slice(0, 64).replace(/[\ud800-\udbff]$/, '')
    return `${encodeURIComponent(cut)} (${nearestName(name, known)}?)`
  })
  const rest = unknown.length - listed.length
  if (rest > 0) listed.push(`${rest} more`)
  return formatHeader('X-Ignored-Parameters', listed.join(', '))
}

function createValueParser(name: string, schema: TSchema): (text: string) => unknown {
  const { type, minimum, maximum, maxItems, ...rest } = schema as JsonSchema
  if (rest.enum !== undefined) {
    const allowed: ReadonlySet<string> = new Set(rest.enum)
    return (text) => (allowed.has(text) ? text : rejectValue(name, text, `one of ${rest.enum?.join(', ')}`))
  }
  if (type === 'integer') {
    const low = minimum ?? Number.MIN_SAFE_INTEGER
    const high = maximum ?? Number.MAX_SAFE_INTEGER
    const right = minimum === undefined ? 'a whole number' : `a whole number from ${minimum} to ${maximum}`
    return (text) => {
      const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
      return Number.isSafeInteger(value) && value >= low && value <= high ? value : rejectValue(name, text, right)
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
  return (text) => text
}

/** Refuses a value, saying what would be right. */
export function rejectValue(parameter: string, value: string, right: string): never {
  const message = `The parameter "${parameter}" is ${quoteValue(value)}; it must be ${right}.`
  throw new ApiError('invalid_parameter', message, { parameter })
}

interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
}

/** The known name that takes the fewest edits to reach, the first of those that are equally near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  // Beyond this length nothing is a typing error, and the table would only cost time.
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

/** Insertions, deletions and replacements of single letters that turn one text into the other. */
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

/**
 * The pairs of a query string, in their order; a name without a value has an empty one. Text that is not percent-encoded
 * UTF-8 is refused.
 */
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
