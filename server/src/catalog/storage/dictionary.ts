import { createHash } from 'node:crypto'
import type { Database } from 'lmdb'

/** LMDB bounds the size of keys; longer texts are found by their hash. */
const MAX_KEY_LENGTH = 500

/** Where the count of entries is kept: no text and no name has this key. */
const COUNT_KEY = 'count'

/** Beyond so many remembered look-ups they start anew, so that they stay bounded. */
const MOST_REMEMBERED = 200_000

/**
 * Texts that recur in many offers (service ids, language lists, prices, beginnings of links), each stored once and
 * referred to by a small number. Numbers are given in the order of first use and never change, so readers may keep
 * what they have read.
 */
export class Dictionary {
  private readonly numbers = new Map<string, number>()
  private readonly numbersOfValues = new Map<object, number>()
  private readonly numbersOfNames = new Map<string, number>()
  private readonly texts: (string | undefined)[] = []
  private readonly bytes: (Buffer | undefined)[] = []
  private readonly values: unknown[] = []
  private readonly byText: Database<number, string>
  private readonly byNumber: Database<string, number>

  constructor(byText: Database<number, string>, byNumber: Database<string, number>) {
    this.byText = byText
    this.byNumber = byNumber
  }

  /** The number of a text, if it has one. */
  find(text: string): number | undefined {
    return this.findKey(this.numbers, text, textKey(text))
  }

  /** The number of a text, given now if it has none. Only within a write transaction. */
  intern(text: string): number {
    const known = this.numbers.get(text) ?? this.find(text)
    if (known !== undefined) return known
    const number = this.byText.get(COUNT_KEY) ?? 0
    this.byText.putSync(COUNT_KEY, number + 1)
    this.byText.putSync(textKey(text), number)
    this.byNumber.putSync(number, text)
    remember(this.numbers, text, number)
    return number
  }

  /** The number of a value's JSON text. A value that comes again, itself and not its like, is not printed again. */
  internJson(value: object): number {
    const known = this.numbersOfValues.get(value)
    if (known !== undefined) return known
    const number = this.intern(JSON.stringify(value))
    remember(this.numbersOfValues, value, number)
    return number
  }

  /** The number of the text that stands under a name: the one given with its first use. */
  internNamed(name: string, text: string): number {
    const key = `@${name}`
    const known = this.numbersOfNames.get(name) ?? this.findKey(this.numbersOfNames, name, key)
    if (known !== undefined) return known
    const number = this.intern(text)
    this.byText.putSync(key, number)
    remember(this.numbersOfNames, name, number)
    return number
  }

  text(number: number): string {
    let text = this.texts[number]
    if (text === undefined) {
      text = this.byNumber.get(number)
      if (text === undefined) throw new Error(`The catalog's dictionary has no entry ${number}`)
      this.texts[number] = text
    }
    return text
  }

  /** The text's UTF-8 bytes, ready to be copied into an answer. */
  utf8(number: number): Buffer {
    let bytes = this.bytes[number]
    if (bytes === undefined) {
      bytes = Buffer.from(this.text(number))
      this.bytes[number] = bytes
    }
    return bytes
  }

  /** The value that the text is the JSON of; the same one each time. */
  json(number: number): unknown {
    let value = this.values[number]
    if (value === undefined) {
      value = JSON.parse(this.text(number))
      this.values[number] = value
      if (typeof value === 'object' && value !== null) remember(this.numbersOfValues, value, number)
    }
    return value
  }

  /** Forgets what a transaction that was rolled back may have left in memory. */
  invalidate(): void {
    this.numbers.clear()
    this.numbersOfValues.clear()
    this.numbersOfNames.clear()
    this.texts.length = 0
    this.bytes.length = 0
    this.values.length = 0
  }

  private findKey(remembered: Map<string, number>, name: string, key: string): number | undefined {
    const known = remembered.get(name)
    if (known !== undefined) return known
    const number = this.byText.get(key)
    if (number !== undefined) remember(remembered, name, number)
    return number
  }
}

function remember<K>(numbers: Map<K, number>, key: K, number: number): void {
  if (numbers.size >= MOST_REMEMBERED) numbers.clear()
  numbers.set(key, number)
}

function textKey(text: string): string {
  return text.length <= MAX_KEY_LENGTH ? `=${text}` : `#${createHash('sha256').update(text).digest('base64url')}`
}
