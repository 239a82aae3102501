import { randomInt } from 'node:crypto'

/*
 * Most of a feed's bytes are lists of audio and subtitle languages, and most of those are like others before them. So
 * each distinct list is parsed and checked once: before a record is parsed, its lists are cut out by their plain text,
 * and a number stands in for each. The numbers are negative and begin at random, so no feed can mean one of them.
 */

const AUDIOS = '"audios":'
const SUBTITLES = '"subtitles":'
const COLON = 0x3a

/** Beyond so many distinct lists the table starts anew, so that it stays bounded. */
const MOST_LISTS = 100_000

/** Parses the records of a feed. */
export class RecordParser {
  private readonly lists: unknown[] = []
  private readonly numbers = new Map<string, number>()
  private readonly firstNumber = -randomInt(500_000_000, 1_000_000_000)

  /** The value of a record's JSON text. Lists of languages in it may be numbers that `list` resolves. */
  parse(text: string): unknown {
    if (this.lists.length > MOST_LISTS) {
      this.lists.length = 0
      this.numbers.clear()
    }
    const cut = this.withoutLists(text)
    if (cut === undefined) return JSON.parse(text)
    try {
      return JSON.parse(cut)
    } catch {
      // The error has to speak of the line as it is.
      return JSON.parse(text)
    }
  }

  /** The list that a number stands in for; anything else is itself. */
  list(value: unknown): unknown {
    if (typeof value !== 'number') return value
    const list = this.lists[this.firstNumber - value]
    return list === undefined ? value : list
  }

  /**
   * Quotes inside of JSON texts are escaped, so a list's name in plain quotes before a colon is nothing but a key; and
   * what is a whole JSON list up to the first closing bracket cannot be the beginning of another one.
   */
  private withoutLists(text: string): string | undefined {
    let cut = ''
    let from = 0
    for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) {
      if (text.charCodeAt(at - 1) !== COLON) continue
      if (!text.startsWith(AUDIOS, at - AUDIOS.length) && !text.startsWith(SUBTITLES, at - SUBTITLES.length)) continue
      const end = text.indexOf(']', at) + 1
      const number = end === 0 ? undefined : this.numberOf(text.slice(at, end))
      if (number === undefined) return undefined
      cut += text.slice(from, at) + number
      from = end
      at = end - 1
    }
    return from === 0 ? undefined : cut + text.slice(from)
  }

  private numberOf(text: string): number | undefined {
    const known = this.numbers.get(text)
    if (known !== undefined) return known
    try {
      this.lists.push(JSON.parse(text))
    } catch {
      return undefined
    }
    const number = this.firstNumber - (this.lists.length - 1)
    // A slice would keep the whole line in memory: the key has to be a text of its own.
    this.numbers.set(Buffer.from(text).toString(), number)
    return number
  }
}
