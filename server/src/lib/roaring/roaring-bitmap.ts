import { Container, intersect, intersectionSize, share, subtract, unite } from './container.ts'
import { decodePortable, encodePortable } from './portable-format.ts'

/**
 * A roaring bitmap: a set of unsigned 32-bit numbers, in containers by their upper 16 bits. Bitmaps that come out of an
 * operation share containers with those that went in; a shared one is copied before it is altered.
 */
export class RoaringBitmap32 implements Iterable<number> {
  /** The upper 16 bits of each container's values, ascending. */
  private keys: number[] = []
  private containers: Container[] = []
  private count = 0
  private isFrozen = false
  /** The position of the container that was last used: values often come in order. */
  private last = 0

  constructor(values?: Iterable<number> | Uint32Array | readonly number[]) {
    if (values !== undefined) this.addMany(values)
  }

  /** The numbers that are in both bitmaps. */
  static and(a: RoaringBitmap32, b: RoaringBitmap32): RoaringBitmap32 {
    return RoaringBitmap32.andMany([a, b])
  }

  /** The numbers that are in all of the bitmaps, of which there are at least two. */
  static andMany(bitmaps: readonly RoaringBitmap32[]): RoaringBitmap32 {
    const result = new RoaringBitmap32()
    const [first, ...others] = bitmaps as [RoaringBitmap32, ...RoaringBitmap32[]]
    for (let i = 0; i < first.keys.length; i++) {
      const key = first.keys[i] as number
      const containers = [first.containers[i] as Container]
      for (const other of others) {
        const container = other.find(key)
        if (container === undefined) break
        containers.push(container)
      }
      if (containers.length === bitmaps.length) result.append(key, intersect(containers))
    }
    return result
  }

  /** The numbers of the first bitmap that are not in the second. */
  static andNot(a: RoaringBitmap32, b: RoaringBitmap32): RoaringBitmap32 {
    const result = new RoaringBitmap32()
    let j = 0
    for (let i = 0; i < a.keys.length; i++) {
      const key = a.keys[i] as number
      const container = a.containers[i] as Container
      while (j < b.keys.length && (b.keys[j] as number) < key) j++
      const removed = b.keys[j] === key ? b.containers[j] : undefined
      result.append(key, removed === undefined ? share(container) : subtract(container, removed))
    }
    return result
  }

  /** The numbers that are in any of the bitmaps. */
  static orMany(bitmaps: readonly RoaringBitmap32[]): RoaringBitmap32 {
    const byKey = new Map<number, Container[]>()
    for (const { keys, containers } of bitmaps) {
      for (let i = 0; i < keys.length; i++) {
        const group = byKey.get(keys[i] as number)
        if (group === undefined) byKey.set(keys[i] as number, [containers[i] as Container])
        else group.push(containers[i] as Container)
      }
    }
    const result = new RoaringBitmap32()
    for (const key of [...byKey.keys()].sort((a, b) => a - b)) result.append(key, unite(byKey.get(key) as Container[]))
    return result
  }

  /** Decodes a bitmap in the portable format of roaring. */
  static deserialize(bytes: Uint8Array): RoaringBitmap32 {
    const result = new RoaringBitmap32()
    for (const [key, container] of decodePortable(bytes)) result.append(key, container)
    return result
  }

  get size(): number {
    return this.count
  }

  has(value: number): boolean {
    return this.find(value >>> 16)?.has(value & 0xffff) ?? false
  }

  add(value: number): this {
    this.assertAlterable()
    if (this.alterable(value >>> 16).add(value & 0xffff)) this.count++
    return this
  }

  addMany(values: Iterable<number> | Uint32Array): this {
    if (!(values instanceof Uint32Array)) {
      for (const value of values) this.add(value)
      return this
    }
    for (let i = 0; i < values.length; i++) this.add(values[i] as number)
    return this
  }

  /** Removes a number. Returns whether it was there. */
  delete(value: number): boolean {
    this.assertAlterable()
    if (!this.has(value)) return false
    const container = this.alterable(value >>> 16)
    container.delete(value & 0xffff)
    this.count--
    if (container.size === 0) {
      this.keys.splice(this.last, 1)
      this.containers.splice(this.last, 1)
      this.last = 0
    }
    return true
  }

