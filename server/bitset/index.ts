/*
 * Combines, counts and lists bits, 128 at a time, and selects the rows of columns, in the memory of this module: in AssemblyScript, which is
 * TypeScript that is compiled to WebAssembly. Sets are given by address and size in bytes; a size is a multiple of 4. Words of 32 bits have
 * the lowest number in the lowest bit.
 */

const VECTOR: usize = 16
const WORD: usize = 4

/** The first byte that is free; what is allocated is never freed. */
let free: usize = __heap_base

/** Allocates memory for as long as the module lives; 0 if there is none left. The memory does not grow: that would move it. */
export function allocate(size: usize): usize {
  const start = (free + VECTOR - 1) & ~(VECTOR - 1)
  if (start + size > (<usize>memory.size()) << 16) return 0
  free = start + size
  return start
}

/** Removes the numbers that another set does not have. */
export function intersect(bits: usize, other: usize, size: usize): void {
  let i: usize = 0
  for (; i + VECTOR <= size; i += VECTOR) v128.store(bits + i, v128.and(v128.load(bits + i), v128.load(other + i)))
  for (; i < size; i += WORD) store<u32>(bits + i, load<u32>(bits + i) & load<u32>(other + i))
}

/** Adds the numbers of another set. */
export function unite(bits: usize, other: usize, size: usize): void {
  let i: usize = 0
  for (; i + VECTOR <= size; i += VECTOR) v128.store(bits + i, v128.or(v128.load(bits + i), v128.load(other + i)))
  for (; i < size; i += WORD) store<u32>(bits + i, load<u32>(bits + i) | load<u32>(other + i))
}

/** Removes the numbers of another set. */
export function subtract(bits: usize, other: usize, size: usize): void {
  let i: usize = 0
  for (; i + VECTOR <= size; i += VECTOR) v128.store(bits + i, v128.andnot(v128.load(bits + i), v128.load(other + i)))
  for (; i < size; i += WORD) store<u32>(bits + i, load<u32>(bits + i) & ~load<u32>(other + i))
}

/** How many numbers are in a set. */
export function count(bits: usize, size: usize): u32 {
  let sums = i32x4.splat(0)
  let i: usize = 0
  for (; i + VECTOR <= size; i += VECTOR) sums = i32x4.add(sums, countVector(v128.load(bits + i)))
  let sum = sumOf(sums)
  for (; i < size; i += WORD) sum += popcnt(load<u32>(bits + i))
  return sum
}

/** How many numbers two sets have in common. */
export function countCommon(a: usize, b: usize, size: usize): u32 {
  let sums = i32x4.splat(0)
  let i: usize = 0
  for (; i + VECTOR <= size; i += VECTOR) {
    sums = i32x4.add(sums, countVector(v128.and(v128.load(a + i), v128.load(b + i))))
  }
  let sum = sumOf(sums)
  for (; i < size; i += WORD) sum += popcnt(load<u32>(a + i) & load<u32>(b + i))
  return sum
}

/** The counts of the bits of each word of a vector. */
function countVector(vector: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(vector)))
}

function sumOf(words: v128): u32 {
  return (
    i32x4.extract_lane(words, 0) +
    i32x4.extract_lane(words, 1) +
    i32x4.extract_lane(words, 2) +
    i32x4.extract_lane(words, 3)
  )
}

/** Writes the numbers of a set in ascending order, with one added to each, as words of 32 bits. Returns where the last one ends. */
export function list(bits: usize, size: usize, added: u32, to: usize): usize {
  let end = to
  let i: usize = 0
  for (; i + VECTOR <= size; i += VECTOR) {
    if (!v128.any_true(v128.load(bits + i))) continue
    end = listWord(load<u64>(bits + i), added + <u32>(i << 3), end)
    end = listWord(load<u64>(bits + i + 8), added + <u32>((i + 8) << 3), end)
  }
  for (; i < size; i += WORD) end = listWord(load<u32>(bits + i), added + <u32>(i << 3), end)
  return end
}

function listWord(word: u64, added: u32, to: usize): usize {
  let end = to
  for (let rest = word; rest !== 0; rest &= rest - 1) {
    store<u32>(end, added + <u32>ctz(rest))
    end += WORD
  }
  return end
}

/**
 * Removes the rows whose number is not marked by a one in a table of bytes. Rows follow each other at a step in bytes.
 *
 * @param numbers the address of the first row's number
 */
export function retainMarkedShort(rows: usize, count: u32, numbers: usize, step: usize, table: usize): void {
  retainMarked<u16>(rows, count, numbers, step, table)
}

/** The same of numbers of 32 bits. */
export function retainMarkedLong(rows: usize, count: u32, numbers: usize, step: usize, table: usize): void {
  retainMarked<u32>(rows, count, numbers, step, table)
}

function retainMarked<T>(rows: usize, count: u32, numbers: usize, step: usize, table: usize): void {
  let row: u32 = 0
  let word = rows
  for (; row + 32 <= count; row += 32, word += WORD) {
    const bits = load<u32>(word)
    if (bits === 0) continue
    let marked: u32 = 0
    let at = numbers + row * step
    for (let bit: u32 = 0; bit < 32; bit += 4) {
      const first = <u32>load<u8>(table + load<T>(at))
      const second = <u32>load<u8>(table + load<T>(at + step))
      const third = <u32>load<u8>(table + load<T>(at + 2 * step))
      const fourth = <u32>load<u8>(table + load<T>(at + 3 * step))
      marked |= (first | (second << 1) | (third << 2) | (fourth << 3)) << bit
      at += 4 * step
    }
    store<u32>(word, bits & marked)
  }
  if (row === count) return
  let marked: u32 = 0
  for (let i = row; i < count; i++) marked |= (<u32>load<u8>(table + load<T>(numbers + i * step))) << (i & 31)
  store<u32>(word, load<u32>(word) & marked)
}

/** Removes the rows with a number below `from`, and those with one that is not below `to`. */
export function retainBetweenShort(rows: usize, count: u32, numbers: usize, from: f64, to: f64): void {
  retainBetween<u32>(rows, count, numbers, from, to)
}

/** The same of floating-point numbers. */
export function retainBetweenLong(rows: usize, count: u32, numbers: usize, from: f64, to: f64): void {
  retainBetween<f64>(rows, count, numbers, from, to)
}

function retainBetween<T>(rows: usize, count: u32, numbers: usize, from: f64, to: f64): void {
  for (let row: u32 = 0; row < count; row += 32) {
    const word = rows + (row >> 3)
    const bits = load<u32>(word)
    if (bits === 0) continue
    const end = min(row + 32, count)
    let between: u32 = 0
    for (let i = row; i < end; i++) {
      const number = <f64>load<T>(numbers + i * sizeof<T>())
      between |= (u32(number >= from) & u32(number < to)) << (i & 31)
    }
    store<u32>(word, bits & between)
  }
}
