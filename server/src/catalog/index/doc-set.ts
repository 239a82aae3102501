import { crc32 } from '../../lib/bytes.ts'
import { RoaringBitmap32 } from '../../lib/roaring/roaring-bitmap.ts'
import { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import { DamagedCatalogError } from '../storage/environment.ts'

export { RoaringBitmap32 }

/** A set of document numbers: a roaring bitmap. */
export type DocSet = RoaringBitmap32

export const EMPTY_SET: DocSet = new RoaringBitmap32().freeze()

/** Sets up to this size are stored as a list, which is smaller than the header of a bitmap. */
export const MAX_LIST_SIZE = 8

/*
 * A set on disk: a byte for its type, the catalog version at which it last changed (uint32), then
 *   list    the numbers in order, each as the difference to the one before (varint)
 *   bitmap  in the portable format of roaring, followed by its CRC-32
 * The seven upper bits of the type of a list are the CRC-7 of its numbers: there are millions of lists of a few bytes. It finds
 * every damage of up to seven bits side by side, and all but one in 128 of any other.
 */
const LIST = 0
const BITMAP = 1
const HEADER_BYTES = 5
const CHECKSUM_BYTES = 4

/** The CRC-7 of each byte (x^7 + x^3 + 1, as in multimedia cards), shifted left by one. */
const CRC7_TABLE = Uint8Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x80) === 0 ? crc << 1 : ((crc << 1) ^ 0x12) & 0xff
  return crc
})

/** The first byte of a list: its type, and the checksum of the numbers, which end before a position. */
function listType(buffer: Uint8Array, end: number): number {
  let crc = 0
  for (let i = HEADER_BYTES; i < end; i++) crc = CRC7_TABLE[crc ^ (buffer[i] as number)] as number
  return LIST | crc
}

export function encodeDocSet(set: DocSet, version: number): Buffer {
  if (set.size <= MAX_LIST_SIZE) return encodeDocList(set.toArray(), version)
  const bitmap = set.serialize(HEADER_BYTES)
  const buffer = Buffer.allocUnsafe(bitmap.length + CHECKSUM_BYTES)
  bitmap.copy(buffer)
  buffer[0] = BITMAP
  buffer.writeUInt32LE(version, 1)
  buffer.writeUInt32LE(crc32(buffer.subarray(HEADER_BYTES, bitmap.length)), bitmap.length)
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
  const list = listWriter.view()
  list[0] = listType(list, list.length)
  return list
}

/** The numbers of a set that is stored as a list; undefined where it is stored as a bitmap. */
export function decodeDocList(buffer: Buffer): number[] | undefined {
  const type = buffer[0] as number
  if ((type & 1) !== LIST) return undefined
  if (type !== listType(buffer, buffer.length)) throw damagedSet()
  const numbers: number[] = []
  const input = new ByteReader(buffer, HEADER_BYTES)
  let number = 0
  while (!input.done) {
    number += input.varint()
    numbers.push(number)
  }
  return numbers
}

/** Throws if the set does not have its checksum. */
export function decodeDocSet(buffer: Buffer): DocSet {
  const list = decodeDocList(buffer)
  if (list !== undefined) return new RoaringBitmap32(list)
  const end = buffer.length - CHECKSUM_BYTES
  if (end < HEADER_BYTES) throw damagedSet()
  const bitmap = buffer.subarray(HEADER_BYTES, end)
  if (crc32(bitmap) !== buffer.readUInt32LE(end)) throw damagedSet()
  return RoaringBitmap32.deserialize(bitmap)
}

function damagedSet(): DamagedCatalogError {
  return new DamagedCatalogError('postings', 'a posting list does not have its checksum')
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
