import { isLocale, type Locale, normalizeAudios, normalizeSubtitles, type Subtitle } from '../model/language.ts'
import { type Fields, isObject, shown } from './fields.ts'
import type { RecordParser } from './record-parser.ts'

/** Beyond so many distinct lists the tables start anew, so that they stay bounded. */
const MOST_LISTS = 100_000

/** Reads the audio and subtitle languages of options. Equal lists are one and the same value, so they compare quickly. */
export class TrackReader {
  private readonly parser: RecordParser
  private readonly audioLists = new SharedLists<Locale>((fields) =>
    normalizeAudios((fields.list('audios') ?? []).flatMap((item) => readLocale(item, fields, 'audios'))),
  )
  private readonly subtitleLists = new SharedLists<Subtitle>((fields) =>
    normalizeSubtitles((fields.list('subtitles') ?? []).flatMap((item) => readSubtitle(item, fields))),
  )

  constructor(parser: RecordParser) {
    this.parser = parser
  }

  audios(fields: Fields): readonly Locale[] {
    return this.audioLists.read('audios', this.parser.list(fields.value.audios), fields)
  }

  subtitles(fields: Fields): readonly Subtitle[] {
    return this.subtitleLists.read('subtitles', this.parser.list(fields.value.subtitles), fields)
  }
}

/** Lists of one kind, each distinct one kept once. */
class SharedLists<T> {
  private readonly readList: (fields: Fields) => readonly T[]
  /** By the list as parsed, where it was read without a notice. */
  private readonly byParsed = new Map<unknown, readonly T[]>()
  private readonly byJson = new Map<string, readonly T[]>()

  constructor(readList: (fields: Fields) => readonly T[]) {
    this.readList = readList
  }

  read(name: string, value: unknown, fields: Fields): readonly T[] {
    const known = this.byParsed.get(value)
    if (known !== undefined) return known
    const { place } = fields
    const noticesBefore = place.notices.total
    const list = this.shared(this.readList(fields.having(name, value)))
    if (place.notices.total === noticesBefore) {
      if (this.byParsed.size >= MOST_LISTS) this.byParsed.clear()
      this.byParsed.set(value, list)
    }
    return list
  }

  private shared(list: readonly T[]): readonly T[] {
    const json = JSON.stringify(list)
    const known = this.byJson.get(json)
    if (known !== undefined) return known
    if (this.byJson.size >= MOST_LISTS) this.byJson.clear()
    this.byJson.set(json, list)
    return list
  }
}

function readLocale(value: unknown, fields: Fields, name: string): Locale | [] {
  if (isObject(value) && typeof value.language === 'string') {
    const { language, region } = value
    const locale = region === undefined || region === null ? { language } : { language, region: region as string }
    if ((region === undefined || region === null || typeof region === 'string') && isLocale(locale)) return locale
  }
  fields.note(
    'ignored_field',
    `"${name}" holds ${shown(value)}; {"language":"eng","region":"USA"} or the like is needed`,
  )
  return []
}

function readSubtitle(value: unknown, fields: Fields): Subtitle | [] {
  if (!isObject(value)) return readLocale(value, fields, 'subtitles') as []
  const locale = readLocale(value.locale, fields, 'subtitles')
  return Array.isArray(locale) ? [] : { closedCaptions: value.closedCaptions === true, locale }
}
