import { createHash } from 'node:crypto'
import type { Database } from 'lmdb'
import { LRUCache } from 'lru-cache'

/** LMDB bounds the size of keys; longer texts are found by their hash. */
const LONGEST_KEY = 500

/** Where the count of entries is kept: no text has this key. */
const COUNT = 'count'

/**
 * Texts that recur in many offers (service ids, language lists, prices), each stored once and referred to by a small
 * number. Numbers are given in the order of first use and never change, so readers may keep what they have read.
 */
export class Dictionary {
  private readonly numbers = new LRUCache<string, number>({ max: 50_000 })
  private readonly texts: (string | undefined)[] = []
  private readonly bytes: (Buffer | undefined)[] = []
  private readonly byText: Database<number, string>
  private readonly byNumber: Database<string, number>

  constructor(byText: Database<number, string>, byNumber: Database<string, number>) {
    this.byText = byText
    this.byNumber = byNumber
  }

  /** The number of a text, if it has one. */
  find(text: string): number | undefined {
    const cached = this.numbers.get(text)
    if (cached !== undefined) return cached
    const number = this.byText.get(keyOf(text))
    if (number !== undefined) this.numbers.set(text, number)
    return number
  }

  /** The number of a text, given now if it has none. Only within a write transaction. */
  intern(text: string): number {
    const known = this.find(text)
    if (known !== undefined) return known
    const number = this.byText.get(COUNT) ?? 0
    this.byText.putSync(COUNT, number + 1)
    this.byText.putSync(keyOf(text), number)
    this.byNumber.putSync(number, text)
    this.numbers.set(text, number)
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

  /** Forgets what a transaction that was rolled back may have left in memory. */
  forget(): void {
    this.numbers.clear()
    this.texts.length = 0
    this.bytes.length = 0
  }
}

function keyOf(text: string): string {
  return text.length <= LONGEST_KEY ? `=${text}` : `#${createHash('sha256').update(text).digest('base64url')}`
}
