import { randomInt } from 'node:crypto'
import { parseJson } from '../../lib/text/parse-json.ts'

const AUDIOS = '"audios":'
const SUBTITLES = '"subtitles":'
const COLON = 0x3a

/** The intern table is cleared beyond this many distinct lists. */
const MAX_LISTS = 100_000

/**
 * Parses the JSON of records, and interns their lists of audio and subtitle languages. Those lists are most of a feed's
 * bytes, and most are equal to an earlier one. So `shorten` cuts them out of a line by their text and puts a number in
 * place of each, and each distinct list is parsed and validated once. The numbers are negative and start at random, so
 * that no feed can contain one on purpose.
 */
export class JsonParser {
  private readonly lists: unknown[] = []
  private readonly texts: string[] = []
  private readonly numbers = new Map<string, number>()
  private readonly firstNumber = -randomInt(500_000_000, 1_000_000_000)

  /** The line with its track lists replaced by numbers, for `parse`. */
  shorten(text: string): string {
    let cut = ''
    let from = 0
    // Quotes within JSON strings are escaped, so an unescaped name before a colon is always a key. A text up to the first
    // closing bracket that parses as a list is the whole list.
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
    // V8 keeps a concatenated string as references into the whole line; reading a character flattens it and frees the line.
    cut.charCodeAt(0)
    return cut
  }

  /** Parses a shortened line. Its track lists may be numbers, which `resolveList` resolves. */
  parse(shortened: string): unknown {
    try {
      return parseJson(shortened)
    } catch {
      // The error message must quote the original line.
      return parseJson(this.restore(shortened))
    }
  }

  /** Clears the intern table if it is too large. Lines shortened before cannot be parsed afterwards. */
  evictLists(): void {
    if (this.lists.length <= MAX_LISTS) return
    this.lists.length = 0
    this.texts.length = 0
    this.numbers.clear()
  }

  /** The list that a number stands for; any other value is returned as it is. */
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
      this.lists.push(parseJson(text))
    } catch {
      return undefined
    }
    const number = this.firstNumber - (this.lists.length - 1)
    // A slice would keep the whole line in memory, so the key is a copy.
    const copy = Buffer.from(text).toString()
    this.texts.push(copy)
    this.numbers.set(copy, number)
    return number
  }
}
