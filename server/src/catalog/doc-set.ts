import roaring from 'roaring'

/** The library is CommonJS and hides its exports from ES modules: this is where the rest takes its sets from. */
export const { RoaringBitmap32 } = roaring

/** A set of document numbers. */
export type DocSet = InstanceType<typeof RoaringBitmap32>

export const EMPTY_SET: DocSet = new RoaringBitmap32()
EMPTY_SET.freeze()

/** Sets up to this size are stored as a plain list, which is smaller than the bitmap's own frame. */
const SMALL = 8
const LIST = 0
const BITMAP = 1

/** A set as bytes, behind the catalog version at which it last changed. */
export function encodeDocSet(set: DocSet, version: number): Buffer {
  if (set.size <= SMALL) {
    const numbers = set.toUint32Array()
    const buffer = Buffer.allocUnsafe(5 + numbers.length * 4)
    buffer[0] = LIST
    buffer.writeUInt32LE(version, 1)
    for (let i = 0; i < numbers.length; i++) buffer.writeUInt32LE(numbers[i] as number, 5 + i * 4)
    return buffer
  }
  set.runOptimize()
  const size = set.getSerializationSizeInBytes('portable')
  const buffer = Buffer.allocUnsafe(5 + size)
  buffer[0] = BITMAP
  buffer.writeUInt32LE(version, 1)
  set.serialize('portable', buffer.subarray(5))
  return buffer
}

/** The catalog version at which an encoded set last changed. */
export function docSetVersion(buffer: Buffer): number {
  return buffer.readUInt32LE(1)
}

export function decodeDocSet(buffer: Buffer): DocSet {
  if (buffer[0] === BITMAP) return RoaringBitmap32.deserialize(buffer.subarray(5, buffer.length), 'portable')
  const set = new RoaringBitmap32()
  for (let at = 5; at < buffer.length; at += 4) set.add(buffer.readUInt32LE(at))
  return set
}
