import { popcountWords } from './popcount.ts'

/** The words of a bitset container: 65,536 bits. */
export const BITSET_WORDS = 2048

/** Up to this many values an array is no larger than a bitset. */
export const MAX_ARRAY_SIZE = 4096

const NO_VALUES = new Uint16Array(0)

/**
 * The values of a roaring bitmap that share their upper 16 bits: their lower 16 bits, as a sorted array or as a bitset.
 * One class for both, so that what reads containers sees one shape. Never empty within a bitmap.
 */
export class Container {
  size: number
  /** The bitset; undefined for an array. */
  words: Uint32Array | undefined
  /** The sorted array, which may be longer than `size`; empty for a bitset. */
  values: Uint16Array
  /** Whether several bitmaps hold the container. Then it is copied before it is altered. */
  isShared = false

  private constructor(size: number, words: Uint32Array | undefined, values: Uint16Array) {
    this.size = size
    this.words = words
    this.values = values
  }

  /** A container of sorted, distinct values. */
  static ofArray(values: Uint16Array, size = values.length): Container {
    return new Container(size, undefined, values)
  }

  /** A container of the bits that are set, which are copied; undefined if there are none. */
  static copyWords(words: Uint32Array): Container | undefined {
    const size = popcountWords(words)
    if (size === 0) return undefined
    if (size > MAX_ARRAY_SIZE) return Container.ofBitset(words.slice(), size)
    return Container.ofArray(listBits(words, new Uint16Array(size), 0))
  }

  /** A bitset of which the size is known. */
  static ofBitset(words: Uint32Array, size: number): Container {
    return new Container(size, words, NO_VALUES)
  }

  has(value: number): boolean {
    if (this.words !== undefined) return ((this.words[value >>> 5] as number) & (1 << (value & 31))) !== 0
    const { values, size } = this
    const index = lowerBound(values, 0, size, value)
    return index < size && values[index] === value
  }

  /** Adds a value. Returns whether it is new. */
  add(value: number): boolean {
    if (this.words === undefined) {
      const { values, size } = this
      const index = size > 0 && (values[size - 1] as number) < value ? size : lowerBound(values, 0, size, value)
      if (index < size && values[index] === value) return false
      if (size < MAX_ARRAY_SIZE) {
        this.insert(index, value)
        return true
      }
      this.words = this.toWords()
      this.values = NO_VALUES
    }
    const word = this.words[value >>> 5] as number
    const bit = 1 << (value & 31)
    if ((word & bit) !== 0) return false
    this.words[value >>> 5] = word | bit
    this.size++
    return true
  }

  private insert(index: number, value: number): void {
    if (this.size === this.values.length) {
      const larger = new Uint16Array(Math.min(MAX_ARRAY_SIZE, Math.max(4, this.size * 2)))
      larger.set(this.values)
      this.values = larger
    }
    if (index < this.size) this.values.copyWithin(index + 1, index, this.size)
    this.values[index] = value
    this.size++
  }

  /** Removes a value. Returns whether it was there. */
  delete(value: number): boolean {
    if (!this.has(value)) return false
    this.size--
    if (this.words === undefined) {
      const index = lowerBound(this.values, 0, this.size + 1, value)
      this.values.copyWithin(index, index + 1, this.size + 1)
      return true
    }
    this.words[value >>> 5] = (this.words[value >>> 5] as number) & ~(1 << (value & 31))
    if (this.size <= MAX_ARRAY_SIZE) {
      this.values = listBits(this.words, new Uint16Array(this.size), 0)
      this.words = undefined
    }
    return true
  }

  /** The values as a new bitset. */
  toWords(): Uint32Array {
    if (this.words !== undefined) return this.words.slice()
    const words = new Uint32Array(BITSET_WORDS)
    this.setBits(words, 0)
    return words
  }

  /** Sets the bits of all values in a bitset whose word at `offset` is the container's first. */
  setBits(target: Uint32Array, offset: number): void {
    const { words, values, size } = this
    if (words !== undefined) {
      for (let i = 0; i < BITSET_WORDS; i++) {
        const word = words[i] as number
        if (word !== 0) target[offset + i] = (target[offset + i] as number) | word
      }
      return
    }
    for (let i = 0; i < size; i++) {
      const value = values[i] as number
      const index = offset + (value >>> 5)
      target[index] = (target[index] as number) | (1 << (value & 31))
    }
  }

  /** Writes all values in order, with `base` added to each. */
  writeTo(target: Uint32Array | Uint16Array | number[], start: number, base: number): void {
    const { words, values, size } = this
    if (words !== undefined) listBits(words, target, base, start)
    else for (let i = 0; i < size; i++) target[start + i] = base + (values[i] as number)
  }

  maximum(): number {
    const { words } = this
    if (words === undefined) return this.values[this.size - 1] as number
    let i = BITSET_WORDS - 1
    while (words[i] === 0) i--
    return i * 32 + 31 - Math.clz32(words[i] as number)
  }

  copy(): Container {
    return new Container(
      this.size,
      this.words?.slice(),
      this.words === undefined ? this.values.slice(0, this.size) : NO_VALUES,
    )
  }

  /** The memory that the container takes, about. */
  get bytes(): number {
    return 200 + (this.words ?? this.values).byteLength
  }
}

/** The first index in the sorted part `[low, high)` of an array whose value is not below the given one. */
export function lowerBound(values: Uint16Array, low: number, high: number, value: number): number {
  let from = low
  let to = high
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((values[middle] as number) < value) from = middle + 1
    else to = middle
  }
  return from
}

/** Writes the positions of the bits that are set, with `base` added to each. */
function listBits<T extends Uint32Array | Uint16Array | number[]>(
  words: Uint32Array,
  target: T,
  base: number,
  start = 0,
): T {
  let count = start
  for (let i = 0; i < words.length; i++) {
    for (let rest = words[i] as number; rest !== 0; rest &= rest - 1) {
      target[count++] = base + i * 32 + 31 - Math.clz32(rest & -rest)
    }
  }
  return target
}
