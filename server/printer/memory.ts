/** Copies may touch so many bytes behind their source and their target. */
export const SLACK: usize = 16

const PAGE_BITS: usize = 16

/** The first byte that is free; what is allocated is never freed. */
let free: usize = __heap_base

/** Allocates memory for as long as the module lives. */
export function allocate(size: usize): usize {
  const start = (free + 15) & ~15
  free = start + size
  const pages = (free + SLACK + (1 << PAGE_BITS) - 1) >> PAGE_BITS
  const missing = <i32>pages - memory.size()
  // Failing here ends the call with an error; nothing was printed that anybody gets to see.
  if (missing > 0 && memory.grow(max(missing, 16)) < 0) unreachable()
  return start
}

const LINE_BYTES: usize = 64

/** What was read by `touch`, so that the compiler does not leave it out. */
export let touched: u32 = 0

/**
 * Brings memory into the processor's cache. The reads do not depend on each other, so the processor waits for all of them at once; what
 * decodes a record reads one byte after the other, and would wait many times.
 */
export function touch(start: usize, end: usize): void {
  let sum: u32 = 0
  for (let at = start; at < end; at += LINE_BYTES) sum += load<u8>(at)
  touched = sum
}
