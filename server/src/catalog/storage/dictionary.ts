import { createHash } from 'node:crypto'
import type { Database } from 'lmdb'
import { crc32, encodeUnpooled } from '../../lib/bytes.ts'
import { CacheMeter, type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import { DamagedCatalogError } from './environment.ts'

/** LMDB limits the size of keys. A longer text is found by its hash. */
const MAX_KEY_LENGTH = 500

const MEBIBYTE = 1024 * 1024
const MAX_ENTRY_BYTES = 32 * MEBIBYTE

/** An entry in memory: its text, and its other two forms once they are needed. */
interface DictionaryEntry {
  readonly text: string
  utf8?: Buffer
  json?: unknown
}

/**
 * Texts that recur in many offers (service ids, language lists, prices, link prefixes), each stored once under a small
 * number. Numbers are assigned in the order of first use and never change, so cached entries stay valid.
 */
export class Dictionary {
  /** The key of the entry count. Keys of texts start with `=` or `#`, those of names with `@`. */
  static readonly COUNT_KEY = 'count'
  static readonly NAME_MARK = '@'

  /** How often the caches were cleared: numbers that were read before may have other texts now. */
  generation = 0
  private readonly byText: Database<number, string>
  private readonly byNumber: Database<string, number>
  private readonly checksums: Database<Buffer, number> | undefined
  private readonly entries = new EntryCache()
  private readonly numbers = createNumberCache('dictionary_numbers', 24 * MEBIBYTE)
  private readonly numbersByName = createNumberCache('dictionary_names', 8 * MEBIBYTE)
  /** Weak: an entry lives as long as its value does. */
  private numbersByValue = new WeakMap<object, number>()

  /** @param checksums number to the CRC-32 of its text; undefined in a catalog of an older format */
  constructor(
    byText: Database<number, string>,
    byNumber: Database<string, number>,
    checksums?: Database<Buffer, number>,
  ) {
    this.byText = byText
    this.byNumber = byNumber
    this.checksums = checksums
  }

  caches(): readonly MeteredCache[] {
    return [this.entries.meter, this.numbers, this.numbersByName]
  }

  /** The number of a text, if it has one. */
  find(text: string): number | undefined {
    const cached = this.numbers.get(text)
    if (cached !== undefined) return cached
    const number = this.byText.get(textKey(text))
    if (number !== undefined) this.numbers.set(text, number)
    return number
  }

  /** The number of a text, assigned now if it has none. Only within a write transaction. */
  intern(text: string): number {
    const known = this.find(text)
    if (known !== undefined) return known
    const number = this.byText.get(Dictionary.COUNT_KEY) ?? 0
    this.byText.putSync(Dictionary.COUNT_KEY, number + 1)
    this.byText.putSync(textKey(text), number)
    this.byNumber.putSync(number, text)
    this.checksums?.putSync(number, encodeChecksum(text))
    this.numbers.set(text, number)
    return number
  }

  /** The number of a value's JSON text. An object that was interned before is not serialized again. */
  internJson(value: object): number {
    const cached = this.numbersByValue.get(value)
    if (cached !== undefined) return cached
    const number = this.intern(JSON.stringify(value))
    this.numbersByValue.set(value, number)
    return number
  }

  /** The number of the text that was first interned under a name. */
  internNamed(name: string, text: string): number {
    const cached = this.numbersByName.get(name)
    if (cached !== undefined) return cached
    const key = Dictionary.NAME_MARK + name
    let number = this.byText.get(key)
    if (number === undefined) {
      number = this.intern(text)
      this.byText.putSync(key, number)
    }
    this.numbersByName.set(name, number)
    return number
  }

  text(number: number): string {
    return this.entry(number).text
  }

  /** The text as UTF-8, ready to be copied into a response. */
  utf8(number: number): Buffer {
    const entry = this.entry(number)
    entry.utf8 ??= encodeUnpooled(entry.text)
    return entry.utf8
  }

  /** The value of a JSON text; the same object each time, while it is cached. */
  json(number: number): unknown {
    const entry = this.entry(number)
    if (entry.json === undefined) {
      entry.json = JSON.parse(entry.text)
      if (typeof entry.json === 'object' && entry.json !== null) this.numbersByValue.set(entry.json, number)
    }
    return entry.json
  }

  /** Clears the caches. A transaction that was rolled back may have left its numbers in them. */
  invalidate(): void {
    this.generation++
    this.entries.clear()
    this.numbers.clear()
    this.numbersByName.clear()
    this.numbersByValue = new WeakMap()
  }

  private entry(number: number): DictionaryEntry {
    const cached = this.entries.get(number)
    if (cached !== undefined) return cached
    const text = this.byNumber.get(number)
    if (text === undefined) throw new DamagedCatalogError('dictionaryTexts', `dictionary entry ${number} is missing`)
    const checksum = this.checksums?.getBinary(number) as Buffer | undefined
    if (checksum !== undefined && !checksum.equals(encodeChecksum(text))) {
      throw new DamagedCatalogError('dictionaryTexts', `dictionary entry ${number} does not have its checksum`)
    }
    const entry = { text }
    this.entries.set(number, entry)
    return entry
  }
}

/**
 * Entries by number in an array instead of an LRU cache: rendering looks several of them up for every offer, and an
 * array needs no bookkeeping for a hit. Dropped as a whole once it is full.
 */
class EntryCache {
  readonly meter = new CacheMeter('dictionary_entries', MAX_ENTRY_BYTES)
  private readonly entries: (DictionaryEntry | undefined)[] = []

  get(number: number): DictionaryEntry | undefined {
    const entry = this.entries[number]
    if (entry === undefined) this.meter.misses++
    else this.meter.hits++
    return entry
  }

  set(number: number, entry: DictionaryEntry): void {
    const { meter } = this
    // The text, its UTF-8 form and the parsed value, whether or not the last two exist yet.
    const bytes = 200 + 6 * entry.text.length
    if (meter.bytes + bytes > MAX_ENTRY_BYTES) {
      meter.evictions += meter.entries
      this.clear()
    }
    this.entries[number] = entry
    meter.entries++
    meter.bytes += bytes
  }

  clear(): void {
    this.entries.length = 0
    this.meter.entries = 0
    this.meter.bytes = 0
  }
}

function createNumberCache(name: string, maxBytes: number): VersionedCache<string, number> {
  return new VersionedCache({ name, maxBytes, sizeOf: (_number, key) => 100 + 2 * key.length })
}

function encodeChecksum(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32LE(crc32(Buffer.from(text)))
  return bytes
}

function textKey(text: string): string {
  return text.length <= MAX_KEY_LENGTH ? `=${text}` : `#${createHash('sha256').update(text).digest('base64url')}`
}
