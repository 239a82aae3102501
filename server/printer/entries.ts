/*
 * Records come in entries of two. An entry has a header of four numbers of 32 bits, and the records behind it:
 *   document, catalog version      for the caller
 *   sizes of the two records       0 for one that is empty
 */
const HEADER_BYTES: usize = 16

export function firstRecord(entry: usize): usize {
  return entry + HEADER_BYTES
}

export function secondRecord(entry: usize): usize {
  return entry + HEADER_BYTES + load<u32>(entry, 8)
}

export function endOfEntry(entry: usize): usize {
  return secondRecord(entry) + load<u32>(entry, 12)
}

export function isFirstEmpty(entry: usize): bool {
  return load<u32>(entry, 8) === 0
}
