import { popcount } from '../bitset/bitset.ts'
import { BITSET_WORDS, Container, MAX_ARRAY_SIZE } from './container.ts'

/*
 * The portable format of roaring, which all its implementations read and write (github.com/RoaringBitmap/RoaringFormatSpec):
 *   without runs  uint32 cookie, uint32 number of containers
 *   with runs     uint16 cookie, uint16 number of containers - 1, a bit for each container: whether it is a list of runs
 *   then          for each container uint16 key, uint16 size - 1
 *                 for each container uint32 offset of its data (with runs: only from four containers on)
 *                 for each container its data: sorted uint16, or 8 KiB of bits, or the runs as uint16 start, uint16 length - 1
 * Runs exist here only: a container is decoded to an array or a bitset.
 */
const COOKIE = 12346
const COOKIE_WITH_RUNS = 12347
const MIN_CONTAINERS_WITH_OFFSETS = 4
const BITSET_BYTES = BITSET_WORDS * 4

/** Encodes containers with their keys, after `reserved` bytes. Each is written in the smallest of the three ways. */
export function encodePortable(keys: readonly number[], containers: readonly Container[], reserved: number): Buffer {
  const { runs, hasRuns, hasOffsets, bytes } = layOut(containers)
  const buffer = Buffer.allocUnsafe(reserved + bytes)
  const target = buffer.subarray(reserved)
  const view = new DataView(target.buffer, target.byteOffset, target.length)
  const count = containers.length
  let at: number
  if (hasRuns) {
    view.setUint32(0, COOKIE_WITH_RUNS | ((count - 1) << 16), true)
    target.fill(0, 4, 4 + Math.ceil(count / 8))
    for (let i = 0; i < count; i++) {
      if (runs[i] !== undefined) target[4 + (i >>> 3)] = (target[4 + (i >>> 3)] as number) | (1 << (i & 7))
    }
    at = 4 + Math.ceil(count / 8)
  } else {
    view.setUint32(0, COOKIE, true)
    view.setUint32(4, count, true)
    at = 8
  }
  for (let i = 0; i < count; i++, at += 4) {
    view.setUint16(at, keys[i] as number, true)
    view.setUint16(at + 2, (containers[i] as Container).size - 1, true)
  }
  let data = at + (hasOffsets ? 4 * count : 0)
  for (let i = 0; i < count; i++) {
    if (hasOffsets) view.setUint32(at + 4 * i, data, true)
    const container = containers[i] as Container
    const stored =
      runs[i] === undefined ? (container.words ?? container.values.subarray(0, container.size)) : listRuns(container)
    target.set(new Uint8Array(stored.buffer, stored.byteOffset, stored.byteLength), data)
    data += stored.byteLength
  }
  return buffer
}

/** Decodes containers with their keys. The bytes are copied. */
export function* decodePortable(bytes: Uint8Array): Iterable<[number, Container]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const cookie = view.getUint32(0, true)
  const hasRuns = (cookie & 0xffff) === COOKIE_WITH_RUNS
  if (!hasRuns && cookie !== COOKIE) throw new RangeError('Not a roaring bitmap in the portable format')
  const count = hasRuns ? (cookie >>> 16) + 1 : view.getUint32(4, true)
  const keysAt = hasRuns ? 4 + Math.ceil(count / 8) : 8
  const hasOffsets = !hasRuns || count >= MIN_CONTAINERS_WITH_OFFSETS
  let data = keysAt + (hasOffsets ? 8 : 4) * count
  for (let i = 0; i < count; i++) {
    const key = view.getUint16(keysAt + 4 * i, true)
    const size = view.getUint16(keysAt + 4 * i + 2, true) + 1
    if (hasRuns && ((bytes[4 + (i >>> 3)] as number) & (1 << (i & 7))) !== 0) {
      const length = 2 + 4 * view.getUint16(data, true)
      yield [key, expandRuns(copyBytes(bytes, data + 2, length - 2, Uint16Array), size)]
      data += length
    } else if (size > MAX_ARRAY_SIZE) {
      yield [key, Container.ofBitset(copyBytes(bytes, data, BITSET_BYTES, Uint32Array), size)]
      data += BITSET_BYTES
    } else {
      yield [key, Container.ofArray(copyBytes(bytes, data, 2 * size, Uint16Array))]
      data += 2 * size
    }
  }
}

