import { WasmModule } from '../wasm-module.ts'

/** What `server/kernels` exports. Addresses and sizes are in bytes. */
interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  allocate(size: number, left: number): number
  intersect(bits: number, other: number, size: number): void
  unite(bits: number, other: number, size: number): void
  subtract(bits: number, other: number, size: number): void
  count(bits: number, size: number): number
  countCommon(a: number, b: number, size: number): number
  list(bits: number, size: number, added: number, to: number): number
  retainMarkedU16(rows: number, count: number, numbers: number, step: number, table: number): void
  retainMarkedU32(rows: number, count: number, numbers: number, step: number, table: number): void
  retainBetweenU32(rows: number, count: number, numbers: number, from: number, to: number): void
  retainBetweenF64(rows: number, count: number, numbers: number, from: number, to: number): void
  readColumnBlock(block: number, delta: number, docs: number, ids: number, starts: number): number
  readonly MAX_COLUMN_ENTRIES: { readonly value: number }
  hasTexts(): number
  firstColumnValue(): number
  lastColumnValue(): number
}

export const WORD_BYTES = 4

/** So many words are combined at once; sets that are not in the memory of the module are copied there, so many words at a time. */
export const PART_WORDS = 16_384

/** So many words are listed at once. */
export const LISTED_WORDS = 2_048

/** What sets leave of the memory of the module, for what must be there. */
const RESERVED_BYTES = 4 * 1024 * 1024

/** The module with what its memory holds. */
class KernelModule {
  readonly exports = new WasmModule<KernelExports>('kernels.wasm').instantiate()
  readonly buffer = this.exports.memory.buffer
  /** What parts of sets are copied to. */
  readonly first = this.allocate(PART_WORDS)
  readonly second = this.allocate(PART_WORDS)
  /** What numbers are listed in. */
  readonly numbers = this.allocate(LISTED_WORDS * 32)
  /** What was copied, by purpose. */
  private readonly copies = new Map<string, Uint8Array>()

  /** An array in the memory of the module, where it is combined without a copy; elsewhere if there is no room. It is never freed. */
  allocate(words: number): Uint32Array {
    const address = this.exports.allocate(words * WORD_BYTES, RESERVED_BYTES)
    return address === 0 ? new Uint32Array(words) : new Uint32Array(this.buffer, address, words)
  }

  /** The same of bytes that must be in the memory of the module. */
  allocateBytes(length: number): Uint8Array {
    const address = this.exports.allocate(length, 0)
    if (address === 0) throw new RangeError(`no room for ${length} bytes in the memory of the module`)
    return new Uint8Array(this.buffer, address, length)
  }

  /** Copies bytes into the memory of the module, over the last ones of the same purpose. Returns their address. */
  copy(bytes: Uint8Array, purpose: string): number {
    let copy = this.copies.get(purpose)
    if (copy === undefined || copy.length < bytes.length) {
      copy = this.allocateBytes(2 * bytes.length)
      this.copies.set(purpose, copy)
    }
    copy.set(bytes)
    return copy.byteOffset
  }

  /** The address of a part of a set, which is copied if it is not in the memory of the module. */
  addressOf(bits: Uint32Array, start: number, end: number, copy: Uint32Array): number {
    if (bits.buffer === this.buffer) return bits.byteOffset + start * WORD_BYTES
    copy.set(start === 0 && end === bits.length ? bits : bits.subarray(start, end))
    return copy.byteOffset
  }
}

let loaded: KernelModule | undefined

/** The module. It is loaded when it is first needed. */
export function kernelModule(): KernelModule {
  loaded ??= new KernelModule()
  return loaded
}
