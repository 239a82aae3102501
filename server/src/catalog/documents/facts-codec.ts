import type { ShowIdentity } from '../../model/identity.ts'
import {
  POPULARITY_WINDOWS,
  type Popularity,
  type PopularityWindow,
  type Ratings,
  type Show,
  type ShowType,
} from '../../model/show.ts'
import { ByteReader, type ByteWriter } from '../storage/byte-stream.ts'
import { decodeIdentity, encodeIdentity, hasIdentity } from './identity-codec.ts'

/** The fields of a show that sorting and filtering need, in a record small enough to be read by the hundred. */
export interface Facts {
  readonly id: string
  readonly showType: ShowType
  readonly deleted: boolean
  readonly rating: number
  readonly ratings: Ratings
  readonly year: number | undefined
  readonly originalLanguage: string | undefined
  readonly originalTitle: string
  readonly popularity: Readonly<Record<string, Popularity>>
  readonly formerIds: readonly string[]
  readonly mergedInto: string | undefined
  readonly aliases: readonly string[]
}

const SERIES = 0x01
const DELETED = 0x02
const HAS_FORMER_IDS = 0x04
const MERGED = 0x08
const HAS_RATINGS = 0x10
const HAS_ALIASES = 0x20
const HAS_IDENTITY = 0x40

export function encodeFacts(out: ByteWriter, show: Show): void {
  const { formerIds = [], mergedInto, aliases = [] } = show
  // Sorted by name, so that the record does not depend on the order of imports.
  const ratings = Object.entries(show.ratings).sort(([a], [b]) => (a < b ? -1 : 1))
  out.byte(
    (show.showType === 'series' ? SERIES : 0) |
      (show.deleted === true ? DELETED : 0) |
      (formerIds.length > 0 ? HAS_FORMER_IDS : 0) |
      (mergedInto === undefined ? 0 : MERGED) |
      (ratings.length > 0 ? HAS_RATINGS : 0) |
      (aliases.length > 0 ? HAS_ALIASES : 0) |
      (hasIdentity(show) ? HAS_IDENTITY : 0),
  )
  out.varint(Number(show.id))
  out.varint(show.year === undefined ? 0 : show.year + 1)
  out.byte(show.rating)
  out.sizedText(show.originalLanguage ?? '')
  out.sizedText(show.originalTitle)
  const countries = Object.keys(show.popularity).sort()
  out.varint(countries.length)
  for (const country of countries) {
    out.ascii(country)
    encodePopularity(out, show.popularity[country] as Popularity)
  }
  if (formerIds.length > 0) out.sizedText(formerIds.join(' '))
  if (mergedInto !== undefined) out.sizedText(mergedInto)
  if (ratings.length > 0) encodeRatings(out, ratings)
  if (aliases.length > 0) {
    out.varint(aliases.length)
    for (const alias of aliases) out.sizedText(alias)
  }
  // Last, so that sorting and filtering need not decode it.
  if (hasIdentity(show)) encodeIdentity(out, show)
}

function encodeRatings(out: ByteWriter, ratings: readonly [source: string, rating: number][]): void {
  out.varint(ratings.length)
  for (const [source, rating] of ratings) {
    out.sizedText(source)
    out.byte(rating)
  }
}

/** A byte of flags: the windows that are present (low bits), and those with an integer (high bits). Then the values. */
function encodePopularity(out: ByteWriter, popularity: Popularity): void {
  const values = POPULARITY_WINDOWS.map((window) => popularity[window])
  let present = 0
  values.forEach((value, i) => {
    if (value !== undefined) present |= (1 << i) | (Number.isSafeInteger(value) ? 0x10 << i : 0)
  })
  out.byte(present)
  for (const value of values) {
    if (value === undefined) continue
    if (Number.isSafeInteger(value)) out.varint(value)
    else out.float64(value)
  }
}

/** The id of a show alone. */
export function decodeId(buffer: Buffer): string {
  return String(new ByteReader(buffer, 1).varint())
}

/** The facts of a show that are flags. */
export interface FlaggedFacts extends Pick<Facts, 'showType' | 'deleted'> {
  readonly hasFormerIds: boolean
}

export function decodeFlaggedFacts(buffer: Buffer): FlaggedFacts {
  const flags = buffer[0] as number
  return {
    showType: (flags & SERIES) !== 0 ? 'series' : 'movie',
    deleted: (flags & DELETED) !== 0,
    hasFormerIds: (flags & HAS_FORMER_IDS) !== 0,
  }
}

export function decodeFacts(buffer: Buffer): Facts {
  return readFacts(new ByteReader(buffer))
}

