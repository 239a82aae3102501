/*
 * Combines, counts and lists sets of numbers as bits, 128 at a time. Sets are given by address and size in bytes; a size is a multiple
 * of 4. Words of 32 bits have the lowest number in the lowest bit.
 */

const VECTOR: usize = 16
const WORD: usize = 4

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
