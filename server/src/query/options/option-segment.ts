import { PostingList } from '../../catalog/index/postings.ts'
import type { Dictionary } from '../../catalog/storage/dictionary.ts'
import { DOCS_PER_BLOCK } from '../../catalog/storage/meta.ts'
import { type Bitset, countBits, forEachBit, setBit, wordCount } from '../../lib/bitset.ts'
import { type Locale, type Subtitle, toAlpha3Language } from '../../model/language.ts'
import { OFFER_TYPES, type OfferType } from '../../model/offer.ts'
import type { CatalogSelector } from '../queries.ts'
import {
  ADDON,
  AUDIOS,
  KIND,
  NONE,
  NUMBERS_PER_OPTION,
  type OptionBlock,
  PRICE,
  SERVICE,
  SUBTITLES,
  TimeIndex,
} from './option-table.ts'

/** Reads the texts and values that options refer to by number. */
export type ValueReader = Pick<Dictionary, 'text' | 'json'>

/** Blocks of documents in a segment. */
export const BLOCKS_PER_SEGMENT = 16

/** The numbers of documents within a segment fit into 16 bits. */
export const DOCS_PER_SEGMENT = BLOCKS_PER_SEGMENT * DOCS_PER_BLOCK

/** The names of the posting lists of a segment. */
export const optionKey = {
  country: (country: string) => `country/${country}`,
  type: (type: OfferType) => `type/${type}`,
  /** Options of a quality or a better one, by its index plus 1. */
  quality: (level: number) => `quality/${level}`,
  audio: (language: string) => `audio/${language}`,
  subtitle: (language: string, captions: boolean) => `${captions ? 'captions' : 'subtitle'}/${language}`,
  catalog: ({ service, type, addon }: CatalogSelector) =>
    ['service', service, type, addon].filter((part) => part !== undefined).join('/'),
}

/** The options of a block of documents in a country. */
export interface CountryBlock {
  readonly country: string
  readonly block: OptionBlock
}

/**
 * An inverted index of the options of a range of documents. An option is a row, with a number; rows are in the order of
 * documents, and those of a document in the order of services. A posting list holds the rows that have a country, a type,
 * a language and so on, so that filters on one and the same option are intersections of bits.
 */
export class OptionSegment {
  readonly rowCount: number
  /** The first row of each document, by its number within the segment, and the count of rows behind the last one. */
  readonly firstRows: Uint32Array
  /** The document of each row, by its number within the segment. */
  readonly docs: Uint16Array
  /** The services, by their numbers in the dictionary, and the index of each row's service among them. */
  readonly services: readonly number[]
  readonly serviceIndexes: Uint8Array | Uint16Array
  /** How many documents have each service. */
  readonly serviceTotals: Uint32Array
  /** How many documents have rows, and how many services these documents have together. */
  readonly docCount: number
  readonly serviceCount: number
  /** The last row of each document, and the last one of each service of a document. */
  readonly docEnds: Bitset
  readonly serviceEnds: Bitset
  /** The documents that have rows. */
  readonly docsWithRows: Bitset
  /** The times since which options are available, and their ends (Infinity if there is none that is known). */
  readonly starts: TimeIndex
  readonly ends: TimeIndex
  /** The rows with a price, by its number in the dictionary. */
  readonly prices: ReadonlyMap<number, PostingList>
  private readonly lists: ReadonlyMap<string, PostingList>

