import type { Dictionary } from '../../catalog/storage/dictionary.ts'
import { DOCS_PER_BLOCK } from '../../catalog/storage/meta.ts'
import { type Locale, type Subtitle, toAlpha3Language } from '../../model/language.ts'
import { OFFER_TYPES, type Price, QUALITIES } from '../../model/offer.ts'
import type { CatalogSelector, OptionFilter, SubtitleChoice } from '../queries.ts'
import {
  ADDON,
  AUDIOS,
  KIND,
  NONE,
  NUMBERS_PER_OPTION,
  type OptionBlock,
  type OptionTable,
  PRICE,
  SERVICE,
  SUBTITLES,
} from './option-table.ts'

const ALL_TYPES = (1 << OFFER_TYPES.length) - 1

/** Where the options of a document are, and which of them pass. */
export interface OptionScope {
  readonly countries: readonly string[]
  readonly catalogs: readonly CatalogSelector[]
  readonly options: OptionFilter
}

/** Tests the options of documents in some countries against filters, at one catalog version. */
export class OptionMatcher {
  private readonly table: OptionTable
  private readonly version: number
  private readonly countries: readonly string[]
  private readonly typeMask: number
  private readonly minQuality: number
  private readonly sinceMin: number
  private readonly leavingBefore: number
  /** Whether times matter: they lie in memory of their own, which is not read otherwise. */
  private readonly testsTimes: boolean
  private readonly selectors: Selectors | undefined
  private readonly audios: NumberTest | undefined
  private readonly subtitles: NumberTest | undefined
  private readonly price: NumberTest | undefined
  /** By country. */
  private readonly recentBlocks: readonly (readonly (OptionBlock | undefined)[])[]

  constructor(
    table: OptionTable,
    dictionary: Dictionary,
    { countries, catalogs, options }: OptionScope,
    version: number,
  ) {
    const { types, qualityMin, audios, subtitles, priceMax } = options
    const test = (accepts: (value: unknown) => boolean) => new NumberTest((number) => accepts(dictionary.json(number)))
    this.table = table
    this.version = version
    this.countries = countries
    this.recentBlocks = countries.map((country) => table.recentBlocks(country, version))
    this.typeMask = types?.reduce((mask, type) => mask | (1 << OFFER_TYPES.indexOf(type)), 0) ?? ALL_TYPES
    this.minQuality = qualityMin === undefined ? 0 : QUALITIES.indexOf(qualityMin) + 1
    this.sinceMin = options.availableSinceMin ?? 0
    this.leavingBefore = options.leavingBefore ?? Number.NaN
    this.testsTimes = options.availableSinceMin !== undefined || options.leavingBefore !== undefined
    this.selectors = catalogs.length === 0 ? undefined : new Selectors(catalogs, dictionary)
    this.audios = audios && test((locales) => hasAudio(locales as readonly Locale[], audios))
    this.subtitles = subtitles && test((tracks) => hasSubtitle(tracks as readonly Subtitle[], subtitles))
    this.price = priceMax && test((price) => isWithin(price as Price, priceMax))
  }

  /** Whether an option of the document passes all filters. */
  matches(doc: number): boolean {
    const n = doc % DOCS_PER_BLOCK
    for (let c = 0; c < this.countries.length; c++) {
      const block = this.blockOf(c, doc)
      const end = block.starts[n + 1] as number
      for (let option = block.starts[n] as number; option < end; option++) if (this.passes(block, option)) return true
    }
    return false
  }

  /** For each service, by its number in the dictionary, how many of the documents have an option on it that passes. */
  countServices(docs: Uint32Array): Map<number, number> {
    const counts = new ServiceCounts()
    let blocks: OptionBlock[] = []
    let blockEnd = 0
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number
      if (doc >= blockEnd) {
        blocks = this.countries.map((_, c) => this.blockOf(c, doc))
        blockEnd = doc - (doc % DOCS_PER_BLOCK) + DOCS_PER_BLOCK
      }
      for (let b = 0; b < blocks.length; b++) this.addServices(blocks[b] as OptionBlock, doc, i, counts)
    }
    return counts.toMap()
  }

  /** Counts the services of one document in one country. */
  private addServices(block: OptionBlock, doc: number, place: number, counts: ServiceCounts): void {
    const n = doc % DOCS_PER_BLOCK
    const { numbers } = block
    const end = block.starts[n + 1] as number
    for (let option = block.starts[n] as number; option < end; option++) {
      const service = numbers[option * NUMBERS_PER_OPTION + SERVICE] as number
      if (!counts.has(service, place) && this.passes(block, option)) counts.add(service, place)
    }
  }

  /** The id of the show, and the latest time since which an option that passes is available; 0 without one. */
  latestStart(doc: number): { id: number; value: number } {
    return this.reduce(doc, 0, 0, Math.max)
  }

  /** The id of the show, and the earliest known end of an option that passes; `NO_END` without one. */
  earliestEnd(doc: number): { id: number; value: number } {
    return this.reduce(doc, 1, NO_END, Math.min)
  }

  private reduce(
    doc: number,
    offset: 0 | 1,
    initial: number,
    combine: (a: number, b: number) => number,
  ): { id: number; value: number } {
    const n = doc % DOCS_PER_BLOCK
    let value = initial
    let id = 0
    for (let c = 0; c < this.countries.length; c++) {
      const block = this.blockOf(c, doc)
      id ||= block.ids[n] as number
      const end = block.starts[n + 1] as number
      for (let option = block.starts[n] as number; option < end; option++) {
        if (this.passes(block, option)) value = combine(value, block.times[option * 2 + offset] as number)
      }
    }
    return { id, value }
  }

  /** The block of a document in the country with an index. */
  private blockOf(country: number, doc: number): OptionBlock {
    const index = Math.floor(doc / DOCS_PER_BLOCK)
    return (
      this.recentBlocks[country]?.[index] ?? this.table.block(this.countries[country] as string, index, this.version)
    )
  }

  private passes({ numbers, times }: OptionBlock, option: number): boolean {
    const at = option * NUMBERS_PER_OPTION
    const kind = numbers[at + KIND] as number
    if (((this.typeMask >> (kind & 7)) & 1) === 0 || kind >> 3 < this.minQuality) return false
    if (this.testsTimes) {
      if ((times[option * 2] as number) < this.sinceMin) return false
      // Without the filter the bound is no number, and so below no end.
      if ((times[option * 2 + 1] as number) >= this.leavingBefore) return false
    }
    if (this.selectors?.select(kind & 7, numbers[at + SERVICE] as number, numbers[at + ADDON] as number) === false)
      return false
    if (this.audios?.passes(numbers[at + AUDIOS] as number) === false) return false
    if (this.subtitles?.passes(numbers[at + SUBTITLES] as number) === false) return false
    if (this.price === undefined) return true
    const price = numbers[at + PRICE] as number
    return price !== NONE && this.price.passes(price)
  }
}

