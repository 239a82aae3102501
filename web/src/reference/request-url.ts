import type { Operation, Parameter } from './openapi.ts'

/** What was typed, by parameter; empty texts are left out. */
export type ParameterValues = Readonly<Record<string, string>>

/** The path and query of a request for an operation, below the base address. */
export function requestUrl(path: string, { parameters = [] }: Operation, values: ParameterValues): string {
  let filled = path
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) {
    const value = values[name]?.trim() ?? ''
    if (place === 'path') filled = filled.replace(`{${name}}`, () => encodeURIComponent(value))
    else if (value !== '') query.set(name, value)
  }
  const search = query.toString().replaceAll('%2C', ',')
  return search === '' ? filled : `${filled}?${search}`
}

/** What a form starts with: something that works for what is required, and nothing for the rest. */
export function initialValue({ required, example }: Parameter): string {
  return required && example !== undefined ? String(example) : ''
}

/** A request for the shell. */
export function curlCommand(url: string, key: string): string {
  return `curl -H 'X-API-Key: ${key}' \\
  '${url.replaceAll("'", '%27')}'`
}