  /** @param blocks the options of the segment's documents: for each block in order, those in each country */
  constructor(blocks: readonly (readonly CountryBlock[])[], dictionary: ValueReader) {
    const { firstRows, sources, options } = orderRows(blocks)
    const rowCount = options.length
    this.rowCount = rowCount
    this.firstRows = firstRows
    this.docs = new Uint16Array(rowCount)
    const rowServices = new Uint16Array(rowCount)
    this.docEnds = new Uint32Array(wordCount(rowCount))
    this.serviceEnds = new Uint32Array(wordCount(rowCount))
    this.docsWithRows = new Uint32Array(wordCount(DOCS_PER_SEGMENT))
    const starts = new Float64Array(rowCount)
    const ends = new Float64Array(rowCount)
    const serviceIndexes = new Map<number, number>()
    const lists = new ListBuilder(dictionary)
    const sourcesOf = (doc: number) => blocks[Math.floor(doc / DOCS_PER_BLOCK)] as readonly CountryBlock[]
    for (let doc = 0; doc < DOCS_PER_SEGMENT; doc++) {
      const end = firstRows[doc + 1] as number
      for (let row = firstRows[doc] as number; row < end; row++) {
        const { country, block } = sourcesOf(doc)[sources[row] as number] as CountryBlock
        const option = options[row] as number
        const service = block.numbers[option * NUMBERS_PER_OPTION + SERVICE] as number
        let index = serviceIndexes.get(service)
        if (index === undefined) {
          index = serviceIndexes.size
          serviceIndexes.set(service, index)
        }
        this.docs[row] = doc
        rowServices[row] = index
        starts[row] = block.times[option * 2] as number
        ends[row] = block.times[option * 2 + 1] as number
        lists.add(row, country, block.numbers, option * NUMBERS_PER_OPTION)
        const isFirst = row === firstRows[doc]
        if (!isFirst && rowServices[row - 1] !== index) setBit(this.serviceEnds, row - 1)
      }
      if (end === firstRows[doc]) continue
      setBit(this.serviceEnds, end - 1)
      setBit(this.docEnds, end - 1)
      setBit(this.docsWithRows, doc)
    }
    this.services = [...serviceIndexes.keys()]
    this.serviceIndexes = this.services.length <= 256 ? Uint8Array.from(rowServices) : rowServices
    this.serviceTotals = new Uint32Array(this.services.length)
    forEachBit(this.serviceEnds, (row) => {
      const index = rowServices[row] as number
      this.serviceTotals[index] = (this.serviceTotals[index] as number) + 1
    })
    this.docCount = countBits(this.docEnds)
    this.serviceCount = countBits(this.serviceEnds)
    this.starts = new TimeIndex(starts)
    this.ends = new TimeIndex(ends)
    this.lists = toPostingLists(lists.byKey)
    this.prices = toPostingLists(lists.byPrice)
  }

  /** The rows of a posting list, by a name of `optionKey`. */
  list(key: string): PostingList {
    return this.lists.get(key) ?? PostingList.EMPTY
  }

  /** The memory that it takes, about. */
  get bytes(): number {
    let bytes = 5 * this.rowCount + 5 * DOCS_PER_SEGMENT + this.starts.bytes + this.ends.bytes
    for (const lists of [this.lists, this.prices]) for (const list of lists.values()) bytes += 64 + list.bytes
    return bytes
  }
}

/** Where the options of each row are: the first row of each document, and for each row its source and option in there. */
interface RowOrder {
  readonly firstRows: Uint32Array
  readonly sources: Uint16Array
  readonly options: Uint32Array
}

/** Orders the options of blocks by document, and those of a document by service. */
function orderRows(blocks: readonly (readonly CountryBlock[])[]): RowOrder {
  const rowCount = blocks.flat().reduce((sum, { block }) => sum + block.numbers.length / NUMBERS_PER_OPTION, 0)
  const order = {
    firstRows: new Uint32Array(DOCS_PER_SEGMENT + 1).fill(rowCount),
    sources: new Uint16Array(rowCount),
    options: new Uint32Array(rowCount),
  }
  const { firstRows, sources, options } = order
  /** The services of the rows of a document. */
  const services: number[] = []
  let row = 0
  blocks.forEach((countries, index) => {
    for (let n = 0; n < DOCS_PER_BLOCK; n++) {
      const first = row
      firstRows[index * DOCS_PER_BLOCK + n] = first
      for (let source = 0; source < countries.length; source++) {
        const { starts, numbers } = (countries[source] as CountryBlock).block
        const end = starts[n + 1] as number
        for (let option = starts[n] as number; option < end; option++) {
          const service = numbers[option * NUMBERS_PER_OPTION + SERVICE] as number
          // Insertion sort: a document has few rows.
          let at = row++
          for (; at > first && (services[at - first - 1] as number) > service; at--) {
            services[at - first] = services[at - first - 1] as number
            sources[at] = sources[at - 1] as number
            options[at] = options[at - 1] as number
          }
          services[at - first] = service
          sources[at] = source
          options[at] = option
        }
      }
    }
  })
  return order
}

