import { viewer } from '../data/viewer.ts'

/** What can stand in a query string; a list becomes one value with commas. */
export type QueryValues = Readonly<Record<string, string | number | readonly string[] | undefined>>

/**
 * The address of a page. Country and language of the viewer go along, unless the values name another country, so that every address can be shared and shows the
 * same to whoever opens it.
 */
export function hrefTo(path: string, values: QueryValues = {}): string {
  const { country, language } = viewer.value
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...values, country: values.country ?? country, lang: language })) {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
    if (text !== '') query.set(name, text)
  }
  // Commas and dots need no escape in a query, and addresses are read by people too.
  return `${path}?${query.toString().replaceAll('%2C', ',')}`
}
