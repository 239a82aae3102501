import { DEFAULT_LANGUAGE } from '../../model/language.ts'
import type { Show, Translation } from '../../model/show.ts'
import { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import type { Dictionary } from '../storage/dictionary.ts'
import { decodeImageSet, encodeImageSet } from './url-codec.ts'

/*
 * The texts of a show are stored as the JSON that is printed, split where a language or a reference is filled in:
 *   head    {"itemType":"show", … ,"title":
 *   title, overview                             by language, English first; a missing overview is empty
 *   middle  ,"releaseYear": … ,"genres":[
 *   (genres, as dictionary numbers)
 *   tail    ],"directors": … ,"imageSet":
 *   images                                      by language, where it has its own; see url-codec.ts
 */

/** The code of an unknown original language. */
const NO_LANGUAGE = '--'

export function encodeTexts(out: ByteWriter, show: Show, dictionary: Dictionary): void {
  out.varint(show.genres.length)
  for (const genre of show.genres) out.varint(dictionary.intern(genre))
  out.sizedText(headJson(show))
  out.sizedText(middleJson(show))
  out.sizedText(tailJson(show))
  out.ascii(show.originalLanguage ?? NO_LANGUAGE)
  const languages = Object.keys(show.translations).sort()
  out.varint(languages.length + 1)
  encodeText(out, DEFAULT_LANGUAGE, show)
  for (const language of languages) encodeText(out, language, show.translations[language] as Translation)
}

const images = new ByteWriter(1024)

function encodeText(out: ByteWriter, language: string, text: Translation): void {
  out.ascii(language)
  out.sizedText(JSON.stringify(text.title))
  out.sizedText(text.overview === '' ? '' : JSON.stringify(text.overview))
  const { imageSet } = text
  // The size is written first, so the images are encoded into a buffer of their own.
  images.reset()
  if (imageSet !== undefined) encodeImageSet(images, imageSet)
  out.varint(images.position)
  out.bytes(images.view())
}

function headJson(show: Show): string {
  const { showType, id, imdbId, tmdbId } = show
  return JSON.stringify({ itemType: 'show', showType, id, imdbId, tmdbId }).slice(0, -1) + HEAD_END
}

const HEAD_END = ',"title":'

function middleJson(show: Show): string {
  const { year, lastAirYear, originalTitle } = show
  const facts =
    show.showType === 'movie'
      ? { releaseYear: year, originalTitle }
      : { firstAirYear: year, lastAirYear, originalTitle }
  return `,${JSON.stringify(facts).slice(1, -1)},"genres":[`
}

function tailJson(show: Show): string {
  const { directors, creators, cast, rating, runtime, seasonCount, episodeCount } = show
  const facts =
    show.showType === 'movie'
      ? { directors, cast, rating, runtime }
      : { creators, cast, rating, seasonCount, episodeCount }
  return `${TAIL_START}${JSON.stringify(facts).slice(1, -1)}${TAIL_END}`
}

const TAIL_START = '],'
const TAIL_END = ',"imageSet":'

/** The names of the people of a stored show: cast, directors and creators. Decodes nothing else. */
export function decodePeople(buffer: Buffer): string[] {
  const input = new ByteReader(buffer)
  for (let left = input.varint(); left > 0; left--) input.varint()
  input.skip(input.varint())
  input.skip(input.varint())
  const size = input.varint()
  const tail = buffer.toString('utf8', input.position, input.position + size)
  const facts = `{${tail.slice(TAIL_START.length, -TAIL_END.length)}}`
  const { cast, directors = [], creators = [] } = JSON.parse(facts) as Pick<Show, 'cast' | 'directors' | 'creators'>
  return [...cast, ...directors, ...creators]
}

/** The IMDb and TMDB ids of a stored show. Decodes nothing else. */
export function decodeExternalIds(buffer: Buffer): Pick<Show, 'imdbId' | 'tmdbId'> {
  const input = new ByteReader(buffer)
  for (let left = input.varint(); left > 0; left--) input.varint()
  const head = input.sizedText()
  return JSON.parse(`${head.slice(0, -HEAD_END.length)}}`) as Pick<Show, 'imdbId' | 'tmdbId'>
}

/** A range of bytes in a record. */
export interface ByteSpan {
  start: number
  end: number
}

/** The parts of a stored show in one language. Reused for many shows; valid as long as the buffer is. */
export class StoredTexts {
  buffer: Buffer = Buffer.alloc(0)
  readonly genres: number[] = []
  readonly head: ByteSpan = { start: 0, end: 0 }
  readonly middle: ByteSpan = { start: 0, end: 0 }
  readonly tail: ByteSpan = { start: 0, end: 0 }
  readonly title: ByteSpan = { start: 0, end: 0 }
  /** Empty where there is no overview. */
  readonly overview: ByteSpan = { start: 0, end: 0 }
  readonly images: ByteSpan = { start: 0, end: 0 }

  /**
   * Locates the parts, with title, overview and images in the language. Falls back to English for each of them, and for
   * an overview then to the original language.
   */
  locate(input: ByteReader, language: string): void {
    this.buffer = input.buffer
    this.genres.length = 0
    for (let left = input.varint(); left > 0; left--) this.genres.push(input.varint())
    readSpan(input, this.head)
    readSpan(input, this.middle)
    readSpan(input, this.tail)
    const requested = languageCode(language)
    const original = readLanguageCode(input)
    for (let i = 0, languages = input.varint(); i < languages; i++) {
      const code = readLanguageCode(input)
      if (i === 0 || code === requested) {
        readSpan(input, this.title)
        readSpanIfAny(input, this.overview, i === 0)
        readSpanIfAny(input, this.images, i === 0)
      } else {
        input.skip(input.varint())
        if (code === original && this.overview.end === this.overview.start) readSpanIfAny(input, this.overview, false)
        else input.skip(input.varint())
        input.skip(input.varint())
      }
    }
  }
}

/** The two letters of a language as a number. */
function languageCode(language: string): number {
  return language.charCodeAt(0) * 256 + language.charCodeAt(1)
}

function readLanguageCode(input: ByteReader): number {
  return input.byte() * 256 + input.byte()
}

/** Reads a span, and keeps the old one where the new one is empty. The first one is always taken. */
function readSpanIfAny(input: ByteReader, span: ByteSpan, isFirst: boolean): void {
  const size = input.varint()
  if (size > 0 || isFirst) {
    span.start = input.position
    span.end = input.position + size
  }
  input.skip(size)
}

function readSpan(input: ByteReader, span: ByteSpan): void {
  const size = input.varint()
  span.start = input.position
  span.end = span.start + size
  input.skip(size)
}

/** A language, and the texts of a show in it. */
type StoredText = [language: string, text: Translation]

/** The texts of a stored show in all its languages, English first. */
export function decodeTranslations(buffer: Buffer): [english: StoredText, ...others: StoredText[]] {
  const input = new ByteReader(buffer)
  for (let left = input.varint(); left > 0; left--) input.varint()
  for (let fragment = 0; fragment < 3; fragment++) input.skip(input.varint())
  readLanguageCode(input)
  const texts = Array.from({ length: input.varint() }, (): StoredText => {
    const language = String.fromCharCode(input.byte(), input.byte())
    const title = JSON.parse(input.sizedText()) as string
    const overview = JSON.parse(input.sizedText() || '""') as string
    const images = input.bytes(input.varint())
    return [language, { title, overview, ...(images.length > 0 && { imageSet: decodeImageSet(images) }) }]
  })
  return texts as [StoredText, ...StoredText[]]
}

/** The titles of a stored show in languages other than English. */
export function decodeTranslatedTitles(buffer: Buffer): [language: string, title: string][] {
  const input = new ByteReader(buffer)
  for (let left = input.varint(); left > 0; left--) input.varint()
  for (let fragment = 0; fragment < 3; fragment++) input.skip(input.varint())
  readLanguageCode(input)
  const titles = Array.from({ length: input.varint() }, (): [string, string] => {
    const language = String.fromCharCode(input.byte(), input.byte())
    const title = JSON.parse(input.sizedText()) as string
    for (let skipped = 0; skipped < 2; skipped++) input.skip(input.varint())
    return [language, title]
  })
  return titles.slice(1)
}

/** The printed fields of a stored show other than overview, images, genres and offers. */
export function decodePrintedFields(buffer: Buffer, texts: StoredTexts): Record<string, unknown> {
  texts.locate(new ByteReader(buffer), DEFAULT_LANGUAGE)
  const text = ({ start, end }: ByteSpan) => buffer.toString('utf8', start, end)
  const json = `${text(texts.head)}${text(texts.title)}${text(texts.middle)}${text(texts.tail)}null}`
  return JSON.parse(json) as Record<string, unknown>
}