  /** How many numbers are in both bitmaps. */
  andCardinality(other: RoaringBitmap32): number {
    let count = 0
    for (let i = 0; i < this.keys.length; i++) {
      const container = other.find(this.keys[i] as number)
      if (container !== undefined) count += intersectionSize(this.containers[i] as Container, container)
    }
    return count
  }

  /** Keeps only the numbers that are in the other bitmap, too. */
  andInPlace(other: RoaringBitmap32): this {
    this.assertAlterable()
    const { keys, containers, count } = RoaringBitmap32.and(this, other)
    Object.assign(this, { keys, containers, count, last: 0 })
    return this
  }

  /** The highest number; 0 if there is none. */
  maximum(): number {
    const container = this.containers.at(-1)
    return container === undefined ? 0 : (this.keys.at(-1) as number) * 65536 + container.maximum()
  }

  /** Makes every later attempt to alter the bitmap throw. */
  freeze(): this {
    this.isFrozen = true
    return this
  }

  toUint32Array(): Uint32Array {
    return this.writeTo(new Uint32Array(this.count))
  }

  toArray(): number[] {
    return this.writeTo(new Array<number>(this.count))
  }

  /** A flat bitset up to the highest number. */
  toBitset(): Uint32Array {
    const words = new Uint32Array(this.count === 0 ? 0 : (this.maximum() >>> 5) + 1)
    for (let i = 0; i < this.keys.length; i++) {
      const offset = (this.keys[i] as number) * 2048
      const container = this.containers[i] as Container
      if (container.words === undefined) container.setBits(words, offset)
      else words.set(container.words.subarray(0, words.length - offset), offset)
    }
    return words
  }

  *[Symbol.iterator](): Iterator<number> {
    for (let i = 0; i < this.keys.length; i++) {
      const container = this.containers[i] as Container
      const values = new Uint32Array(container.size)
      container.writeTo(values, 0, (this.keys[i] as number) * 65536)
      yield* values
    }
  }

  /** The bitmap in the portable format of roaring, after some reserved bytes for the caller to write. */
  serialize(reservedBytes = 0): Buffer {
    return encodePortable(this.keys, this.containers, reservedBytes)
  }

  /** The memory that the bitmap takes, about. */
  get bytes(): number {
    let bytes = 200
    for (const container of this.containers) bytes += container.bytes
    return bytes
  }

  private writeTo<T extends Uint32Array | number[]>(target: T): T {
    let start = 0
    for (let i = 0; i < this.keys.length; i++) {
      const container = this.containers[i] as Container
      container.writeTo(target, start, (this.keys[i] as number) * 65536)
      start += container.size
    }
    return target
  }

  /** Adds a container, if there is one, after all others. */
  private append(key: number, container: Container | undefined): void {
    if (container === undefined) return
    this.keys.push(key)
    this.containers.push(container)
    this.count += container.size
  }

  private find(key: number): Container | undefined {
    // Document numbers are dense, so that most containers stand at the position of their key.
    if (this.keys[key] === key) return this.containers[key]
    const index = this.position(key)
    return this.keys[index] === key ? this.containers[index] : undefined
  }

  /** The container of a key, ready to be altered: made if there is none, copied if it is shared. */
  private alterable(key: number): Container {
    if (this.keys[this.last] !== key) this.last = this.position(key)
    const index = this.last
    if (this.keys[index] !== key) {
      this.keys.splice(index, 0, key)
      this.containers.splice(index, 0, Container.ofArray(new Uint16Array(0)))
    }
    const container = this.containers[index] as Container
    if (!container.isShared) return container
    const copy = container.copy()
    this.containers[index] = copy
    return copy
  }

  /** The position of the first key that is not below the given one. */
  private position(key: number): number {
    let low = 0
    let high = this.keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.keys[middle] as number) < key) low = middle + 1
      else high = middle
    }
    return low
  }

  private assertAlterable(): void {
    if (this.isFrozen) throw new TypeError('This bitmap is frozen')
  }
}
