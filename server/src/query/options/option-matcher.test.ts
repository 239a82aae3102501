import { expect, it } from 'vitest'
import { DOCS_PER_BLOCK } from '../../catalog/storage/meta.ts'
import { countBits, hasBit, wordCount } from '../../lib/bitset/bitset.ts'
import { OFFER_TYPES, QUALITIES } from '../../model/offer.ts'
import type { OptionFilter } from '../queries.ts'
import { OptionMatcher } from './option-matcher.ts'
import { BLOCKS_PER_SEGMENT, DOCS_PER_SEGMENT, NO_END, type OptionRows } from './option-segment.ts'
import { OptionTable } from './option-table.ts'
import { NONE } from './option-values.ts'

const COUNTRIES = ['de', 'fr', 'us']
const SERVICES = ['netflix', 'prime', 'mubi']
const LANGUAGES = ['eng', 'fra', 'deu']
const PRICES = ['1.99', '3.99', '9.99']
/** More than a segment, and not a whole number of words. */
const BLOCKS = BLOCKS_PER_SEGMENT + 1
const DOCS = (BLOCKS - 1) * DOCS_PER_BLOCK + 50

interface PlainOption {
  readonly type: number
  readonly quality: number
  readonly service: number
  readonly audio: number
  readonly price: number
  readonly since: number
  readonly end: number
}

/** Numbers in a fixed order that looks random. */
let state = 7
const below = (limit: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * limit)
}

/** Options by country and document: mostly few, and sometimes more of one service than a word has bits. */
const options = COUNTRIES.map(() =>
  Array.from({ length: DOCS }, (): PlainOption[] => {
    const isLarge = below(400) === 0
    const count = isLarge ? 40 + below(40) : Math.max(0, below(6) - 3)
    const service = below(SERVICES.length)
    return Array.from({ length: count }, () => ({
      type: below(OFFER_TYPES.length),
      quality: below(QUALITIES.length + 1),
      service: isLarge ? service : below(SERVICES.length),
      audio: below(LANGUAGES.length),
      price: below(PRICES.length + 1),
      since: below(1_000),
      end: below(3) === 0 ? 1 + below(1_000) : NO_END,
    }))
  }),
)

/** The dictionary: services, then lists of languages for audios and subtitles, then prices. */
const values = [
  ...SERVICES,
  ...LANGUAGES.map((language) => [{ language }]),
  ...PRICES.map((amount) => ({ amount, currency: 'EUR' })),
  [],
]
const dictionary = { text: (number: number) => values[number] as string, json: (number: number) => values[number] }

/** What the table reads options from. */
class PlainSource {
  /** Versions of the blocks: the table reads options again when one changes. */
  readonly versions = new Array<number>(BLOCKS).fill(1)
  /** How many blocks were read. */
  blocksRead = 0

  version(): number {
    return Math.max(...this.versions)
  }

  blockVersions(): readonly number[] {
    return this.versions
  }

  addBlock(block: number, rows: ReadonlyMap<string, OptionRows>): void {
    this.blocksRead++
    for (const [country, rowsOfCountry] of rows) {
      for (let doc = block * DOCS_PER_BLOCK; doc < (block + 1) * DOCS_PER_BLOCK; doc++) {
        for (const option of options[COUNTRIES.indexOf(country)]?.[doc] ?? []) {
          const { type, quality, service, audio, since, end } = option
          const price = option.price === PRICES.length ? NONE : 6 + option.price
          const stored = { type, quality, service, addon: NONE, audios: 3 + audio, subtitles: values.length - 1, price }
          rowsOfCountry.add(doc % DOCS_PER_SEGMENT, idOf(doc), stored, since, end)
        }
      }
    }
  }
}

const idOf = (doc: number) => 1_000_000 - doc
const source = new PlainSource()
const table = new OptionTable(source, dictionary)

function passes(option: PlainOption, catalogs: readonly string[], filter: OptionFilter): boolean {
  const { types, audios, qualityMin, priceMax, availableSinceMin = 0, leavingBefore } = filter
  return (
    (catalogs.length === 0 || catalogs.includes(SERVICES[option.service] as string)) &&
    types?.includes(OFFER_TYPES[option.type] as (typeof OFFER_TYPES)[number]) !== false &&
    audios?.includes(LANGUAGES[option.audio] as string) !== false &&
    (qualityMin === undefined || option.quality > QUALITIES.indexOf(qualityMin)) &&
    (priceMax === undefined || Number(PRICES[option.price]) <= Number(priceMax.amount)) &&
    option.since >= availableSinceMin &&
    (leavingBefore === undefined || (option.end !== NO_END && option.end < leavingBefore))
  )
}

