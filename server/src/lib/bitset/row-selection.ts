import type { Bitset } from './bitset.ts'
import { kernelModule } from './kernel-module.ts'

/** So many rows are selected at once: their numbers are copied to the memory of the module. */
const PART_ROWS = 4_096

/** Numbers of 16 or 32 bits. */
export type NumberColumn = Uint16Array | Uint32Array

/** A test of one of the numbers of rows. */
export interface RowTest {
  /** The place of the number in its row. */
  readonly offset: number
  /** For each number a one if it passes, else a zero. */
  readonly table: Uint8Array
}

/** Removes the rows that do not pass all tests from a set. Rows have `width` numbers each, one after the other. */
export function retainPassing(rows: Bitset, numbers: NumberColumn, width: number, tests: readonly RowTest[]): void {
  const { exports } = kernelModule()
  const retain = numbers instanceof Uint16Array ? exports.retainMarkedU16 : exports.retainMarkedU32
  const step = width * numbers.BYTES_PER_ELEMENT
  const tables = tests.map(({ table }, i) => copyToModule(table, `table ${i}`))
  forEachPart(rows, numbers.length / width, (address, start, end) => {
    const first = copyToModule(numbers.subarray(start * width, end * width), 'numbers')
    tests.forEach(({ offset }, i) => {
      retain(address, end - start, first + offset * numbers.BYTES_PER_ELEMENT, step, tables[i] as number)
    })
  })
}

/** Removes the rows with a number below `from` from a set, and those with one that is not below `to`. */
export function retainBetween(rows: Bitset, numbers: Uint32Array | Float64Array, from: number, to: number): void {
  const { exports } = kernelModule()
  const retain = numbers instanceof Uint32Array ? exports.retainBetweenU32 : exports.retainBetweenF64
  forEachPart(rows, numbers.length, (address, start, end) => {
    retain(address, end - start, copyToModule(numbers.subarray(start, end), 'numbers'), from, to)
  })
}

/** Calls a kernel with parts of a set of rows, each of which is in the memory of the module meanwhile. */
function forEachPart(rows: Bitset, count: number, run: (address: number, start: number, end: number) => void): void {
  const module = kernelModule()
  for (let start = 0; start < count; start += PART_ROWS) {
    const end = Math.min(start + PART_ROWS, count)
    const [firstWord, endWord] = [start / 32, Math.ceil(end / 32)]
    const address = module.addressOf(rows, firstWord, endWord, module.first)
    run(address, start, end)
    if (address === module.first.byteOffset) rows.set(module.first.subarray(0, endWord - firstWord), firstWord)
  }
}

/** Copies a column to the memory of the module, over the last one of the same purpose. Returns its address. */
function copyToModule(column: NumberColumn | Uint8Array | Float64Array, purpose: string): number {
  return kernelModule().copy(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), purpose)
}
