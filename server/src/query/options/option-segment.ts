import { DOCS_PER_BLOCK } from '../../catalog/documents/block-versions.ts'
import { PostingList } from '../../catalog/index/posting-list.ts'
import type { Dictionary } from '../../catalog/storage/dictionary.ts'
import type { Locale, Subtitle } from '../../model/language.ts'
import { toAlpha3Language } from '../../model/language-codes.ts'
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
} from './option-table.ts'

/** Blocks of documents in a segment. */
export const BLOCKS_PER_SEGMENT = 128

/** The numbers of documents within a segment fit into 16 bits. */
export const DOCS_PER_SEGMENT = BLOCKS_PER_SEGMENT * DOCS_PER_BLOCK

/** The names of the posting lists of a segment. */
export const optionKey = {
  type: (type: OfferType) => `type/${type}`,
  /** Options of a quality or a better one, by its index plus 1. */
  quality: (level: number) => `quality/${level}`,
  audio: (language: string) => `audio/${language}`,
  subtitle: (language: string, captions: boolean) => `${captions ? 'captions' : 'subtitle'}/${language}`,
  catalog: ({ service, type, addon }: CatalogSelector) =>
    ['service', service, type, addon].filter((part) => part !== undefined).join('/'),
}

/** The options of one service in a segment: rows from `start` to before `end`, in the order of documents. */
interface ServiceRun {
  readonly service: number
  readonly start: number
  readonly end: number
}

/**
 * An inverted index of the options of a range of documents in one country. An option is a row, with a number; rows are
 * in the order of services, and of documents within a service. A posting list holds the rows that have a type, a language
 * and so on, so that filters on one and the same option are intersections of bits.
 */
export class OptionSegment {
  readonly runs: readonly ServiceRun[]
  /** The document of each row, as a number within the segment. */
  readonly docs: Uint16Array
  /** For each row the time since which the option is available, and its end (Infinity if it has none that is known). */
  readonly starts: Float64Array
  readonly ends: Float64Array
  /** The rows with a price, by its number in the dictionary. */
  readonly prices: ReadonlyMap<number, PostingList>
  private readonly lists: ReadonlyMap<string, PostingList>

  /** @param blocks the options of the segment's documents, in order */
  constructor(blocks: readonly OptionBlock[], dictionary: Dictionary) {
    const runs = countServices(blocks)
    this.runs = runs
    const rowCount = runs.at(-1)?.end ?? 0
    this.docs = new Uint16Array(rowCount)
    this.starts = new Float64Array(rowCount)
    this.ends = new Float64Array(rowCount)
    // First the place of each row: lists need the rows in ascending order.
    const blockIndexes = new Uint8Array(rowCount)
    const options = new Uint32Array(rowCount)
    const nextRows = new Map(runs.map(({ service, start }) => [service, start]))
    blocks.forEach(({ starts, numbers, times }, index) => {
      for (let n = 0; n < DOCS_PER_BLOCK; n++) {
        const end = starts[n + 1] as number
        for (let option = starts[n] as number; option < end; option++) {
          const service = numbers[option * NUMBERS_PER_OPTION + SERVICE] as number
          const row = nextRows.get(service) as number
          nextRows.set(service, row + 1)
          this.docs[row] = index * DOCS_PER_BLOCK + n
          this.starts[row] = times[option * 2] as number
          this.ends[row] = times[option * 2 + 1] as number
          blockIndexes[row] = index
          options[row] = option
        }
      }
    })
    const lists = new ListBuilder(dictionary)
    for (const { service, start, end } of runs) {
      lists.beginService(service)
      for (let row = start; row < end; row++) {
        const { numbers } = blocks[blockIndexes[row] as number] as OptionBlock
        lists.add(row, numbers, (options[row] as number) * NUMBERS_PER_OPTION)
      }
    }
    this.lists = toPostingLists(lists.byKey)
    this.prices = toPostingLists(lists.byPrice)
  }

  /** The rows of a posting list, by a name of `optionKey`. */
  list(key: string): PostingList {
    return this.lists.get(key) ?? PostingList.EMPTY
  }

  /** The memory that it takes, about. */
  get bytes(): number {
    let bytes = 18 * this.docs.length + 64 * this.runs.length
    for (const lists of [this.lists, this.prices]) for (const list of lists.values()) bytes += 64 + list.bytes
    return bytes
  }
}

/** The runs of services, by the count of their options. */
function countServices(blocks: readonly OptionBlock[]): ServiceRun[] {
  const counts = new Map<number, number>()
  for (const { numbers } of blocks) {
    for (let at = SERVICE; at < numbers.length; at += NUMBERS_PER_OPTION) {
      const service = numbers[at] as number
      counts.set(service, (counts.get(service) ?? 0) + 1)
    }
  }
  let start = 0
  return Array.from(counts, ([service, count]) => {
    const run = { service, start, end: start + count }
    start = run.end
    return run
  })
}

/** Collects the rows of posting lists. Which lists a row is in is looked up once for each value, not for each row. */
class ListBuilder {
  readonly byKey = new Map<string, number[]>()
  readonly byPrice = new Map<number, number[]>()
  private readonly dictionary: Dictionary
  private readonly kinds = new Map<number, readonly number[][]>()
  private readonly audios = new Map<number, readonly number[][]>()
  private readonly subtitles = new Map<number, readonly number[][]>()
  /** By type and addon, for the service whose rows are added. */
  private readonly catalogs = new Map<number, readonly number[][]>()
  private service = ''

  constructor(dictionary: Dictionary) {
    this.dictionary = dictionary
  }

  beginService(service: number): void {
    this.service = this.dictionary.text(service)
    this.catalogs.clear()
  }

  /** Adds a row, in ascending order, whose numbers start at an index. */
  add(row: number, numbers: Uint32Array, at: number): void {
    const kind = numbers[at + KIND] as number
    const addon = numbers[at + ADDON] as number
    pushTo(this.kinds.get(kind) ?? this.kindLists(kind), row)
    const catalog = addon * 8 + (kind & 7)
    pushTo(this.catalogs.get(catalog) ?? this.catalogLists(catalog, kind & 7, addon), row)
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
    return this.remember(this.kinds, kind, keys)
  }

  private catalogLists(number: number, typeNumber: number, addonNumber: number): readonly number[][] {
    const { service } = this
    const type = OFFER_TYPES[typeNumber] as OfferType
    const keys = [optionKey.catalog({ service }), optionKey.catalog({ service, type })]
    if (type === 'addon' && addonNumber !== NONE)
      keys.push(optionKey.catalog({ service, type, addon: this.dictionary.text(addonNumber) }))
    return this.remember(this.catalogs, number, keys)
  }

  private audioLists(number: number): readonly number[][] {
    const locales = this.dictionary.json(number) as readonly Locale[]
    return this.remember(
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
    return this.remember(this.subtitles, number, keys)
  }

  private remember(lists: Map<number, readonly number[][]>, value: number, keys: readonly string[]) {
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
