import { put, SIZE_BYTES, Text } from './bytes'
import { allocate } from './memory'

/*
 * A hash table of texts that many shows have in common, each loaded from the host when it is first printed. Open addressing; a slot has 32
 * bytes:
 *   u32 kind, place, number, part      what the text is; a kind is never 0
 *   u32 address of its size, followed by its bytes
 */

/* The kinds of texts. Those of which only some members are printed have a shape beside the kind. */
export const DICTIONARY: u32 = 1
export const GENRE: u32 = 2
export const SERVICE: u32 = 3
export const ADDON: u32 = 4
export const AUDIOS: u32 = 5
export const SUBTITLES: u32 = 6
export const PRICE: u32 = 7

const SLOT_BITS: usize = 5
const ADDRESS: usize = 16

const SEGMENT_BYTES: usize = 256 * 1024

let slots: usize = allocate(1024 << SLOT_BITS)
let mask: u32 = 1023
let count: u32 = 0

/** The memory of texts, in segments that are linked by their first bytes. All are filled anew once the table is cleared. */
const firstSegment: usize = allocate(SEGMENT_BYTES)
let segment: usize = firstSegment
let segmentUsed: usize = SIZE_BYTES
let totalBytes: usize = 0

/** Asks the host for a text, which answers by `addString`. */
declare function loadString(kind: u32, place: u32, number: u32, part: u32): void

/** The address of a text: its size, followed by its bytes. Valid until the table is cleared. */
export function findString(kind: u32, place: u32, number: u32, part: u32): Text {
  let slot = findSlot(kind, place, number, part)
  while (load<u32>(slot) === 0) {
    loadString(kind, place, number, part)
    slot = findSlot(kind, place, number, part)
  }
  return load<u32>(slot, ADDRESS)
}

/** Adds a text whose bytes the caller writes; returns where. */
export function addString(kind: u32, place: u32, number: u32, part: u32, size: u32): usize {
  if (<u32>2 * count > mask) enlarge()
  const address = allocateText(SIZE_BYTES + size)
  store<u32>(address, size)
  const slot = findSlot(kind, place, number, part)
  store<u32>(slot, kind, 0)
  store<u32>(slot, place, 4)
  store<u32>(slot, number, 8)
  store<u32>(slot, part, 12)
  store<u32>(slot, <u32>address, ADDRESS)
  count++
  return address + SIZE_BYTES
}

/** The memory that texts take. */
export function stringBytes(): usize {
  return totalBytes
}

/** Forgets all texts. Not while something is printed. */
export function clearStrings(): void {
  memory.fill(slots, 0, (<usize>mask + 1) << SLOT_BITS)
  count = 0
  totalBytes = 0
  segment = firstSegment
  segmentUsed = SIZE_BYTES
}

/** The slot of a text, or the free one that it would get. */
function findSlot(kind: u32, place: u32, number: u32, part: u32): usize {
  let index = (number * 0x9e3779b1) ^ (place * 0x85ebca6b) ^ (part * 0xc2b2ae35) ^ (kind * 0x27d4eb2f)
  index ^= index >>> 15
  let slot = slotAt(index)
  while (load<u32>(slot) !== 0 && !holds(slot, kind, place, number, part)) slot = slotAt(++index)
  return slot
}

function slotAt(index: u32): usize {
  return slots + ((<usize>(index & mask)) << SLOT_BITS)
}

function holds(slot: usize, kind: u32, place: u32, number: u32, part: u32): bool {
  return (
    load<u32>(slot, 8) === number &&
    load<u32>(slot) === kind &&
    load<u32>(slot, 4) === place &&
    load<u32>(slot, 12) === part
  )
}

function enlarge(): void {
  const old = slots
  const oldEnd = old + ((<usize>mask + 1) << SLOT_BITS)
  mask = 2 * mask + 1
  slots = allocate((<usize>mask + 1) << SLOT_BITS)
  for (let slot = old; slot < oldEnd; slot += 1 << SLOT_BITS) {
    if (load<u32>(slot) === 0) continue
    const target = findSlot(load<u32>(slot), load<u32>(slot, 4), load<u32>(slot, 8), load<u32>(slot, 12))
    put(target, slot, 1 << SLOT_BITS)
  }
}

function allocateText(size: usize): usize {
  totalBytes += size
  // Larger than any text of a catalog that was validated.
  if (size > SEGMENT_BYTES - SIZE_BYTES) return allocate(size)
  if (segmentUsed + size > SEGMENT_BYTES) {
    let next: usize = load<u32>(segment)
    if (next === 0) {
      next = allocate(SEGMENT_BYTES)
      store<u32>(segment, <u32>next)
    }
    segment = next
    segmentUsed = SIZE_BYTES
  }
  const address = segment + segmentUsed
  segmentUsed += size
  return address
}
