import { popcount } from './roaring/popcount.ts'

/** A set of small numbers as a flat array: number n is bit n % 32 of word n / 32. What is beyond its end is not in it. */
export type Bitset = Uint32Array

/** The words that numbers below a limit take. */
export function wordCount(limit: number): number {
  return (limit + 31) >>> 5
}

/** A set of none whose memory is reused: a new array costs more than combining two. */
export class ScratchBitset {
  private words: Bitset = new Uint32Array(0)

  /** An empty set of a length in words. Valid until the next one is taken. */
  take(length: number): Bitset {
    if (this.words.length < length) this.words = new Uint32Array(length)
    const words = this.words.length === length ? this.words : this.words.subarray(0, length)
    return words.fill(0)
  }
}

export function hasBit(bits: Bitset, number: number): boolean {
  return ((bits[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0
}

export function setBit(bits: Bitset, number: number): void {
  bits[number >>> 5] = (bits[number >>> 5] as number) | (1 << (number & 31))
}

/** Adds a number, or removes it if the set has it. */
export function flipBit(bits: Bitset, number: number): void {
  bits[number >>> 5] = (bits[number >>> 5] as number) ^ (1 << (number & 31))
}

/** Replaces a part of a set by the numbers of the set that are not in the part. */
export function complement(part: Bitset, whole: Bitset): void {
  for (let i = 0; i < part.length; i++) part[i] = (part[i] as number) ^ (whole[i] as number)
}

/** Adds the numbers from `start` to before `end`. */
export function setRange(bits: Bitset, start: number, end: number): void {
  for (let at = start; at < end; at = (at | 31) + 1) bits[at >>> 5] = (bits[at >>> 5] as number) | rangeMask(at, end)
}

/** Removes the numbers from `start` to before `end`. */
export function clearRange(bits: Bitset, start: number, end: number): void {
  for (let at = start; at < end; at = (at | 31) + 1) bits[at >>> 5] = (bits[at >>> 5] as number) & ~rangeMask(at, end)
}

/** The bits of the word of a number, from the number on and before `end`. */
function rangeMask(at: number, end: number): number {
  const rest = (at | 31) + 1 - end
  return (-1 << (at & 31)) & (rest > 0 ? -1 >>> rest : -1)
}

/** Adds numbers. */
export function addNumbers(bits: Bitset, numbers: Uint32Array): void {
  for (let i = 0; i < numbers.length; i++) {
    setBit(bits, numbers[i] as number)
  }
}

/** Adds the numbers of another set, which is not longer. */
export function unite(bits: Bitset, other: Bitset): void {
  for (let i = 0; i < other.length; i++) bits[i] = (bits[i] as number) | (other[i] as number)
}

/** Removes the numbers that another set does not have. */
export function intersect(bits: Bitset, other: Bitset): void {
  const shared = Math.min(bits.length, other.length)
  for (let i = 0; i < shared; i++) bits[i] = (bits[i] as number) & (other[i] as number)
  bits.fill(0, shared)
}

/** Removes the numbers that are not among the given ones, which are in ascending order. */
export function intersectNumbers(bits: Bitset, numbers: Uint32Array): void {
  let word = 0
  for (let i = 0; i < numbers.length; word++) {
    const index = (numbers[i] as number) >>> 5
    if (index >= bits.length) break
    bits.fill(0, word, index)
    word = index
    let mask = 0
    for (; i < numbers.length && (numbers[i] as number) >>> 5 === index; i++) mask |= 1 << ((numbers[i] as number) & 31)
    bits[index] = (bits[index] as number) & mask
  }
  bits.fill(0, word)
}

/** Removes the numbers that another set has. */
export function subtract(bits: Bitset, other: Bitset): void {
  const shared = Math.min(bits.length, other.length)
  for (let i = 0; i < shared; i++) bits[i] = (bits[i] as number) & ~(other[i] as number)
}

/** Removes numbers. */
export function subtractNumbers(bits: Bitset, numbers: Uint32Array): void {
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] as number
    if (number >>> 5 < bits.length) bits[number >>> 5] = (bits[number >>> 5] as number) & ~(1 << (number & 31))
  }
}

/** How many numbers are in the set. */
export function countBits(bits: Bitset): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) {
    const word = (bits[i] as number) | 0
    if (word !== 0) count += popcount(word)
  }
  return count
}

/** How many numbers two sets have in common. */
export function countCommon(a: Bitset, b: Bitset): number {
  const shared = Math.min(a.length, b.length)
  let count = 0
  for (let i = 0; i < shared; i++) {
    const word = (a[i] as number) & (b[i] as number)
    if (word !== 0) count += popcount(word)
  }
  return count
}

/** Visits the numbers in ascending order. */
export function forEachBit(bits: Bitset, visit: (number: number) => void): void {
  for (let i = 0; i < bits.length; i++) {
    for (let rest = (bits[i] as number) | 0; rest !== 0; rest &= rest - 1) visit(i * 32 + 31 - Math.clz32(rest & -rest))
  }
}

/** The numbers in ascending order. */
export function listBits(bits: Bitset, count = countBits(bits)): Uint32Array {
  const numbers = new Uint32Array(count)
  let found = 0
  for (let i = 0; found < count; i++) {
    for (let rest = (bits[i] as number) | 0; rest !== 0; rest &= rest - 1)
      numbers[found++] = i * 32 + 31 - Math.clz32(rest & -rest)
  }
  return numbers
}