/** The end of options without one: after all timestamps. */
const NO_END = 999_999_999_999

/** The result of a test that has not run yet, that failed, and that passed. */
const UNTESTED = 0
const FAILED = 1
const PASSED = 2

/** A test of dictionary entries that runs once for each. Results are in an array: options are tested by the hundred thousand. */
export class NumberTest {
  private results = new Uint8Array(4096)
  private readonly test: (number: number) => boolean

  constructor(test: (number: number) => boolean) {
    this.test = test
  }

  passes(number: number): boolean {
    const result = number < this.results.length ? (this.results[number] as number) : UNTESTED
    return result === UNTESTED ? this.run(number) : result === PASSED
  }

  private run(number: number): boolean {
    if (number >= this.results.length) {
      const larger = new Uint8Array(Math.max(number + 1, 2 * this.results.length))
      larger.set(this.results)
      this.results = larger
    }
    const passes = this.test(number)
    this.results[number] = passes ? PASSED : FAILED
    return passes
  }
}

/** Counts documents by service, each once; documents come one after the other, by their place in a list. */
class ServiceCounts {
  /** By the number of a service: how many documents have it, and the place of the last one plus 1. */
  private counts = new Uint32Array(4096)
  private last = new Uint32Array(4096)

  has(service: number, place: number): boolean {
    return service < this.last.length && this.last[service] === place + 1
  }

  add(service: number, place: number): void {
    if (service >= this.last.length) this.grow(service + 1)
    this.counts[service] = (this.counts[service] as number) + 1
    this.last[service] = place + 1
  }

  toMap(): Map<number, number> {
    const map = new Map<number, number>()
    this.counts.forEach((count, service) => {
      if (count > 0) map.set(service, count)
    })
    return map
  }

  private grow(size: number): void {
    const length = Math.max(size, 2 * this.last.length)
    const [counts, last] = [new Uint32Array(length), new Uint32Array(length)]
    counts.set(this.counts)
    last.set(this.last)
    this.counts = counts
    this.last = last
  }
}

/** The entries of `catalogs`, one of which an option must belong to. Services and addons are dictionary numbers. */
class Selectors {
  private readonly dictionary: Dictionary
  private readonly catalogs: readonly CatalogSelector[]
  private readonly services: NumberTest

  constructor(catalogs: readonly CatalogSelector[], dictionary: Dictionary) {
    this.dictionary = dictionary
    this.catalogs = catalogs
    this.services = new NumberTest((number) => {
      const name = dictionary.text(number)
      return catalogs.some(({ service }) => service === name)
    })
  }

  select(type: number, service: number, addon: number): boolean {
    if (!this.services.passes(service)) return false
    const name = this.dictionary.text(service)
    return this.catalogs.some(
      (selector) =>
        selector.service === name &&
        (selector.type === undefined || selector.type === OFFER_TYPES[type]) &&
        (selector.addon === undefined || (addon !== NONE && selector.addon === this.dictionary.text(addon))),
    )
  }
}

function hasAudio(locales: readonly Locale[], languages: readonly string[]): boolean {
  return locales.some(({ language }) => languages.includes(toAlpha3Language(language) ?? language))
}

function hasSubtitle(tracks: readonly Subtitle[], choices: readonly SubtitleChoice[]): boolean {
  return tracks.some(({ closedCaptions, locale }) => {
    const language = toAlpha3Language(locale.language) ?? locale.language
    return choices.some((choice) => choice.language === language && (closedCaptions || !choice.captions))
  })
}

/** Whether a price is in the currency of another one, and at most as high. */
export function isWithin({ amount, currency }: Price, max: Price): boolean {
  return currency === max.currency && Number(amount) <= Number(max.amount)
}
