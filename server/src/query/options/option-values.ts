import type { Dictionary } from '../../catalog/storage/dictionary.ts'
import { GenerationalCache, type MeteredCache } from '../../lib/cache.ts'
import { type Locale, type Subtitle, toAlpha3Language } from '../../model/language.ts'
import { OFFER_TYPES, type Price, QUALITIES } from '../../model/offer.ts'
import type { CatalogSelector, OptionFilter, SubtitleChoice } from '../queries.ts'

/** Reads the texts and values that options refer to by number. */
export type ValueReader = Pick<Dictionary, 'text' | 'json'>

/** The numbers of an option, by offset. */
export const KIND = 0
export const AUDIOS = 1
export const SUBTITLES = 2
export const PRICE = 3
export const VALUES_PER_OPTION = 4

/** In the place of an addon or a price: there is none. */
export const NONE = -1

/** An option as it is stored: the index of its type, that of its quality plus 1, and numbers of the dictionary. */
export interface StoredOption {
  readonly type: number
  readonly quality: number
  readonly service: number
  readonly addon: number
  readonly audios: number
  readonly subtitles: number
  readonly price: number
}

/** What options of one kind have in common; texts by their numbers in the dictionary. */
export interface OptionKind {
  readonly type: number
  readonly quality: number
  readonly service: number
  readonly addon: number
}

/** The results of tests that are kept. */
const MAX_TEST_BYTES = 4 * 1024 * 1024

/**
 * The different values of options, each under a small number in the order in which they were seen first, and tests of them. A
 * test runs once for each value. Its results are kept for other searches with the same filter.
 */
export class OptionValues {
  readonly kinds = new NumberedValues<OptionKind>()
  readonly audios = new NumberedValues<readonly string[]>()
  readonly subtitles = new NumberedValues<readonly SubtitleChoice[]>()
  readonly prices = new NumberedValues<Price | undefined>()
  /** The services of options, by their numbers in the dictionary, and the index among them of each kind's. */
  readonly services = new NumberedValues<number>()
  readonly kindServices: number[] = []
  private readonly dictionary: ValueReader
  private readonly tests = new GenerationalCache<string, ValueTest>({
    name: 'option_tests',
    maxBytes: MAX_TEST_BYTES,
    sizeOf: ({ bytes }, key) => 2 * key.length + bytes,
  })

  constructor(dictionary: ValueReader) {
    this.dictionary = dictionary
  }

  caches(): readonly MeteredCache[] {
    return [this.tests]
  }

  kindOf({ type, quality, service, addon }: StoredOption): number {
    const serviceIndex = this.services.numberOf(service, () => service)
    const key = ((serviceIndex * MAX_DICTIONARY_SIZE + addon + 1) * 8 + quality) * 8 + type
    return this.kinds.numberOf(key, () => {
      this.kindServices.push(serviceIndex)
      return { type, quality, service, addon }
    })
  }

  audiosOf({ audios }: StoredOption): number {
    return this.audios.numberOf(audios, () => (this.dictionary.json(audios) as readonly Locale[]).map(toLanguage))
  }

  subtitlesOf({ subtitles }: StoredOption): number {
    return this.subtitles.numberOf(subtitles, () =>
      (this.dictionary.json(subtitles) as readonly Subtitle[]).map(({ closedCaptions, locale }) => {
        return { language: toLanguage(locale), captions: closedCaptions }
      }),
    )
  }

  priceOf({ price }: StoredOption): number {
    return this.prices.numberOf(price, () => (price === NONE ? undefined : (this.dictionary.json(price) as Price)))
  }

  /** Tests the type, the quality and the catalog of options; undefined if all pass. */
  testKinds({ types, qualityMin }: OptionFilter, catalogs: readonly CatalogSelector[]): ValueTest | undefined {
    if (types === undefined && qualityMin === undefined && catalogs.length === 0) return undefined
    const lowest = qualityMin === undefined ? 0 : QUALITIES.indexOf(qualityMin) + 1
    return this.test(['kind', types, lowest, catalogs], this.kinds, (kind) => {
      if (kind.quality < lowest || types?.includes(typeOf(kind)) === false) return false
      return catalogs.length === 0 || catalogs.some((catalog) => this.isOf(catalog, kind))
    })
  }

