import { constant, put, put1, putText, SIZE_BYTES, sizeOf, Text } from './bytes'
import { at, readByte, readVarint, skip } from './input'
import { allocate } from './memory'
import { reserve, setEnd } from './output'

/*
 * Image sets are encoded as `catalog/documents/url-codec.ts` describes. A URL is derived from another one, which is in the output
 * already, so most of an image set is the output copied within itself.
 */

const KINDS: usize = 4
const WIDTHS: usize = 5
const OPEN_KINDS = listOf(
  constant('"verticalPoster":{'),
  constant('"horizontalPoster":{'),
  constant('"verticalBackdrop":{'),
  constant('"horizontalBackdrop":{'),
)

/* The widths of the even kinds, which are vertical, and of the odd ones: their names in URLs, and the keys of the URLs. */
const VERTICAL_NAMES = listOf(constant('w240'), constant('w360'), constant('w480'), constant('w600'), constant('w720'))
const VERTICAL_KEYS = listOf(
  constant('"w240":"'),
  constant('"w360":"'),
  constant('"w480":"'),
  constant('"w600":"'),
  constant('"w720":"'),
)
const HORIZONTAL_NAMES = listOf(
  constant('w360'),
  constant('w480'),
  constant('w720'),
  constant('w1080'),
  constant('w1440'),
)
const HORIZONTAL_KEYS = listOf(
  constant('"w360":"'),
  constant('"w480":"'),
  constant('"w720":"'),
  constant('"w1080":"'),
  constant('"w1440":"'),
)

/** The first names have so many bytes, which are replaced at once where another name has as many. */
const FIRST_NAME_BYTES: usize = 4

/** What is printed of a URL around it, and what its width's name may add, at most. */
const MAX_BYTES_AROUND_URL: usize = 16

/** What is printed of a kind around its URLs, at most. */
const MAX_BYTES_AROUND_KIND: usize = 32

const QUOTE_COMMA: u16 = 0x2c22

/** The end of the encoded image set. */
let encodedEnd: usize = 0

/* Where the first URL of the last kind is. */
let lastUrl: usize = 0
let lastUrlSize: usize = 0

/** Prints the image set whose encoded form is read next. */
export function printImages(encodedSize: usize): void {
  encodedEnd = at + encodedSize
  // No URL is longer than all that is encoded, which is checked: a damaged record must not be printed over other memory.
  const maxUrl = encodedSize + MAX_BYTES_AROUND_URL
  let to = reserve(KINDS * (WIDTHS * maxUrl + MAX_BYTES_AROUND_KIND))
  const kinds = readByte()
  let printed = 0
  lastUrl = 0
  lastUrlSize = 0
  to = put1(to, 0x7b) // {
  for (let kind: usize = 0; kind < KINDS; kind++) {
    if (((kinds >> <u32>kind) & 1) === 0) continue
    if (printed++ > 0) to = put1(to, 0x2c) // ,
    to = putText(to, item(OPEN_KINDS, kind))
    if ((kind & 1) === 0) to = printKind(to, VERTICAL_NAMES, VERTICAL_KEYS)
    else to = printKind(to, HORIZONTAL_NAMES, HORIZONTAL_KEYS)
    to = put1(to, 0x22) // "
    to = put1(to, 0x7d) // }
  }
  setEnd(put1(to, 0x7d))
}

function printKind(entry: usize, names: usize, keys: usize): usize {
  const url = putText(entry, item(keys, 0))
  let to = printRelativeTo(url, lastUrl, lastUrlSize)
  const size = to - url
  const entrySize = to - entry
  lastUrl = url
  lastUrlSize = size
  const nameOffset: usize = readVarint() - 1
  const derived = readByte()
  for (let w: usize = 1; w < WIDTHS; w++) {
    const key = item(keys, w)
    const name = item(names, w)
    store<u16>(to, QUOTE_COMMA)
    to += 2
    if (((derived >> <u32>(w - 1)) & 1) === 0) {
      to = putText(to, key)
      to = printRelativeTo(to, url, size)
      continue
    }
    if (<u64>nameOffset + FIRST_NAME_BYTES > <u64>size) unreachable()
    if (sizeOf(name) === FIRST_NAME_BYTES) {
      // The same entry, but for the name of the width in the key and in the URL.
      const letters = load<u32>(name + SIZE_BYTES)
      put(to, entry, entrySize)
      store<u32>(to + 1, letters)
      store<u32>(to + (url - entry) + nameOffset, letters)
      to += entrySize
    } else {
      to = putText(to, key)
      to = put(to, url, nameOffset)
      to = putText(to, name)
      const rest = nameOffset + FIRST_NAME_BYTES
      to = put(to, url + rest, size - rest)
    }
  }
  return to
}

/** Prints a URL that is encoded relative to another one. */
function printRelativeTo(to: usize, other: usize, otherSize: usize): usize {
  const prefix: usize = readVarint()
  const suffix: usize = readVarint()
  const size: usize = readVarint()
  if (<u64>prefix + suffix > <u64>otherSize || <u64>at + size > <u64>encodedEnd) unreachable()
  let next = put(to, other, prefix)
  next = put(next, at, size)
  skip(size)
  return put(next, other + otherSize - suffix, suffix)
}

/** The fifth text may be left out. */
function listOf(a: Text, b: Text, c: Text, d: Text, e: Text = 0): usize {
  const list = allocate(WIDTHS * sizeof<Text>())
  store<Text>(list, a)
  store<Text>(list, b, sizeof<Text>())
  store<Text>(list, c, 2 * sizeof<Text>())
  store<Text>(list, d, 3 * sizeof<Text>())
  store<Text>(list, e, 4 * sizeof<Text>())
  return list
}

function item(list: usize, index: usize): Text {
  return load<Text>(list + (index << alignof<Text>()))
}
