import { constant, put, put1, putText, sizeOf } from './bytes'
import { language } from './context'
import { printImages } from './images'
import { at, moveTo, readCode, readVarint, skip, skipSized } from './input'
import { reserve, setEnd } from './output'
import { findString, GENRE } from './strings'

/*
 * Texts are encoded as `catalog/documents/texts-codec.ts` describes: fragments of the JSON that is printed, and the title, the overview
 * and the images by language, English first.
 */

const OVERVIEW = constant(',"overview":')
const NO_OVERVIEW = constant('""')
const STREAMING_OPTIONS = constant(',"streamingOptions":')

/** More than the constants that are printed between two texts. */
const MAX_BYTES_BETWEEN: usize = 32

/** Every show begins with as many bytes, and then has its type. */
const TYPE_OFFSET: usize = 31 // {"itemType":"show","showType":"

/**
 * Prints a show from its texts, up to its options, and returns whether it is a series. A text that is missing is the one in English, or
 * for an overview then that in the original language.
 */
export function printTexts(record: usize): bool {
  moveTo(record)
  for (let left = readVarint(); left > 0; left--) readVarint()
  const headSize = readVarint()
  const head = at
  skip(headSize)
  const middleSize = readVarint()
  const middle = at
  skip(middleSize)
  const tailSize = readVarint()
  const tail = at
  skip(tailSize)
  const original = readCode()
  const languages = readVarint()

  readCode()
  let titleSize = readVarint()
  let title = at
  skip(titleSize)
  let overviewSize = readVarint()
  let overview = at
  skip(overviewSize)
  let imagesSize = readVarint()
  let images = at
  skip(imagesSize)
  for (let i: u32 = 1; i < languages; i++) {
    const code = readCode()
    if (code === language) {
      const size = readVarint()
      if (size > 0) {
        title = at
        titleSize = size
      }
      skip(size)
    } else skipSized()
    const size = readVarint()
    if (size > 0 && (code === language || (code === original && overviewSize === 0))) {
      overview = at
      overviewSize = size
    }
    skip(size)
    const ownImagesSize = readVarint()
    if (ownImagesSize > 0 && code === language) {
      images = at
      imagesSize = ownImagesSize
    }
    skip(ownImagesSize)
  }

  let to = reserve(<usize>headSize + titleSize + overviewSize + middleSize + MAX_BYTES_BETWEEN)
  to = put(to, head, headSize)
  to = put(to, title, titleSize)
  to = putText(to, OVERVIEW)
  to = overviewSize > 0 ? put(to, overview, overviewSize) : putText(to, NO_OVERVIEW)
  setEnd(put(to, middle, middleSize))
  printGenres(record)
  setEnd(put(reserve(tailSize), tail, tailSize))
  moveTo(images)
  printImages(imagesSize)
  setEnd(putText(reserve(sizeOf(STREAMING_OPTIONS)), STREAMING_OPTIONS))
  return load<u8>(head + TYPE_OFFSET) === 0x73 // s
}

function printGenres(record: usize): void {
  moveTo(record)
  const genres = readVarint()
  for (let i: u32 = 0; i < genres; i++) {
    const genre = findString(GENRE, language, readVarint(), 0)
    let to = reserve(sizeOf(genre) + 1)
    if (i > 0) to = put1(to, 0x2c) // ,
    setEnd(putText(to, genre))
  }
}
