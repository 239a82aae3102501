type Value = string | number | boolean | Date | readonly string[] | null | undefined

/** The address of a request. Parameters in camelCase become those of the API; what is absent or empty is left out. */
export function requestUrl(base: string, path: string, parameters: object): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters) as [string, Value][]) {
    const text = textOf(value)
    if (text !== '') query.set(apiName(name), text)
  }
  const search = query.toString()
  return search === '' ? base + path : `${base + path}?${search}`
}

/** `outputLanguage` is `output_language`. */
function apiName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function textOf(value: Value): string {
  // Times of the API are Unix seconds.
  if (value instanceof Date) return String(Math.floor(value.getTime() / 1000))
  return value === null || value === undefined ? '' : String(value)
}

/**
 * An id as a part of a path. Those with a slash have two segments. Empty segments and dots would lead to another path
 * altogether: they are refused.
 */
export function pathOf(what: string, id: string, segments: number): string {
  const parts = String(id).split('/')
  if (parts.length > segments || parts.some((part) => /^\.{0,2}$/.test(part))) {
    throw new TypeError(`${JSON.stringify(id)} is not ${what}`)
  }
  return `/${parts.map(encodeURIComponent).join('/')}`
}
