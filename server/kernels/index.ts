/*
 * The loops that read most of a catalog: in AssemblyScript, which is TypeScript that is compiled to WebAssembly. They work on the memory of
 * this module.
 */

export { count, countCommon, intersect, list, subtract, unite } from './bitsets'
export { firstColumnValue, hasTexts, lastColumnValue, MAX_COLUMN_ENTRIES, readColumnBlock } from './columns'
export { retainBetweenF64, retainBetweenU32, retainMarkedU16, retainMarkedU32 } from './rows'

/** The alignment of what is allocated: that of a vector of 128 bits. */
const ALIGNMENT: usize = 16

/** The first byte that is free; what is allocated is never freed. */
let free: usize = __heap_base

/**
 * Allocates memory for as long as the module lives; 0 if fewer than `left` bytes would be left. The memory does not grow: that would
 * move it.
 */
export function allocate(size: usize, left: usize): usize {
  const start = (free + ALIGNMENT - 1) & ~(ALIGNMENT - 1)
  if (start + size + left > (<usize>memory.size()) << 16) return 0
  free = start + size
  return start
}
