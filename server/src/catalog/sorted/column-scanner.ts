import { kernelModule } from '../../lib/bitset/kernel-module.ts'
import { decodeStored } from '../storage/environment.ts'
import type { BlockInfo } from './block-table.ts'
import type { ColumnStore, SortKey } from './column-store.ts'

/** A value: a number, or the bytes of a text. */
type StoredValue = number | Buffer

/** The entries of a block, in ascending order. */
export interface ScannedBlock {
  readonly docs: Uint32Array
  readonly ids: Float64Array
  /** For each entry a one if its value differs from that of the entry before, which may be in another block. */
  readonly starts: Uint8Array
}

/** What blocks are read into. It is allocated with the first one. */
let shared: ScannedBlock | undefined

function scannedArrays(): ScannedBlock {
  if (shared === undefined) {
    const count = kernelModule().exports.MAX_COLUMN_ENTRIES.value
    const allocate = (bytes: number) => kernelModule().allocateBytes(bytes * count)
    const [docs, ids] = [allocate(4), allocate(8)]
    shared = {
      docs: new Uint32Array(docs.buffer, docs.byteOffset, count),
      ids: new Float64Array(ids.buffer, ids.byteOffset, count),
      starts: allocate(1),
    }
  }
  return shared
}

/**
 * Scans a whole column in ascending order, block by block. Blocks are decoded and merged with their delta blocks in WebAssembly, into the
 * same arrays: as objects, a million entries take several times as long.
 */
export class ColumnScanner {
  private readonly columns: ColumnStore
  private readonly column: string
  private readonly blocks: readonly BlockInfo<SortKey>[]
  private index = 0
  private lastValue: StoredValue | undefined

  constructor(columns: ColumnStore, column: string, version: number) {
    this.columns = columns
    this.column = column
    this.blocks = columns.directory(column, version).blocks
  }

  /** The next block; undefined behind the last one. Valid until any scan reads one. */
  next(): ScannedBlock | undefined {
    const info = this.blocks[this.index]
    if (info === undefined) return undefined
    const block = decodeStored(
      'columns',
      () => `block ${info.number} of ${this.column}`,
      () => this.read(info),
    )
    this.index++
    return block
  }

  private read({ number, delta }: BlockInfo<SortKey>): ScannedBlock {
    const { columns } = this
    const module = kernelModule()
    const { exports } = module
    const { docs, ids, starts } = scannedArrays()
    const block = module.copy(columns.storedBytes(number), 'block')
    const deltaBlock = delta === undefined ? 0 : module.copy(columns.storedBytes(delta.number), 'delta block')
    const count = exports.readColumnBlock(block, deltaBlock, docs.byteOffset, ids.byteOffset, starts.byteOffset)
    if (count > 0) {
      starts[0] = isSameValue(this.lastValue, readValue(exports.firstColumnValue())) ? 0 : 1
      this.lastValue = copyValue(readValue(exports.lastColumnValue()))
    }
    return { docs: docs.subarray(0, count), ids: ids.subarray(0, count), starts: starts.subarray(0, count) }
  }
}

/** A value in the memory of the module; a text is valid until the next block is read. */
function readValue(address: number): StoredValue {
  const { exports, buffer } = kernelModule()
  const view = new DataView(buffer)
  if (!exports.hasTexts()) return view.getFloat64(address, true)
  return Buffer.from(buffer, view.getUint32(address, true), view.getUint32(address + 4, true))
}

function copyValue(value: StoredValue): StoredValue {
  return typeof value === 'number' ? value : Buffer.from(value)
}

function isSameValue(a: StoredValue | undefined, b: StoredValue): boolean {
  return typeof b === 'number' ? a === b : a instanceof Buffer && a.equals(b)
}
