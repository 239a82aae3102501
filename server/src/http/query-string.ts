import { ApiError, quoted } from './errors.ts'

/** The query string of a request target, without its question mark. */
export function searchOf(url: string): string {
  const start = url.indexOf('?')
  if (start === -1) return ''
  const end = url.indexOf('#', start)
  return end === -1 ? url.slice(start + 1) : url.slice(start + 1, end)
}

/**
 * The pairs of a query string, in their order; a name without a value has an empty one. Text that is not percent-encoded
 * UTF-8 is refused.
 */
export function readPairs(search: string): [name: string, value: string][] {
  const pairs: [string, string][] = []
  if (search === '') return pairs
  for (const part of search.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decode(equals === -1 ? part : part.slice(0, equals), undefined)
    const value = equals === -1 ? '' : decode(part.slice(equals + 1), name)
    pairs.push([name, value])
  }
  return pairs
}

function decode(text: string, parameter: string | undefined): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    const what = parameter === undefined ? 'The name of a parameter' : `The parameter ${quoted(parameter)}`
    throw new ApiError(
      'invalid_parameter',
      `${what} is not valid percent-encoded UTF-8: ${quoted(text)}; write a percent sign as %25.`,
      parameter === undefined ? {} : { parameter },
    )
  }
}
