import type { Mutable } from '../../lib/objects.ts'
import type {
  FieldSharers,
  FieldSources,
  IdentityDecision,
  RecordLink,
  RecordLinks,
  ShowIdentity,
} from '../../model/identity.ts'
import { RANKED_FIELDS, type RankedField } from '../../model/source-ranks.ts'
import type { ByteReader, ByteWriter } from '../storage/byte-stream.ts'

/*
 * The identity of a show: a byte of flags, then the parts that are there. Sources are sorted by name, so that the bytes do
 * not depend on the order of imports. The commonest link, of a record with the show's own id that made the show, takes
 * six bytes.
 */
const HAS_RECORDS = 0x01
const HAS_DECISIONS = 0x02
const HAS_MERGED_IDS = 0x04
const HAS_FIELD_SOURCES = 0x08
/** Its part comes last: programs that do not know the flag ignore it. */
const HAS_FIELD_SHARERS = 0x10

/** Reasons of links that have a code of their own; any other one is stored as text, after a zero. */
const COMMON_REASONS = ['new', 'id', 'imdb', 'tmdb', 'operator'] as const

const PART = 0x01
const SPLIT = 0x02

/** Whether there is anything to encode. */
export function hasIdentity({ records, decisions, mergedIds, fieldSources, fieldSharers }: ShowIdentity): boolean {
  return [records, decisions, mergedIds, fieldSources, fieldSharers].some((part) => part !== undefined)
}

export function encodeIdentity(out: ByteWriter, show: ShowIdentity & { readonly id: string }): void {
  const { records, decisions, mergedIds, fieldSources, fieldSharers } = show
  out.byte(
    (records === undefined ? 0 : HAS_RECORDS) |
      (decisions === undefined ? 0 : HAS_DECISIONS) |
      (mergedIds === undefined ? 0 : HAS_MERGED_IDS) |
      (fieldSources === undefined ? 0 : HAS_FIELD_SOURCES) |
      (fieldSharers === undefined ? 0 : HAS_FIELD_SHARERS),
  )
  if (records !== undefined) encodeRecords(out, records, show.id)
  if (decisions !== undefined) encodeDecisions(out, decisions)
  if (mergedIds !== undefined) out.sizedText(mergedIds.join(' '))
  if (fieldSources !== undefined) encodeFieldSources(out, fieldSources)
  if (fieldSharers !== undefined) encodeFieldSharers(out, fieldSharers)
}

/** Decodes the identity of the show with this id. */
export function decodeIdentity(input: ByteReader, id: string): ShowIdentity {
  const flags = input.byte()
  const identity: Mutable<ShowIdentity> = {}
  if ((flags & HAS_RECORDS) !== 0) identity.records = decodeRecords(input, id)
  if ((flags & HAS_DECISIONS) !== 0) identity.decisions = decodeDecisions(input)
  if ((flags & HAS_MERGED_IDS) !== 0) identity.mergedIds = splitIds(input.sizedText())
  if ((flags & HAS_FIELD_SOURCES) !== 0) identity.fieldSources = decodeFieldSources(input)
  if ((flags & HAS_FIELD_SHARERS) !== 0) identity.fieldSharers = decodeFieldSharers(input)
  return identity
}

function splitIds(text: string): string[] {
  return text === '' ? [] : text.split(' ')
}

function encodeRecords(out: ByteWriter, records: RecordLinks, id: string): void {
  const sources = Object.keys(records).sort()
  out.varint(sources.length)
  for (const source of sources) {
    const links = records[source] as readonly RecordLink[]
    out.sizedText(source)
    out.varint(links.length)
    for (const { key, by, fields, year } of links) {
      out.sizedText(key === id ? '' : key)
      const code = COMMON_REASONS.indexOf(by as (typeof COMMON_REASONS)[number]) + 1
      out.byte(code)
      if (code === 0) out.sizedText(by)
      out.sizedText(fields ?? '')
      out.varint(year === undefined ? 0 : year + 1)
    }
  }
}

function decodeRecords(input: ByteReader, id: string): RecordLinks {
  const records: Record<string, readonly RecordLink[]> = {}
  for (let sources = input.varint(); sources > 0; sources--) {
    const source = input.sizedText()
    records[source] = Array.from({ length: input.varint() }, () => {
      const key = input.sizedText() || id
      const code = input.byte()
      const by = code === 0 ? input.sizedText() : (COMMON_REASONS[code - 1] as string)
      const [fields, year] = [input.sizedText(), input.varint()]
      return { key, by, ...(fields !== '' && { fields }), ...(year > 0 && { year: year - 1 }) }
    })
  }
  return records
}

function encodeDecisions(out: ByteWriter, decisions: readonly IdentityDecision[]): void {
  out.varint(decisions.length)
  for (const { kind, show, at, split } of decisions) {
    out.byte((kind === 'part' ? PART : 0) | (split === true ? SPLIT : 0))
    out.sizedText(show)
    out.varint(at)
  }
}

function decodeDecisions(input: ByteReader): IdentityDecision[] {
  return Array.from({ length: input.varint() }, () => {
    const flags = input.byte()
    const [show, at] = [input.sizedText(), input.varint()]
    return { kind: (flags & PART) !== 0 ? 'part' : 'join', show, at, ...((flags & SPLIT) !== 0 && { split: true }) }
  })
}

/** Each source with the set of its fields as bits, in the order of `RANKED_FIELDS`: most shows have one source. */
function encodeFieldSources(out: ByteWriter, fieldSources: FieldSources): void {
  encodeFieldSets(out, Object.values(fieldSources), (field, source) => fieldSources[field] === source)
}

function encodeFieldSharers(out: ByteWriter, sharers: FieldSharers): void {
  const isSharer = (field: RankedField, source: string) => sharers[field]?.includes(source) === true
  encodeFieldSets(out, Object.values(sharers).flat(), isSharer)
}

function encodeFieldSets(
  out: ByteWriter,
  names: readonly string[],
  has: (field: RankedField, source: string) => boolean,
): void {
  const sources = [...new Set(names)].sort()
  out.varint(sources.length)
  for (const source of sources) {
    out.sizedText(source)
    out.varint(RANKED_FIELDS.reduce((bits, field, i) => (has(field, source) ? bits | (1 << i) : bits), 0))
  }
}

function decodeFieldSources(input: ByteReader): FieldSources {
  const fieldSources: Record<string, string> = {}
  decodeFieldSets(input, (field, source) => {
    fieldSources[field] = source
  })
  return fieldSources
}

function decodeFieldSharers(input: ByteReader): FieldSharers {
  const sharers: Partial<Record<RankedField, string[]>> = {}
  decodeFieldSets(input, (field, source) => {
    sharers[field] = [...(sharers[field] ?? []), source]
  })
  return sharers
}

function decodeFieldSets(input: ByteReader, visit: (field: RankedField, source: string) => void): void {
  for (let sources = input.varint(); sources > 0; sources--) {
    const [source, bits] = [input.sizedText(), input.varint()]
    RANKED_FIELDS.forEach((field, i) => {
      if ((bits & (1 << i)) !== 0) visit(field, source)
    })
  }
}
