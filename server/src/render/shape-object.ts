import type { FieldTree } from '../query/queries.ts'

/** A JSON object of an answer. */
export type JsonObject = Record<string, unknown>

/** A value with the chosen members only, in the order in which it has them. */
export function chooseFields(value: unknown, { isMap, members }: FieldTree, extra: ReadonlySet<string>): unknown {
  if (members === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => chooseFields(item, { isMap, members }, extra))
  const chosen: JsonObject = {}
  for (const [key, inside] of Object.entries(value)) {
    const field = isMap ? { isMap: false, members } : members.get(key)
    if (field !== undefined) chosen[key] = chooseFields(inside, field, extra)
    else if (extra.has(key)) chosen[key] = inside
  }
  return chosen
}

const NOTHING: ReadonlySet<string> = new Set()

/** The same for a value as JSON. */
export function chooseJson(json: string, fields: FieldTree, extra = NOTHING): string {
  return JSON.stringify(chooseFields(JSON.parse(json), fields, extra))
}

/** The members of options that are printed, in the order of their bits. */
const OPTION_MEMBERS = [
  'service',
  'type',
  'addon',
  'link',
  'videoLink',
  'quality',
  'audios',
  'subtitles',
  'price',
  'expiresSoon',
  'expiresOn',
  'availableSince',
] as const

/** The bits of all members of an option. */
export const ALL_OPTION_MEMBERS = 2 ** OPTION_MEMBERS.length - 1

/** The members of options that are printed; of those that are objects or lists, some members of theirs. */
export interface OptionFields {
  /** Identifies what is printed of objects and lists. */
  readonly name: string
  /** The members, by bits in the order of `OPTION_MEMBERS`. */
  readonly bits: number
  readonly service: FieldTree | undefined
  readonly addon: FieldTree | undefined
  readonly audios: FieldTree | undefined
  readonly subtitles: FieldTree | undefined
  readonly price: FieldTree | undefined
}

/** Reads which members of options a tree chooses. */
export function toOptionFields(members: ReadonlyMap<string, FieldTree>): OptionFields {
  const [service, addon] = [members.get('service'), members.get('addon')]
  const [audios, subtitles, price] = [members.get('audios'), members.get('subtitles'), members.get('price')]
  return {
    name: [service, addon, audios, subtitles, price].map(describeFields).join(' '),
    bits: OPTION_MEMBERS.reduce((bits, name, i) => (members.has(name) ? bits | (1 << i) : bits), 0),
    ...{ service, addon, audios, subtitles, price },
  }
}

function describeFields(tree: FieldTree | undefined): string {
  if (tree?.members === undefined) return tree === undefined ? '' : '*'
  return `(${[...tree.members].map(([name, inside]) => name + describeFields(inside)).sort()})`
}
