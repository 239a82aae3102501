import { isPrinted } from './context'
import { endOfEntry, firstRecord, secondRecord } from './entries'
import { at, moveTo, readCode, readVarint } from './input'
import { touch } from './memory'
import { openReader } from './offers'
import { printCountry } from './options'
import { putByte } from './output'
import { printTexts } from './texts'

/*
 * Prints shows as JSON from the records of the catalog, in the memory of this module: in AssemblyScript, which is TypeScript that is
 * compiled to WebAssembly. The caller writes records into memory that it allocates here, and reads the output.
 */

export { getValidUntil, setContext, setCountries } from './context'
export { allocate } from './memory'
export { extendOutput, outputEnd, outputSize, outputStart, truncateOutput } from './output'
export { endEpisodes, hasEpisodes, nextPart, openSeasons, printItem, printSeasons } from './seasons'
export { addString, clearStrings, stringBytes } from './strings'

/**
 * Prints a show from its texts and its offers: all of it, or a series whose seasons are printed up to them. Returns whether seasons are
 * next.
 */
export function printShow(entry: usize, withSeasons: bool): bool {
  touch(entry, endOfEntry(entry))
  const isSeries = printTexts(firstRecord(entry))
  printOptions(entry)
  if (isSeries && withSeasons) return true
  putByte(0x7d) // }
  return false
}

/** Prints the options of a show. */
export function printOptions(entry: usize): void {
  const end = endOfEntry(entry)
  putByte(0x7b) // {
  moveTo(secondRecord(entry))
  while (at < end) {
    const country = readCode()
    const size = readVarint()
    const next = at + size
    if (isPrinted(country)) printCountry(openReader(0, country, size))
    moveTo(next)
  }
  putByte(0x7d) // }
}
