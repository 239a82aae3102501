import { randomInt } from 'node:crypto'

/*
 * Most of a feed's bytes are lists of audio and subtitle languages, and most of those are like others before them. So
 * each distinct list is kept, parsed and checked once: as soon as a record is read, its lists are cut out by their plain
 * text, and a number stands in for each. The numbers are negative and begin at random, so no feed can mean one of them.
 */

const AUDIOS = '"audios":'
const SUBTITLES = '"subtitles":'
const COLON = 0x3a

/** Beyond so many distinct lists the table may start anew, so that it stays bounded. */
const MAX_LISTS = 100_000

/** Parses the records of a feed. */
export class JsonParser {
  private readonly lists: unknown[] = []
  private readonly texts: string[] = []
  private readonly numbers = new Map<string, number>()
  private readonly firstNumber = -randomInt(500_000_000, 1_000_000_000)

  /** A record's JSON text without its lists of languages, to be parsed by this parser later. */
  shorten(text: string): string {
    let cut = ''
    let from = 0
    // Quotes inside of JSON texts are escaped, so a list's name in plain quotes before a colon is nothing but a key; and
    // what is a whole JSON list up to the first closing bracket cannot be the beginning of another one.
    for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) {
      if (text.charCodeAt(at - 1) !== COLON) continue
      if (!text.startsWith(AUDIOS, at - AUDIOS.length) && !text.startsWith(SUBTITLES, at - SUBTITLES.length)) continue
      const end = text.indexOf(']', at) + 1
      const number = end === 0 ? undefined : this.internList(text.slice(at, end))
      if (number === undefined) return text
      cut += text.slice(from, at) + number
      from = end
      at = end - 1
    }
    if (from === 0) return text
    cut += text.slice(from)
    // A text that was put together refers to its parts, and these to the whole line, until a character of it is read.
    cut.charCodeAt(0)
    return cut
  }

  /** The value of a shortened record. Lists of languages in it may be numbers that `list` resolves. */
  parse(shortened: string): unknown {
    try {
      return JSON.parse(shortened)
    } catch {
      // The error has to speak of the line as it was.
      return JSON.parse(this.restore(shortened))
    }
  }

  /** Forgets lists if there are too many. What was shortened before cannot be parsed after. */
  evictLists(): void {
    if (this.lists.length <= MAX_LISTS) return
    this.lists.length = 0
    this.texts.length = 0
    this.numbers.clear()
  }

  /** The list that a number stands in for; anything else is itself. */
  resolveList(value: unknown): unknown {
    if (typeof value !== 'number') return value
    const list = this.lists[this.firstNumber - value]
    return list === undefined ? value : list
  }

  private restore(shortened: string): string {
    return shortened.replace(/-\d+/g, (number) => this.texts[this.firstNumber - Number(number)] ?? number)
  }

  private internList(text: string): number | undefined {
    const known = this.numbers.get(text)
    if (known !== undefined) return known
    try {
      this.lists.push(JSON.parse(text))
    } catch {
      return undefined
    }
    const number = this.firstNumber - (this.lists.length - 1)
    // A slice would keep the whole line in memory: the key has to be a text of its own.
    const own = Buffer.from(text).toString()
    this.texts.push(own)
    this.numbers.set(own, number)
    return number
  }
}
