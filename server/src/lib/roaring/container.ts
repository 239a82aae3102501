import { popcountWords } from '../bitset/bitset.ts'

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
function lowerBound(values: Uint16Array, low: number, high: number, value: number): number {
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

/** From this ratio of sizes on, the values of the smaller array are searched for in the larger one. */
const GALLOP_RATIO = 32

/*
 * Results are computed here and copied in their final size and form: what is allocated for a result that turns out smaller
 * costs more in garbage collection than the copy.
 */
const words = new Uint32Array(BITSET_WORDS)
const kept = new Uint16Array(MAX_ARRAY_SIZE)

/** The values that are in all of the containers, of which there are at least two; undefined if there are none. */
export function intersect(containers: readonly Container[]): Container | undefined {
  const arrays = containers.filter(({ words }) => words === undefined)
  const bitsets = containers.flatMap(({ words }) => words ?? [])
  if (arrays.length === 0) return intersectBitsets(bitsets)
  // The smallest array first: each step costs by the size of what is left.
  arrays.sort((a, b) => a.size - b.size)
  let result: Container | undefined = arrays[0]
  for (let i = 1; i < arrays.length && result !== undefined; i++)
    result = intersectArrays(result, arrays[i] as Container)
  for (let i = 0; i < bitsets.length && result !== undefined; i++)
    result = filterArray(result, bitsets[i] as Uint32Array, 1)
  return result
}

/** The number of values that are in both containers. */
export function intersectionSize(a: Container, b: Container): number {
  if (a.words !== undefined && b.words !== undefined) {
    for (let i = 0; i < BITSET_WORDS; i++) words[i] = (a.words[i] as number) & (b.words[i] as number)
    return popcountWords(words)
  }
  if (a.words !== undefined) return keepFiltered(b, a.words, 1)
  if (b.words !== undefined) return keepFiltered(a, b.words, 1)
  return a.size <= b.size ? keepCommon(a, b) : keepCommon(b, a)
}

/** The values of the first container that are not in the second; undefined if there are none. */
export function subtract(a: Container, b: Container): Container | undefined {
  if (a === b) return undefined
  if (a.words === undefined) return b.words === undefined ? subtractArrays(a, b) : filterArray(a, b.words, 0)
  words.set(a.words)
  if (b.words === undefined) {
    for (let i = 0; i < b.size; i++) {
      const value = b.values[i] as number
      words[value >>> 5] = (words[value >>> 5] as number) & ~(1 << (value & 31))
    }
  } else {
    for (let i = 0; i < BITSET_WORDS; i++) words[i] = (words[i] as number) & ~(b.words[i] as number)
  }
  return Container.copyWords(words)
}

/** The values that are in any of the containers, of which there is at least one. */
export function unite(containers: readonly Container[]): Container {
  const [first, second] = containers as [Container, Container | undefined]
  if (second === undefined) return share(first)
  if (containers.length === 2 && first.size + second.size <= MAX_ARRAY_SIZE) return mergeArrays(first, second)
  const full = containers.find(({ size }) => size === 65536)
  if (full !== undefined) return share(full)
  words.fill(0)
  for (const container of containers) container.setBits(words, 0)
  return Container.copyWords(words) as Container
}

/** Marks a container as held by a further bitmap. */
export function share(container: Container): Container {
  container.isShared = true
  return container
}

function intersectBitsets(bitsets: readonly Uint32Array[]): Container | undefined {
  const [first, second, ...rest] = bitsets as [Uint32Array, Uint32Array, ...Uint32Array[]]
  for (let i = 0; i < BITSET_WORDS; i++) words[i] = (first[i] as number) & (second[i] as number)
  for (const other of rest) {
    for (let i = 0; i < BITSET_WORDS; i++) words[i] = (words[i] as number) & (other[i] as number)
  }
  return Container.copyWords(words)
}

/** The values of an array whose bit in a bitset is as wanted. */
function filterArray(array: Container, bitset: Uint32Array, wanted: 0 | 1): Container | undefined {
  return keptValues(keepFiltered(array, bitset, wanted))
}

/** Keeps the values of an array whose bit in a bitset is as wanted, and returns their number. */
function keepFiltered({ values, size }: Container, bitset: Uint32Array, wanted: 0 | 1): number {
  let count = 0
  for (let i = 0; i < size; i++) {
    const value = values[i] as number
    // Written in any case and overwritten by the next one, since a branch would be mispredicted half of the time.
    kept[count] = value
    count += (((bitset[value >>> 5] as number) >>> (value & 31)) & 1) === wanted ? 1 : 0
  }
  return count
}

function intersectArrays(small: Container, large: Container): Container | undefined {
  return keptValues(keepCommon(small, large))
}

/** Keeps the values that two arrays have in common, and returns their number. */
function keepCommon(small: Container, large: Container): number {
  const a = small.values
  const b = large.values
  let count = 0
  if (large.size >= GALLOP_RATIO * small.size) {
    let from = 0
    for (let i = 0; i < small.size && from < large.size; i++) {
      const value = a[i] as number
      from = lowerBound(b, from, large.size, value)
      if (from < large.size && b[from] === value) kept[count++] = value
    }
    return count
  }
  let i = 0
  let j = 0
  while (i < small.size && j < large.size) {
    const left = a[i] as number
    const right = b[j] as number
    if (left === right) kept[count++] = left
    if (left <= right) i++
    if (right <= left) j++
  }
  return count
}

function subtractArrays(from: Container, removed: Container): Container | undefined {
  let count = 0
  let j = 0
  for (let i = 0; i < from.size; i++) {
    const value = from.values[i] as number
    while (j < removed.size && (removed.values[j] as number) < value) j++
    if (j === removed.size || removed.values[j] !== value) kept[count++] = value
  }
  return keptValues(count)
}

function mergeArrays(a: Container, b: Container): Container {
  let count = 0
  let i = 0
  let j = 0
  while (i < a.size && j < b.size) {
    const left = a.values[i] as number
    const right = b.values[j] as number
    kept[count++] = Math.min(left, right)
    if (left <= right) i++
    if (right <= left) j++
  }
  while (i < a.size) kept[count++] = a.values[i++] as number
  while (j < b.size) kept[count++] = b.values[j++] as number
  return keptValues(count) as Container
}

/** An array container of the first values that were kept. */
function keptValues(count: number): Container | undefined {
  return count === 0 ? undefined : Container.ofArray(kept.slice(0, count))
}
