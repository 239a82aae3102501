import { RoaringBitmap32 } from '../../lib/roaring/roaring-bitmap.ts'
import { ByteReader, ByteWriter } from '../storage/byte-stream.ts'

export { RoaringBitmap32 }

/** A set of document numbers: a roaring bitmap. */
export type DocSet = RoaringBitmap32

export const EMPTY_SET: DocSet = new RoaringBitmap32().freeze()

/** Sets up to this size are stored as a list, which is smaller than the header of a bitmap. */
export const MAX_LIST_SIZE = 8

/*
 * A set on disk: a byte for its type, the catalog version at which it last changed (uint32), then
 *   list    the numbers in order, each as the difference to the one before (varint)
 *   bitmap  in the portable format of roaring
 */
const LIST = 0
const BITMAP = 1
const HEADER_BYTES = 5

export function encodeDocSet(set: DocSet, version: number): Buffer {
  if (set.size <= MAX_LIST_SIZE) return encodeDocList(set.toArray(), version)
  const buffer = set.serialize(HEADER_BYTES)
  buffer[0] = BITMAP
  buffer.writeUInt32LE(version, 1)
  return buffer
}

const listWriter = new ByteWriter(64)

/** Encodes few numbers, given in any order, as a list. Valid until the next one is encoded. */
export function encodeDocList(numbers: number[], version: number): Buffer {
  listWriter.reset().byte(LIST)
  listWriter.uint32(version)
  if (numbers.length > 1) numbers.sort((a, b) => a - b)
  let previous = 0
  for (const number of numbers) {
    listWriter.varint(number - previous)
    previous = number
  }
  return listWriter.view()
}

/** The numbers of a set that is stored as a list; undefined where it is stored as a bitmap. */
export function decodeDocList(buffer: Buffer): number[] | undefined {
  if (buffer[0] !== LIST) return undefined
  const numbers: number[] = []
  const input = new ByteReader(buffer, HEADER_BYTES)
  let number = 0
  while (!input.done) {
    number += input.varint()
    numbers.push(number)
  }
  return numbers
}

export function decodeDocSet(buffer: Buffer): DocSet {
  const list = decodeDocList(buffer)
  if (list !== undefined) return new RoaringBitmap32(list)
  return RoaringBitmap32.deserialize(buffer.subarray(HEADER_BYTES, buffer.length))
}

/** The catalog version at which an encoded set last changed. */
export function docSetVersion(buffer: Buffer): number {
  return buffer.readUInt32LE(1)
}

/** The memory that a set takes, about. */
export function docSetBytes(set: DocSet): number {
  return set.bytes
}

/** The documents that are in any of the sets. */
export function union(sets: readonly DocSet[]): DocSet {
  const filled = sets.filter(({ size }) => size > 0)
  if (filled.length <= 1) return filled[0] ?? EMPTY_SET
  return RoaringBitmap32.orMany(filled)
}

/** The documents that are in all of the sets. */
export function intersection(sets: readonly DocSet[]): DocSet {
  const [first, second] = sets
  if (first === undefined || sets.some(({ size }) => size === 0)) return EMPTY_SET
  if (second === undefined) return first
  return RoaringBitmap32.andMany(sets)
}
