import { expect, it } from 'vitest'
import { DOCS_PER_BLOCK } from '../../catalog/storage/meta.ts'
import { countBits, hasBit, wordCount } from '../../lib/bitset.ts'
import { OFFER_TYPES, QUALITIES } from '../../model/offer.ts'
import type { OptionFilter } from '../queries.ts'
import { OptionIndex } from './option-index.ts'
import { BLOCKS_PER_SEGMENT } from './option-segment.ts'
import { NONE, type OptionBlock } from './option-table.ts'

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
      end: below(3) === 0 ? below(1_000) : Number.POSITIVE_INFINITY,
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

function toBlock(country: string, block: number): OptionBlock {
  const starts = new Uint32Array(DOCS_PER_BLOCK + 1)
  const numbers: number[] = []
  const times: number[] = []
  for (let n = 0; n < DOCS_PER_BLOCK; n++) {
    for (const option of options[COUNTRIES.indexOf(country)]?.[block * DOCS_PER_BLOCK + n] ?? []) {
      const price = option.price === PRICES.length ? NONE : 6 + option.price
      numbers.push(option.type + option.quality * 8, option.service, NONE, 3 + option.audio, values.length - 1, price)
      times.push(option.since, option.end)
    }
    starts[n + 1] = times.length / 2
  }
  return {
    starts,
    ids: new Float64Array(DOCS_PER_BLOCK),
    numbers: Uint32Array.from(numbers),
    times: Float64Array.from(times),
  }
}

/** Versions of the blocks: the index reads options again when one changes. */
const versions = new Array<number>(BLOCKS).fill(1)
const index = new OptionIndex(
  {
    block: toBlock,
    blockCount: () => BLOCKS,
    countries: () => COUNTRIES,
    changedAt: (start, end) => Math.max(...versions.slice(start, end)),
  },
  dictionary,
)

function passes(option: PlainOption, catalogs: readonly string[], filter: OptionFilter): boolean {
  const { types, audios, qualityMin, priceMax, availableSinceMin = 0, leavingBefore } = filter
  return (
    (catalogs.length === 0 || catalogs.includes(SERVICES[option.service] as string)) &&
    types?.includes(OFFER_TYPES[option.type] as (typeof OFFER_TYPES)[number]) !== false &&
    audios?.includes(LANGUAGES[option.audio] as string) !== false &&
    (qualityMin === undefined || option.quality > QUALITIES.indexOf(qualityMin)) &&
    (priceMax === undefined || Number(PRICES[option.price]) <= Number(priceMax.amount)) &&
    option.since >= availableSinceMin &&
    (leavingBefore === undefined || option.end < leavingBefore)
  )
}

function expectPlainResult(countries: readonly string[], services: readonly string[], filter: OptionFilter): void {
  const share = 1 + below(10)
  const candidates = Array.from({ length: DOCS }, (_, doc) => doc).filter(() => share === 10 || below(10) < share)
  const bits = new Uint32Array(wordCount(DOCS))
  for (const doc of candidates) bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
  const catalogs = services.map((service) => ({ service }))
  const scope = { countries, catalogs, options: filter }
  const uncounted = bits.slice()
  index.filter(uncounted, scope, 1)
  const counts = index.filterAndCount(bits, scope, 1)

  const expected = new Map<number, number>()
  let found = 0
  for (const doc of candidates) {
    const all = countries.flatMap((country) => options[COUNTRIES.indexOf(country)]?.[doc] ?? [])
    const passing = new Set(all.filter((option) => passes(option, services, filter)).map(({ service }) => service))
    for (const service of passing) expected.set(service, (expected.get(service) ?? 0) + 1)
    if (passing.size > 0) found++
    if (hasBit(bits, doc) !== passing.size > 0) expect.fail(`document ${doc}: ${JSON.stringify(filter)}`)
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
  for (let i = 0; i < 16; i++) {
    const countries = [['de'], ['us'], ['de', 'us'], COUNTRIES][i % 4] as readonly string[]
    expectPlainResult(countries, below(3) === 0 ? some(SERVICES) : [], randomFilter())
  }
})

it('reads the options of a segment again when one of its documents was written', () => {
  const filter = { availableSinceMin: 2_000 }
  expectPlainResult(COUNTRIES, [], filter)
  const [first] = options as [PlainOption[][]]
  first[DOCS - 1] = [{ type: 0, quality: 0, service: 0, audio: 0, price: 0, since: 3_000, end: 4_000 }]
  versions[BLOCKS - 1] = 2
  expectPlainResult(COUNTRIES, [], filter)
  expectPlainResult(['de'], [], filter)
  const bits = new Uint32Array(wordCount(DOCS)).fill(0xffff_ffff)
  expect([...index.filterAndCount(bits, { countries: ['de'], catalogs: [], options: filter }, 2)]).toEqual([[0, 1]])
})