function expectPlainResult(countries: readonly string[], services: readonly string[], filter: OptionFilter): void {
  // Few candidates are tested one by one.
  const share = [1000, 100, 30, 1][below(4)] as number
  const candidates = Array.from({ length: DOCS }, (_, doc) => doc).filter(() => below(share) === 0)
  const bits = new Uint32Array(wordCount(DOCS))
  for (const doc of candidates) bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
  const catalogs = services.map((service) => ({ service }))
  const matcher = new OptionMatcher(table, { countries, catalogs, options: filter }, source.version())
  const uncounted = bits.slice()
  matcher.retain(uncounted)
  const counts = matcher.retainAndCount(bits)

  const expected = new Map<number, number>()
  let found = 0
  for (const doc of candidates) {
    const all = countries.flatMap((country) => options[COUNTRIES.indexOf(country)]?.[doc] ?? [])
    const passing = new Set(all.filter((option) => passes(option, services, filter)).map(({ service }) => service))
    for (const service of passing) expected.set(service, (expected.get(service) ?? 0) + 1)
    if (passing.size > 0) found++
    const isFound = [hasBit(bits, doc), matcher.matches(doc)]
    if (isFound.includes(passing.size === 0)) expect.fail(`document ${doc}: ${JSON.stringify(filter)}`)
  }
  expect(countBits(bits)).toBe(found)
  expect(uncounted).toEqual(bits)
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(expected))
}

const some = <T>(list: readonly T[]) => list.filter((_, i) => i === below(list.length) || below(2) === 0)

/** A few filters at once. */
function randomFilter(): OptionFilter {
  return {
    ...(below(3) === 0 && { types: some(OFFER_TYPES) }),
    ...(below(3) === 0 && { audios: some(LANGUAGES) }),
    ...(below(3) === 0 && { qualityMin: QUALITIES[below(QUALITIES.length)] as (typeof QUALITIES)[number] }),
    ...(below(5) === 0 && { priceMax: { amount: '4', currency: 'EUR' } }),
    ...(below(4) === 0 && { availableSinceMin: below(1_000) }),
    ...(below(6) === 0 && { leavingBefore: below(1_000) }),
  }
}

it('finds and counts what a plain loop over all options does, in one country, some and all', () => {
  for (let i = 0; i < 32; i++) {
    const countries = [['de'], ['us'], ['de', 'us'], COUNTRIES][i % 4] as readonly string[]
    expectPlainResult(countries, below(3) === 0 ? some(SERVICES) : [], randomFilter())
  }
})

it('orders documents by the options that pass', () => {
  const filter: OptionFilter = { audios: ['fra'] }
  const matcher = new OptionMatcher(table, { countries: COUNTRIES, catalogs: [], options: filter }, source.version())
  for (let doc = 0; doc < DOCS; doc += 7) {
    const all = COUNTRIES.flatMap((_, c) => options[c]?.[doc] ?? [])
    const passing = all.filter((option) => passes(option, [], filter))
    const ends = passing.map(({ end }) => end).filter((end) => end !== NO_END)
    const id = all.length === 0 ? 0 : idOf(doc)
    expect(matcher.latestStart(doc)).toEqual({ id, value: Math.max(0, ...passing.map(({ since }) => since)) })
    expect(matcher.earliestEnd(doc)).toEqual({ id, value: Math.min(999_999_999_999, ...ends) })
  }
})

it('reads a country once, and after that only blocks whose documents were written', () => {
  const filter = { availableSinceMin: 2_000 }
  expectPlainResult(COUNTRIES, [], filter)
  const readBefore = source.blocksRead
  expectPlainResult(COUNTRIES, [], randomFilter())
  expect(source.blocksRead).toBe(readBefore)

  const [germany] = options as [PlainOption[][]]
  // Later than what fits into 32 bits.
  const end = 253_402_300_799
  germany[DOCS - 1] = [{ type: 0, quality: 0, service: 0, audio: 0, price: 0, since: 3_000, end }]
  germany[300] = []
  source.versions[BLOCKS - 1] = 2
  source.versions[1] = 3
  expectPlainResult(COUNTRIES, [], filter)
  expect(source.blocksRead).toBe(readBefore + 2)
  for (let i = 0; i < 8; i++) expectPlainResult(['de'], [], randomFilter())
  const bits = new Uint32Array(wordCount(DOCS)).fill(0xffff_ffff)
  const matcher = new OptionMatcher(table, { countries: ['de'], catalogs: [], options: filter }, 3)
  expect(matcher.earliestEnd(DOCS - 1).value).toBe(end)
  expect([...matcher.retainAndCount(bits)]).toEqual([[0, 1]])
})
