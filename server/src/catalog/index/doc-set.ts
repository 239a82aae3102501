import roaring from 'roaring'
import { ByteReader, ByteWriter } from '../storage/byte-stream.ts'

/** The library is CommonJS and hides its exports from ES modules: this is where the rest takes its sets from. */
export const { RoaringBitmap32 } = roaring

/** A set of document numbers. */
export type DocSet = InstanceType<typeof RoaringBitmap32>

export const EMPTY_SET: DocSet = new RoaringBitmap32()
EMPTY_SET.freeze()

/** Sets up to this size are stored as a plain list, which is smaller than the bitmap's own frame. */
export const MAX_LIST_SIZE = 8

/*
 * A set on disk: a byte that tells its form, the catalog version at which it last changed, then
 *   list    the numbers in order, each as what it adds to the one before (varint)
 *   bitmap  in roaring's own portable form
 */
const LIST = 0
const BITMAP = 1
const HEADER = 5

export function encodeDocSet(set: DocSet, version: number): Buffer {
  if (set.size <= MAX_LIST_SIZE) return encodeDocList(set.toArray(), version)
  set.runOptimize()
  const size = set.getSerializationSizeInBytes('portable')
  const buffer = Buffer.allocUnsafe(HEADER + size)
  buffer[0] = BITMAP
  buffer.writeUInt32LE(version, 1)
  set.serialize('portable', buffer.subarray(HEADER))
  return buffer
}

const small = new ByteWriter(64)

/** A set of few numbers, in any order, as bytes: good until another one is encoded. */
export function encodeDocList(numbers: number[], version: number): Buffer {
  small.reset().byte(LIST)
  small.uint32(version)
  if (numbers.length > 1) numbers.sort((a, b) => a - b)
  let previous = 0
  for (const number of numbers) {
    small.varint(number - previous)
    previous = number
  }
  return small.view()
}

/** The numbers of a small set, or undefined where it is stored as a bitmap. */
export function decodeDocList(buffer: Buffer): number[] | undefined {
  if (buffer[0] !== LIST) return undefined
  const numbers: number[] = []
  const input = new ByteReader(buffer, HEADER)
  let number = 0
  while (!input.done) {
    number += input.varint()
    numbers.push(number)
  }
  return numbers
}

/** The catalog version at which an encoded set last changed. */
export function docSetVersion(buffer: Buffer): number {
  return buffer.readUInt32LE(1)
}

export function decodeDocSet(buffer: Buffer): DocSet {
  const few = decodeDocList(buffer)
  if (few !== undefined) return new RoaringBitmap32(few)
  return RoaringBitmap32.deserialize(buffer.subarray(HEADER, buffer.length), 'portable')
}

/** The documents that are in any of the sets. */
export function union(sets: readonly DocSet[]): DocSet {
  const filled = sets.filter(({ size }) => size > 0)
  if (filled.length <= 1) return filled[0] ?? EMPTY_SET
  return RoaringBitmap32.orMany(filled)
}

/** The documents that are in all of the sets. */
export function intersection(sets: readonly DocSet[]): DocSet {
  const bySize = [...sets].sort((a, b) => a.size - b.size)
  const [first, second, ...rest] = bySize
  if (first === undefined || first.size === 0) return EMPTY_SET
  if (second === undefined) return first
  const result = RoaringBitmap32.and(first, second)
  for (const set of rest) result.andInPlace(set)
  return result
}
