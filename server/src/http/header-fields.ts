/**
 * Header fields as they go over the wire, each with its line's end. Most of an answer's fields are those of the answer
 * before, and text that is ready is the cheapest to put together.
 */
export type Fields = string

/** What cannot stand in a field. */
const UNPRINTABLE = /[^\t\x20-\x7e\x80-\xff]/

/** One field. For values that are sure to be printable, as numbers are, the text can also be written out. */
export function field(name: string, value: string): Fields {
  if (UNPRINTABLE.test(value)) throw new TypeError(`The header ${name} cannot hold ${JSON.stringify(value)}`)
  return `${name}: ${value}\r\n`
}

/** The fields of a list: name, value, name, value. */
export function fieldsOf(list: readonly string[]): Fields {
  let fields = ''
  for (let i = 0; i < list.length; i += 2) fields += field(list[i] as string, list[i + 1] as string)
  return fields
}

/** The list of the fields, as Node's responses take it. */
export function listOf(fields: Fields): string[] {
  return fields.split('\r\n').flatMap((line) => {
    const colon = line.indexOf(': ')
    return colon < 0 ? [] : [line.slice(0, colon), line.slice(colon + 2)]
  })
}
