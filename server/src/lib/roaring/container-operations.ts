import { BITSET_WORDS, Container, lowerBound, MAX_ARRAY_SIZE } from './container.ts'
import { popcountWords } from './popcount.ts'

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