/** The facts together with the identity of the show, which only imports need. */
export function decodeFactsAndIdentity(buffer: Buffer): { facts: Facts; identity: ShowIdentity } {
  const input = new ByteReader(buffer)
  const facts = readFacts(input)
  const hasIdentity = ((buffer[0] as number) & HAS_IDENTITY) !== 0
  return { facts, identity: hasIdentity ? decodeIdentity(input, facts.id) : NO_IDENTITY }
}

const NO_IDENTITY: ShowIdentity = {}

function readFacts(input: ByteReader): Facts {
  const flags = input.byte()
  const id = String(input.varint())
  const year = input.varint()
  const rating = input.byte()
  const originalLanguage = input.sizedText()
  const originalTitle = input.sizedText()
  const popularity: Record<string, Popularity> = {}
  for (let left = input.varint(); left > 0; left--) {
    const country = String.fromCharCode(input.byte(), input.byte())
    popularity[country] = decodePopularity(input)
  }
  return {
    id,
    showType: (flags & SERIES) !== 0 ? 'series' : 'movie',
    deleted: (flags & DELETED) !== 0,
    rating,
    year: year === 0 ? undefined : year - 1,
    originalLanguage: originalLanguage === '' ? undefined : originalLanguage,
    originalTitle,
    popularity,
    formerIds: (flags & HAS_FORMER_IDS) !== 0 ? input.sizedText().split(' ') : [],
    mergedInto: (flags & MERGED) !== 0 ? input.sizedText() : undefined,
    ratings: (flags & HAS_RATINGS) !== 0 ? decodeRatings(input) : {},
    aliases: (flags & HAS_ALIASES) !== 0 ? Array.from({ length: input.varint() }, () => input.sizedText()) : [],
  }
}

function decodeRatings(input: ByteReader): Ratings {
  return Object.fromEntries(Array.from({ length: input.varint() }, () => [input.sizedText(), input.byte()]))
}

function decodePopularity(input: ByteReader): Popularity {
  const present = input.byte()
  const popularity: Partial<Record<PopularityWindow, number>> = {}
  POPULARITY_WINDOWS.forEach((window, i) => {
    if ((present & (1 << i)) === 0) return
    popularity[window] = (present & (0x10 << i)) !== 0 ? input.varint() : input.float64()
  })
  return popularity
}

/** What shows are compared by. Unknown values are 0. */
export interface ComparedFacts {
  readonly id: number
  readonly year: number
  readonly rating: number
  /** All-time popularity in a country, or the highest in several. */
  readonly popularity: number
}

/** The facts that shows are compared by, without decoding the others. */
export function decodeComparedFacts(buffer: Buffer, countries: readonly string[]): ComparedFacts {
  const input = new ByteReader(buffer, 1)
  const id = input.varint()
  const year = Math.max(input.varint() - 1, 0)
  const rating = input.byte()
  const field = popularityField('alltime', countries)
  return { id, year, rating, popularity: decodeSortValue(buffer, field).value as number }
}

/** A field to sort by: one of the facts, or the popularity in a window: in a country, or the highest in several. */
export type SortField =
  | 'rating'
  | 'year'
  | 'originalTitle'
  | { readonly window: PopularityWindow; readonly country: string }
  | { readonly window: PopularityWindow; readonly countries: readonly string[] }

function popularityField(window: PopularityWindow, countries: readonly string[]): SortField {
  return countries.length === 1 ? { window, country: countries[0] as string } : { window, countries }
}

/** The id of a show and one field, without decoding the others. An unknown value is 0. */
export function decodeSortValue(buffer: Buffer, field: SortField): { id: number; value: number | string } {
  const input = new ByteReader(buffer, 1)
  const id = input.varint()
  const year = input.varint()
  const rating = input.byte()
  if (field === 'rating') return { id, value: rating }
  if (field === 'year') return { id, value: Math.max(year - 1, 0) }
  input.skip(input.varint())
  if (field === 'originalTitle') return { id, value: input.sizedText() }
  input.skip(input.varint())
  if ('countries' in field) {
    let highest = 0
    for (let left = input.varint(); left > 0; left--) {
      const country = String.fromCharCode(input.byte(), input.byte())
      const value = decodePopularity(input)[field.window] ?? 0
      if (value > highest && field.countries.includes(country)) highest = value
    }
    return { id, value: highest }
  }
  const [first, second] = [field.country.charCodeAt(0), field.country.charCodeAt(1)]
  for (let left = input.varint(); left > 0; left--) {
    const a = input.byte()
    const b = input.byte()
    const present = input.byte()
    const isCountry = a === first && b === second
    for (let i = 0; i < POPULARITY_WINDOWS.length; i++) {
      if ((present & (1 << i)) === 0) continue
      const value = (present & (0x10 << i)) !== 0 ? input.varint() : input.float64()
      if (isCountry && POPULARITY_WINDOWS[i] === field.window) return { id, value }
    }
    if (isCountry) break
  }
  return { id, value: 0 }
}
