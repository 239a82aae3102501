import { randomInt } from 'node:crypto'
import { parseJson } from '../../lib/text/parse-json.ts'

/** A line whose track lists were replaced by numbers, with the lists that the numbers stand for. */
export interface ShortenedLine {
  readonly text: string
  /** The length of the text. */
  readonly length: number
  readonly lists: TrackLists
}

/**
 * Lists of audio and subtitle languages that were cut out of lines, by number. The numbers are negative and start at random,
 * so that no feed can contain one on purpose.
 */
export class TrackLists {
  readonly firstNumber: number
  readonly texts: string[] = []
  private readonly values: unknown[] = []

  constructor(firstNumber = -randomInt(500_000_000, 1_000_000_000)) {
    this.firstNumber = firstNumber
  }

  /** Adds a list, and returns its number; undefined if the text is no JSON. */
  add(text: string): number | undefined {
    try {
      this.values.push(parseJson(text))
    } catch {
      return undefined
    }
    return this.firstNumber - (this.texts.push(text) - 1)
  }

  /** The list that a number stands for; any other value is returned as it is. */
  resolve(value: unknown): unknown {
    if (typeof value !== 'number') return value
    const list = this.values[this.firstNumber - value]
    return list === undefined ? value : list
  }

  /** The text of a line before its lists were cut out. */
  restore(shortened: string): string {
    return shortened.replace(/-\d+/g, (number) => this.texts[this.firstNumber - Number(number)] ?? number)
  }
}

/** For lines of which nothing was cut out. */
export const NO_LISTS = new TrackLists()

const AUDIOS = '"audios":'
const SUBTITLES = '"subtitles":'
const COLON = 0x3a

/** A new table is begun beyond this many distinct lists. */
const MAX_LISTS = 100_000

/**
 * Cuts the lists of audio and subtitle languages out of lines, by their text. They are most of a feed's bytes, and most are
 * equal to an earlier one, so each distinct list is parsed and validated once.
 */
export class LineShortener {
  /** The lists that were cut out of lines lately. A line holds those that its numbers stand for. */
  lists = new TrackLists()
  private readonly numbers = new Map<string, number>()
  private readonly maxLists: number

  constructor(maxLists = MAX_LISTS) {
    this.maxLists = maxLists
  }

  shorten(text: string): ShortenedLine {
    if (this.numbers.size > this.maxLists) {
      this.lists = new TrackLists()
      this.numbers.clear()
    }
    const { lists } = this
    let cut = ''
    let from = 0
    // Quotes within JSON strings are escaped, so an unescaped name before a colon is always a key. A text up to the first
    // closing bracket that parses as a list is the whole list.
    for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) {
      if (text.charCodeAt(at - 1) !== COLON) continue
      if (!text.startsWith(AUDIOS, at - AUDIOS.length) && !text.startsWith(SUBTITLES, at - SUBTITLES.length)) continue
      const end = text.indexOf(']', at) + 1
      const number = end === 0 ? undefined : this.internList(text.slice(at, end))
      if (number === undefined) return { text, length: text.length, lists: NO_LISTS }
      cut += text.slice(from, at) + number
      from = end
      at = end - 1
    }
    if (from === 0) return { text, length: text.length, lists }
    cut += text.slice(from)
    // V8 keeps a concatenated string as references into the whole line; reading a character flattens it and frees the line.
    cut.charCodeAt(0)
    return { text: cut, length: cut.length, lists }
  }

  private internList(text: string): number | undefined {
    const known = this.numbers.get(text)
    if (known !== undefined) return known
    // A slice would keep the whole line in memory, so the text that is kept is a copy.
    const copy = Buffer.from(text).toString()
    const number = this.lists.add(copy)
    if (number !== undefined) this.numbers.set(copy, number)
    return number
  }
}
