import { parseJson } from '../../lib/text/parse-json.ts'
import { NO_LISTS, type ShortenedLine } from '../lines/track-lists.ts'

/** Parses the JSON of shortened lines. */
export class JsonParser {
  /** The lists of the last line. */
  private lists = NO_LISTS

  /** Parses a line. Its track lists may be numbers, which `resolveList` resolves until the next line is parsed. */
  parse({ text, lists }: Pick<ShortenedLine, 'text' | 'lists'>): unknown {
    this.lists = lists
    try {
      return parseJson(text)
    } catch {
      // The error message must quote the original line.
      return parseJson(lists.restore(text))
    }
  }

  /** The list that a number stands for; any other value is returned as it is. */
  resolveList(value: unknown): unknown {
    return this.lists.resolve(value)
  }
}
