import type { OfferReader } from '../catalog/documents/offers-codec.ts'
import type { ByteWriter } from '../catalog/storage/byte-stream.ts'
import type { Dictionary } from '../catalog/storage/dictionary.ts'
import { QUALITIES } from '../model/offer.ts'
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

/** The same for a value as JSON. */
export function chooseJson(json: string, fields: FieldTree): string {
  return JSON.stringify(chooseFields(JSON.parse(json), fields, NOTHING))
}

const NOTHING: ReadonlySet<string> = new Set()

/** The members of options that are printed; of those that are objects or lists, some members of theirs. */
export interface OptionFields {
  /** Identifies the members of services and addons in caches. */
  readonly name: string
  readonly service: FieldTree | undefined
  readonly addon: FieldTree | undefined
  readonly audios: FieldTree | undefined
  readonly subtitles: FieldTree | undefined
  readonly price: FieldTree | undefined
  readonly type: boolean
  readonly link: boolean
  readonly videoLink: boolean
  readonly quality: boolean
  readonly expiresSoon: boolean
  readonly expiresOn: boolean
  readonly availableSince: boolean
}

/** Reads which members of options a tree chooses. */
export function toOptionFields(members: ReadonlyMap<string, FieldTree>): OptionFields {
  const [service, addon] = [members.get('service'), members.get('addon')]
  const has = (name: string) => members.has(name)
  return {
    name: `${has('type')} ${describeFields(service)} ${describeFields(addon)}`,
    service,
    addon,
    audios: members.get('audios'),
    subtitles: members.get('subtitles'),
    price: members.get('price'),
    type: has('type'),
    link: has('link'),
    videoLink: has('videoLink'),
    quality: has('quality'),
    expiresSoon: has('expiresSoon'),
    expiresOn: has('expiresOn'),
    availableSince: has('availableSince'),
  }
}

function describeFields(tree: FieldTree | undefined): string {
  if (tree?.members === undefined) return tree === undefined ? '' : '*'
  return `(${[...tree.members].map(([name, inside]) => name + describeFields(inside)).sort()})`
}

/** What is printed of an offer beside what its record has. */
interface OptionContext {
  readonly dictionary: Dictionary
  /** The chosen members of its addon, if it has one and any are chosen. */
  readonly addon: Buffer | undefined
  /** Whether it expires soon. */
  readonly soon: boolean
  /** Whether nothing of the option is printed yet, so that no comma comes first. */
  readonly isBare: boolean
}

/* Constant JSON fragments. */
const NAMES = {
  addon: Buffer.from(',"addon":'),
  link: Buffer.from(',"link":"'),
  videoLink: Buffer.from(',"videoLink":"'),
  quality: Buffer.from(',"quality":"'),
  audios: Buffer.from(',"audios":'),
  subtitles: Buffer.from(',"subtitles":'),
  price: Buffer.from(',"price":'),
  expiresSoon: Buffer.from(',"expiresSoon":'),
  expiresOn: Buffer.from(',"expiresOn":'),
  availableSince: Buffer.from(',"availableSince":'),
} as const

/** Writes the chosen members of an option from its addon on, in the order of the whole option. */
export function writeChosenMembers(
  out: ByteWriter,
  offer: OfferReader,
  fields: OptionFields,
  { dictionary, addon, soon, isBare }: OptionContext,
): void {
  let skipped = isBare ? 1 : 0
  const name = (member: keyof typeof NAMES) => {
    out.bytes(NAMES[member], skipped)
    skipped = 0
  }
  if (addon !== undefined) {
    name('addon')
    out.bytes(addon)
  }
  if (fields.link) {
    name('link')
    out.startOf(offer.link.buffer, offer.link.length)
    out.ascii('"')
  }
  if (fields.videoLink && offer.hasVideoLink) {
    name('videoLink')
    out.startOf(offer.videoLink.buffer, offer.videoLink.length)
    out.ascii('"')
  }
  if (fields.quality && offer.quality > 0) {
    name('quality')
    out.ascii(`${QUALITIES[offer.quality - 1]}"`)
  }
  /** Values that the dictionary has as JSON. */
  const json = (member: 'audios' | 'subtitles' | 'price', chosen: FieldTree | undefined, number: number) => {
    if (chosen === undefined || number < 0) return
    name(member)
    if (chosen.members === undefined) out.bytes(dictionary.utf8(number))
    else out.utf8(chooseJson(dictionary.text(number), chosen))
  }
  json('audios', fields.audios, offer.audios)
  json('subtitles', fields.subtitles, offer.subtitles)
  json('price', fields.price, offer.price)
  if (fields.expiresSoon) {
    name('expiresSoon')
    out.ascii(soon ? 'true' : 'false')
  }
  if (fields.expiresOn && offer.expiresOn >= 0) {
    name('expiresOn')
    out.decimal(offer.expiresOn)
  }
  if (fields.availableSince) {
    name('availableSince')
    out.decimal(offer.availableSince)
  }
  out.ascii('}')
}