/** Collects the rows of posting lists. Which lists a row is in is looked up once for each value, not for each row. */
class ListBuilder {
  readonly byKey = new Map<string, number[]>()
  readonly byPrice = new Map<number, number[]>()
  private readonly dictionary: ValueReader
  private readonly countries = new Map<string, readonly number[][]>()
  private readonly kinds = new Map<number, readonly number[][]>()
  private readonly audios = new Map<number, readonly number[][]>()
  private readonly subtitles = new Map<number, readonly number[][]>()
  /** By service, addon and type. */
  private readonly catalogs = new Map<number, Map<number, readonly number[][]>>()

  constructor(dictionary: ValueReader) {
    this.dictionary = dictionary
  }

  /** Adds a row, in ascending order, whose numbers start at an index. */
  add(row: number, country: string, numbers: Uint32Array, at: number): void {
    pushTo(this.countries.get(country) ?? this.keep(this.countries, country, [optionKey.country(country)]), row)
    const kind = numbers[at + KIND] as number
    pushTo(this.kinds.get(kind) ?? this.kindLists(kind), row)
    pushTo(this.catalogLists(numbers[at + SERVICE] as number, kind & 7, numbers[at + ADDON] as number), row)
    const audios = numbers[at + AUDIOS] as number
    pushTo(this.audios.get(audios) ?? this.audioLists(audios), row)
    const subtitles = numbers[at + SUBTITLES] as number
    pushTo(this.subtitles.get(subtitles) ?? this.subtitleLists(subtitles), row)
    const price = numbers[at + PRICE] as number
    if (price === NONE) return
    const rows = this.byPrice.get(price)
    if (rows === undefined) this.byPrice.set(price, [row])
    else rows.push(row)
  }

  private kindLists(kind: number): readonly number[][] {
    const keys = [optionKey.type(OFFER_TYPES[kind & 7] as OfferType)]
    for (let level = kind >> 3; level > 0; level--) keys.push(optionKey.quality(level))
    return this.keep(this.kinds, kind, keys)
  }

  private catalogLists(serviceNumber: number, typeNumber: number, addonNumber: number): readonly number[][] {
    let lists = this.catalogs.get(serviceNumber)
    if (lists === undefined) {
      lists = new Map()
      this.catalogs.set(serviceNumber, lists)
    }
    const number = addonNumber * 8 + typeNumber
    const known = lists.get(number)
    if (known !== undefined) return known
    const service = this.dictionary.text(serviceNumber)
    const type = OFFER_TYPES[typeNumber] as OfferType
    const keys = [optionKey.catalog({ service }), optionKey.catalog({ service, type })]
    if (type === 'addon' && addonNumber !== NONE)
      keys.push(optionKey.catalog({ service, type, addon: this.dictionary.text(addonNumber) }))
    return this.keep(lists, number, keys)
  }

  private audioLists(number: number): readonly number[][] {
    const locales = this.dictionary.json(number) as readonly Locale[]
    return this.keep(
      this.audios,
      number,
      locales.map((locale) => optionKey.audio(languageOf(locale))),
    )
  }

  private subtitleLists(number: number): readonly number[][] {
    const tracks = this.dictionary.json(number) as readonly Subtitle[]
    const keys = tracks.flatMap(({ closedCaptions, locale }) => {
      const key = optionKey.subtitle(languageOf(locale), false)
      return closedCaptions ? [key, optionKey.subtitle(languageOf(locale), true)] : key
    })
    return this.keep(this.subtitles, number, keys)
  }

  private keep<V>(lists: Map<V, readonly number[][]>, value: V, keys: readonly string[]): readonly number[][] {
    const rows = Array.from(new Set(keys), (key) => {
      let list = this.byKey.get(key)
      if (list === undefined) {
        list = []
        this.byKey.set(key, list)
      }
      return list
    })
    lists.set(value, rows)
    return rows
  }
}

function pushTo(lists: readonly number[][], row: number): void {
  for (let i = 0; i < lists.length; i++) (lists[i] as number[]).push(row)
}

function languageOf({ language }: Locale): string {
  return toAlpha3Language(language) ?? language
}

function toPostingLists<K>(rows: ReadonlyMap<K, number[]>): Map<K, PostingList> {
  return new Map(Array.from(rows, ([key, list]) => [key, PostingList.from(Uint32Array.from(list))]))
}
