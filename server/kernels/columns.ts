/*
 * Reads the blocks of sorted columns as `catalog/sorted/column-store.ts` writes them: a byte for the type of the values, the count of
 * entries, the values, and an id and a document for each entry. All integers are varints of seven bits a byte, the lowest first.
 */

const TEXTS: u8 = 0
const INTEGERS: u8 = 1

/** A block has fewer entries, with those of its delta block. */
export const MAX_COLUMN_ENTRIES: usize = 2_048

/** A value is a floating-point number, or the address and the length of a text. */
const VALUE: usize = 8

const blockValues = memory.data(16_384)
const blockIds = memory.data(16_384)
const blockDocs = memory.data(8_192)
const deltaValues = memory.data(16_384)
const deltaIds = memory.data(16_384)
const deltaDocs = memory.data(8_192)

/** Where the next byte is read. */
let at: usize = 0
/** Whether the values of the block that was read last are texts. */
let isText = false

/** The first and the last value of the entries that were merged last. */
let firstValue: usize = 0
let lastValue: usize = 0

/**
 * Reads a block merged with its delta block, whose address is 0 if there is none. An entry of the delta block replaces the one with
 * its key. Writes documents (32 bits), ids (floating point), and a byte each that is 1 where the value differs from the one before.
 * Returns the count of entries.
 */
export function readColumnBlock(block: usize, delta: usize, docs: usize, ids: usize, starts: usize): usize {
  const deltaCount: usize = delta === 0 ? 0 : decode(delta, deltaValues, deltaIds, deltaDocs)
  const isDeltaText = isText
  const blockCount = decode(block, blockValues, blockIds, blockDocs)
  if (blockCount + deltaCount > MAX_COLUMN_ENTRIES) unreachable()
  if (blockCount === 0) isText = isDeltaText
  let count: usize = 0
  let i: usize = 0
  let d: usize = 0
  let previous: usize = 0
  while (i < blockCount || d < deltaCount) {
    const order = d === deltaCount ? -1 : i === blockCount ? 1 : compareEntries(i, d)
    let value: usize
    if (order < 0) {
      value = blockValues + i * VALUE
      store<u32>(docs + (count << 2), load<u32>(blockDocs + (i << 2)))
      store<f64>(ids + (count << 3), load<f64>(blockIds + (i << 3)))
      i++
    } else {
      value = deltaValues + d * VALUE
      store<u32>(docs + (count << 2), load<u32>(deltaDocs + (d << 2)))
      store<f64>(ids + (count << 3), load<f64>(deltaIds + (d << 3)))
      d++
      if (order === 0) i++
    }
    const isStart = previous === 0 || compareValues(previous, value) !== 0
    store<u8>(starts + count, isStart ? 1 : 0)
    if (previous === 0) firstValue = value
    previous = value
    count++
  }
  lastValue = previous
  return count
}

/** Whether the values of the block that was read last are texts. */
export function hasTexts(): bool {
  return isText
}

/** The address of its first value, and of its last one. */
export function firstColumnValue(): usize {
  return firstValue
}

export function lastColumnValue(): usize {
  return lastValue
}

/** Decodes a block; returns the count of its entries. */
function decode(block: usize, values: usize, ids: usize, docs: usize): usize {
  at = block
  const type = load<u8>(at++)
  const count = <usize>varint()
  if (count > MAX_COLUMN_ENTRIES) unreachable()
  isText = type === TEXTS
  if (type === TEXTS) {
    for (let i: usize = 0; i < count; i++) {
      const length = <usize>varint()
      store<u32>(values + i * VALUE, <u32>at)
      store<u32>(values + i * VALUE + 4, <u32>length)
      at += length
    }
  } else if (type === INTEGERS) {
    let value: u64 = 0
    for (let i: usize = 0; i < count; i++) {
      value += varint()
      store<f64>(values + i * VALUE, <f64>value)
    }
  } else {
    memory.copy(values, at, count * VALUE)
    at += count * VALUE
  }
  for (let i: usize = 0; i < count; i++) {
    store<f64>(ids + (i << 3), <f64>varint())
    store<u32>(docs + (i << 2), <u32>varint())
  }
  return count
}

function varint(): u64 {
  let byte = load<u8>(at++)
  if (byte < 0x80) return byte
  let value: u64 = byte & 0x7f
  let shift: u64 = 7
  do {
    byte = load<u8>(at++)
    value |= (<u64>(byte & 0x7f)) << shift
    shift += 7
  } while (byte >= 0x80)
  return value
}

/** Compares the keys of an entry of the block and of one of the delta block: values, then ids. */
function compareEntries(i: usize, d: usize): i32 {
  const order = compareValues(blockValues + i * VALUE, deltaValues + d * VALUE)
  if (order !== 0) return order
  const id = load<f64>(blockIds + (i << 3))
  const other = load<f64>(deltaIds + (d << 3))
  return id < other ? -1 : id > other ? 1 : 0
}

/** Compares values: numbers, or texts by their bytes. */
function compareValues(a: usize, b: usize): i32 {
  if (!isText) {
    const number = load<f64>(a)
    const other = load<f64>(b)
    return number < other ? -1 : number > other ? 1 : 0
  }
  const length: usize = load<u32>(a + 4)
  const otherLength: usize = load<u32>(b + 4)
  const order = memory.compare(load<u32>(a), load<u32>(b), min(length, otherLength))
  return order !== 0 ? order : <i32>length - <i32>otherLength
}
