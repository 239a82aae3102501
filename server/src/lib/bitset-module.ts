import { WasmModule } from './wasm-module.ts'

/** What `server/bitset` exports. Addresses and sizes are in bytes. */
interface BitsetExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  allocate(size: number): number
  intersect(bits: number, other: number, size: number): void
  unite(bits: number, other: number, size: number): void
  subtract(bits: number, other: number, size: number): void
  count(bits: number, size: number): number
  countCommon(a: number, b: number, size: number): number
  list(bits: number, size: number, added: number, to: number): number
  retainMarkedShort(rows: number, count: number, numbers: number, step: number, table: number): void
  retainMarkedLong(rows: number, count: number, numbers: number, step: number, table: number): void
  retainBetweenShort(rows: number, count: number, numbers: number, from: number, to: number): void
  retainBetweenLong(rows: number, count: number, numbers: number, from: number, to: number): void
}

export const WORD_BYTES = 4

/** So many words are combined at once; sets that are not in the memory of the module are copied there, so many words at a time. */
export const PART_WORDS = 16_384

/** So many words are listed at once. */
export const LISTED_WORDS = 2_048

/** The module with what its memory holds. */
class BitsetModule {
  readonly exports = new WasmModule<BitsetExports>('bitset.wasm').instantiate()
  readonly buffer = this.exports.memory.buffer
  /** What parts of sets are copied to. */
  readonly first = this.allocate(PART_WORDS)
  readonly second = this.allocate(PART_WORDS)
  /** What numbers are listed in. */
  readonly numbers = this.allocate(LISTED_WORDS * 32)

  /** An array in the memory of the module, where it is combined without a copy; elsewhere if there is no room. It is never freed. */
  allocate(words: number): Uint32Array {
    const address = this.exports.allocate(words * WORD_BYTES)
    return address === 0 ? new Uint32Array(words) : new Uint32Array(this.buffer, address, words)
  }

  /** The address of a part of a set, which is copied if it is not in the memory of the module. */
  addressOf(bits: Uint32Array, start: number, end: number, copy: Uint32Array): number {
    if (bits.buffer === this.buffer) return bits.byteOffset + start * WORD_BYTES
    copy.set(start === 0 && end === bits.length ? bits : bits.subarray(start, end))
    return copy.byteOffset
  }
}

let loaded: BitsetModule | undefined

/** The module. It is loaded when it is first needed. */
export function bitsetModule(): BitsetModule {
  loaded ??= new BitsetModule()
  return loaded
}