interface Layout {
  /** For each container the number of its runs; undefined where it is not written as runs. */
  readonly runs: readonly (number | undefined)[]
  readonly hasRuns: boolean
  readonly hasOffsets: boolean
  readonly bytes: number
}

function layOut(containers: readonly Container[]): Layout {
  const count = containers.length
  const runs: (number | undefined)[] = []
  let hasRuns = false
  let data = 0
  for (const container of containers) {
    const plainBytes = container.words === undefined ? 2 * container.size : BITSET_BYTES
    const number = countRuns(container)
    const isSmaller = 2 + 4 * number < plainBytes
    runs.push(isSmaller ? number : undefined)
    hasRuns ||= isSmaller
    data += isSmaller ? 2 + 4 * number : plainBytes
  }
  const hasOffsets = !hasRuns || count >= MIN_CONTAINERS_WITH_OFFSETS
  const header = hasRuns ? 4 + Math.ceil(count / 8) : 8
  return { runs, hasRuns, hasOffsets, bytes: header + (hasOffsets ? 8 : 4) * count + data }
}

function countRuns({ words, values, size }: Container): number {
  let runs = 0
  if (words === undefined) {
    let previous = -2
    for (let i = 0; i < size; i++) {
      const value = values[i] as number
      if (value !== previous + 1) runs++
      previous = value
    }
    return runs
  }
  let carry = 0
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as number
    runs += popcount(word & ~((word << 1) | carry))
    carry = word >>> 31
  }
  return runs
}

/** The runs of a container as they are stored: their number, then start and length - 1 of each. */
function listRuns(container: Container): Uint16Array {
  const values = new Uint16Array(container.size)
  container.writeTo(values, 0, 0)
  const runs = [0]
  let start = 0
  for (let i = 1; i <= values.length; i++) {
    if (i < values.length && values[i] === (values[i - 1] as number) + 1) continue
    runs.push(values[start] as number, i - 1 - start)
    start = i
  }
  runs[0] = (runs.length - 1) / 2
  return Uint16Array.from(runs)
}

function expandRuns(runs: Uint16Array, size: number): Container {
  if (size <= MAX_ARRAY_SIZE) {
    const values = new Uint16Array(size)
    let count = 0
    for (let i = 0; i < runs.length; i += 2) {
      const end = (runs[i] as number) + (runs[i + 1] as number)
      for (let value = runs[i] as number; value <= end; value++) values[count++] = value
    }
    return Container.ofArray(values)
  }
  const words = new Uint32Array(BITSET_WORDS)
  for (let i = 0; i < runs.length; i += 2)
    setRun(words, runs[i] as number, (runs[i] as number) + (runs[i + 1] as number))
  return Container.ofBitset(words, size)
}

/** Sets the bits from the first to the last one. */
function setRun(words: Uint32Array, first: number, last: number): void {
  const from = first >>> 5
  const to = last >>> 5
  const firstMask = -1 << (first & 31)
  const lastMask = -1 >>> (31 - (last & 31))
  if (from === to) {
    words[from] = (words[from] as number) | (firstMask & lastMask)
    return
  }
  words[from] = (words[from] as number) | firstMask
  words.fill(0xffffffff, from + 1, to)
  words[to] = (words[to] as number) | lastMask
}

/** A part of the bytes as numbers. Copied, since numbers are aligned; little-endian, like every machine Node runs on. */
function copyBytes<T extends Uint16Array | Uint32Array>(
  bytes: Uint8Array,
  start: number,
  length: number,
  type: new (buffer: ArrayBuffer) => T,
): T {
  if (start + length > bytes.length) throw new RangeError('The bitmap ends before its last container')
  const copy = new Uint8Array(length)
  copy.set(bytes.subarray(start, start + length))
  return new type(copy.buffer)
}