  testAudios(languages: readonly string[]): ValueTest {
    return this.test(['audios', languages], this.audios, (spoken) => spoken.some((one) => languages.includes(one)))
  }

  testSubtitles(choices: readonly SubtitleChoice[]): ValueTest {
    return this.test(['subtitles', choices], this.subtitles, (tracks) =>
      tracks.some(({ language, captions }) =>
        choices.some((choice) => choice.language === language && (captions || !choice.captions)),
      ),
    )
  }

  testPrices(max: Price): ValueTest {
    return this.test(['price', max], this.prices, (price) => price !== undefined && isWithin(price, max))
  }

  private test<V>(key: unknown, values: NumberedValues<V>, passes: (value: V) => boolean): ValueTest {
    return this.tests.getOrCompute(JSON.stringify(key), undefined, () => new ValueTest(values, passes))
  }

  private isOf({ service, type, addon }: CatalogSelector, kind: OptionKind): boolean {
    const { dictionary } = this
    if (dictionary.text(kind.service) !== service) return false
    if (type !== undefined && type !== typeOf(kind)) return false
    return addon === undefined || (kind.addon !== NONE && dictionary.text(kind.addon) === addon)
  }
}

/** Above all numbers of the dictionary, whose texts would take gigabytes. Times half a million services it is an exact integer. */
const MAX_DICTIONARY_SIZE = 2 ** 28

function typeOf({ type }: OptionKind) {
  return OFFER_TYPES[type] as (typeof OFFER_TYPES)[number]
}

function toLanguage({ language }: Locale): string {
  return toAlpha3Language(language) ?? language
}

/** Whether a price is in the currency of another one, and at most as high. */
function isWithin({ amount, currency }: Price, max: Price): boolean {
  return currency === max.currency && Number(amount) <= Number(max.amount)
}

/** Values by consecutive numbers from 0. */
class NumberedValues<V> {
  readonly values: V[] = []
  private readonly numbers = new Map<number, number>()

  get size(): number {
    return this.values.length
  }

  /** The number of the value with a key, which is created if it is new. */
  numberOf(key: number, create: () => V): number {
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    const number = this.values.length
    this.numbers.set(key, number)
    this.values.push(create())
    return number
  }
}

const FAILED = 0
const PASSED = 1
const UNTESTED = 2

/** A test of values by their numbers, which runs once for each. */
export class ValueTest {
  private results: Uint8Array
  private testedCount = 0
  private readonly values: readonly unknown[]
  private readonly test: (value: never) => boolean

  constructor(numbered: NumberedValues<unknown>, test: (value: never) => boolean) {
    this.values = numbered.values
    this.test = test
    this.results = this.emptyResults()
  }

  get bytes(): number {
    return 256 + this.results.length
  }

  passes(number: number): boolean {
    const result = number < this.results.length ? (this.results[number] as number) : UNTESTED
    return result === UNTESTED ? this.run(number) : result === PASSED
  }

  /** For each number a one if its value passes, else a zero. Valid until there are more values. */
  table(): Uint8Array {
    const { length } = this.values
    for (; this.testedCount < length; this.testedCount++) this.passes(this.testedCount)
    return this.results.subarray(0, length)
  }

  /** With room for values that are yet to come. */
  private emptyResults(): Uint8Array {
    return new Uint8Array(Math.max(256, 2 * this.values.length)).fill(UNTESTED)
  }

  private run(number: number): boolean {
    if (number >= this.results.length) {
      const larger = this.emptyResults()
      larger.set(this.results)
      this.results = larger
    }
    const passes = this.test(this.values[number] as never)
    this.results[number] = passes ? PASSED : FAILED
    return passes
  }
}
