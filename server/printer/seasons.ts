import { constant, put, put1, putText, sizeOf, Text } from './bytes'
import { isPrinted } from './context'
import { endOfEntry, firstRecord, isFirstEmpty, secondRecord } from './entries'
import { at, moveTo, readCode, readVarint, skip, skipSized } from './input'
import { openReader, readerAt } from './offers'
import { printCountry, skipCountry } from './options'
import { outputSize, putByte, reserve, setEnd } from './output'

/*
 * Seasons are encoded as `catalog/documents/outline-codec.ts` describes: the JSON of each season and episode up to its options, and
 * the offers of all of them in a record of their own, in the same order.
 */

const OPEN = constant(',"seasons":[')
const OPEN_EPISODES = constant(',"episodes":[')
const CLOSE = constant(']}')

/* What is printed next. */
export const END = 0
export const SEASON = 1
export const EPISODE = 2
export const END_OF_EPISODES = 3

/** Where the outline is read on. */
let outline: usize = 0
let readerCount = 0
let withEpisodes = false
let seasonsLeft: u32 = 0
/** Of the season that was begun last; -1 between two seasons. */
let episodesLeft: i32 = -1
/** The items of the present list so far. */
let printed = 0

/** Opens the list of seasons, from their outline and their offers. */
export function openSeasons(entry: usize, hasEpisodes: bool): void {
  const end = endOfEntry(entry)
  readerCount = 0
  moveTo(secondRecord(entry))
  while (at < end) {
    const country = readCode()
    const size = readVarint()
    if (isPrinted(country)) openReader(readerCount++, country, size)
    skip(size)
  }
  seasonsLeft = 0
  if (!isFirstEmpty(entry)) {
    moveTo(firstRecord(entry))
    seasonsLeft = readVarint()
    outline = at
  }
  episodesLeft = -1
  printed = 0
  withEpisodes = hasEpisodes
  putConstant(OPEN)
}

/**
 * Prints seasons, at least one item, until the output has reached a size or all are printed; returns whether they are. Their list and the
 * show are closed then.
 */
export function printSeasons(maxSize: usize): bool {
  for (let part = nextPart(); part !== END; part = nextPart()) {
    if (part === END_OF_EPISODES) {
      putConstant(CLOSE)
      endEpisodes()
    } else printNext(part)
    if (outputSize() >= maxSize && nextPart() !== END) return false
  }
  putConstant(CLOSE)
  return true
}

/** Prints the item that is next, with what is between it and those around it. */
function printNext(part: i32): void {
  if (printed++ > 0) putByte(0x2c) // ,
  printItem()
  if (part === SEASON && episodesLeft >= 0) {
    putConstant(OPEN_EPISODES)
    printed = 0
  } else putByte(0x7d) // }
}

/** What comes next. */
export function nextPart(): i32 {
  if (episodesLeft > 0) return EPISODE
  if (episodesLeft === 0) return END_OF_EPISODES
  return seasonsLeft > 0 ? SEASON : END
}

/** Goes on to the season behind a list of episodes. */
export function endEpisodes(): void {
  episodesLeft = -1
  // The season that ends here is an item of the list that goes on.
  printed = 1
}

/** Whether the season that was printed last has a list of episodes, which are next. */
export function hasEpisodes(): bool {
  return episodesLeft >= 0
}

/** Prints the season or the episode that is next, but for the end of its object. */
export function printItem(): void {
  moveTo(outline)
  const size = readVarint()
  setEnd(put1(put(reserve(size + 1), at, size), 0x7b)) // {
  skip(size)
  outline = at
  for (let i = 0; i < readerCount; i++) printCountry(readerAt(i))
  putByte(0x7d) // }
  if (episodesLeft > 0) {
    episodesLeft--
    return
  }
  seasonsLeft--
  moveTo(outline)
  // One more than there are, so that 0 says that they are not known.
  const episodes = readVarint()
  if (withEpisodes && episodes > 0) {
    episodesLeft = episodes - 1
    outline = at
    return
  }
  for (let left = episodes; left > 1; left--) skipSized()
  outline = at
  for (let left = episodes; left > 1; left--) {
    for (let i = 0; i < readerCount; i++) skipCountry(readerAt(i))
  }
}

function putConstant(text: Text): void {
  setEnd(putText(reserve(sizeOf(text)), text))
}
