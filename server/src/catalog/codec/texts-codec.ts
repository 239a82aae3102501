import { SHOW_IMAGE_KINDS, type ShowImageSet } from '../../model/image.ts'
import { DEFAULT_LANGUAGE } from '../../model/language.ts'
import type { Show, Translation } from '../../model/show.ts'
import type { Dictionary } from '../dictionary.ts'
import { ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

/*
 * What answers print of a show, cut where a language or a reference comes in, each piece ready JSON text:
 *   head    {"itemType":"show", … ,"title":
 *   text    "…","overview":"…"                  by language, English first
 *   middle  ,"releaseYear": … ,"genres":[
 *   (genres, as dictionary numbers)
 *   tail    ],"directors": … ,"imageSet":
 *   images  {…}                                 by language, where it has its own
 */

export function writeTexts(out: ByteWriter, show: Show, dictionary: Dictionary): void {
  out.varint(show.genres.length)
  for (const genre of show.genres) out.varint(dictionary.intern(genre))
  out.sizedText(headJson(show))
  out.sizedText(middleJson(show))
  out.sizedText(tailJson(show))
  const languages = Object.keys(show.translations).sort()
  out.varint(languages.length + 1)
  writeText(out, DEFAULT_LANGUAGE, show)
  for (const language of languages) writeText(out, language, show.translations[language] as Translation)
}

function writeText(out: ByteWriter, language: string, text: Translation): void {
  out.ascii(language)
  out.sizedText(`${JSON.stringify(text.title)},"overview":${JSON.stringify(text.overview)}`)
  out.sizedText(text.imageSet === undefined ? '' : imageSetJson(text.imageSet))
}

function headJson(show: Show): string {
  const { showType, id, imdbId, tmdbId } = show
  return `${JSON.stringify({ itemType: 'show', showType, id, imdbId, tmdbId }).slice(0, -1)},"title":`
}

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
  return `],${JSON.stringify(facts).slice(1, -1)},"imageSet":`
}

/** An image set with its keys in the order in which answers print them. */
function imageSetJson(imageSet: ShowImageSet): string {
  const kinds = SHOW_IMAGE_KINDS.flatMap(({ kind, widths }) => {
    const urls = imageSet[kind] as Readonly<Record<string, string>> | undefined
    return urls === undefined ? [] : [[kind, Object.fromEntries(widths.map((width) => [width, urls[width]]))] as const]
  })
  return JSON.stringify(Object.fromEntries(kinds))
}

/** A piece of a record: where its bytes start and end. */
export interface Piece {
  start: number
  end: number
}

/** The pieces of a stored show for one language. Reused between reads; valid as long as the buffer is. */
export class StoredTexts {
  buffer: Buffer = Buffer.alloc(0)
  readonly genres: number[] = []
  readonly head: Piece = { start: 0, end: 0 }
  readonly middle: Piece = { start: 0, end: 0 }
  readonly tail: Piece = { start: 0, end: 0 }
  readonly text: Piece = { start: 0, end: 0 }
  readonly images: Piece = { start: 0, end: 0 }

  /** Finds the pieces, with text and images in the language, or in English where it has none of its own. */
  read(buffer: Buffer, language: string): void {
    this.buffer = buffer
    const input = new ByteReader(buffer)
    this.genres.length = 0
    for (let left = input.varint(); left > 0; left--) this.genres.push(input.varint())
    takePiece(input, this.head)
    takePiece(input, this.middle)
    takePiece(input, this.tail)
    const [first, second] = [language.charCodeAt(0), language.charCodeAt(1)]
    const languages = input.varint()
    for (let i = 0; i < languages; i++) {
      const wanted = input.byte() === first
      if ((input.byte() === second && wanted) || i === 0) {
        takePiece(input, this.text)
        const size = input.varint()
        if (size > 0) {
          this.images.start = input.position
          this.images.end = input.position + size
        }
        input.skip(size)
      } else {
        input.skip(input.varint())
        input.skip(input.varint())
      }
    }
  }
}

function takePiece(input: ByteReader, piece: Piece): void {
  const size = input.varint()
  piece.start = input.position
  piece.end = piece.start + size
  input.skip(size)
}

/** The languages of a stored show with its text in each, English first. */
export function readTranslations(buffer: Buffer): [language: string, text: Translation][] {
  const input = new ByteReader(buffer)
  for (let left = input.varint(); left > 0; left--) input.varint()
  for (let fragment = 0; fragment < 3; fragment++) input.skip(input.varint())
  return Array.from({ length: input.varint() }, () => {
    const language = String.fromCharCode(input.byte(), input.byte())
    const text = JSON.parse(`{"title":${input.sizedText()}}`) as { title: string; overview: string }
    const images = input.sizedText()
    return [language, images === '' ? text : { ...text, imageSet: JSON.parse(images) as ShowImageSet }]
  })
}

/** The fields of a stored show as answers print them, without the references that are joined in. */
export function readPrintedFields(buffer: Buffer, texts: StoredTexts): Record<string, unknown> {
  texts.read(buffer, DEFAULT_LANGUAGE)
  const piece = ({ start, end }: Piece) => buffer.toString('utf8', start, end)
  const json = `${piece(texts.head)}${piece(texts.text)}${piece(texts.middle)}${piece(texts.tail)}${piece(texts.images)}}`
  return JSON.parse(json) as Record<string, unknown>
}
