import { allocate, SLACK } from './memory'

const INITIAL_BYTES: usize = 64 * 1024

/** Where the output starts. It moves when it has to grow, so what is kept of it are offsets from here. */
let start: usize = allocate(INITIAL_BYTES)

/** Where the next byte is written. */
let end: usize = start

/** What is written must end before it. */
let limit: usize = start + INITIAL_BYTES - SLACK

export function outputStart(): usize {
  return start
}

export function outputEnd(): usize {
  return end
}

/** The number of bytes that were written. */
export function outputSize(): usize {
  return end - start
}

/** Drops what is behind a number of bytes. */
export function truncateOutput(size: usize): void {
  end = start + size
}

/** Adds bytes that the caller writes; returns where. */
export function extendOutput(size: usize): usize {
  const to = reserve(size)
  end += size
  return to
}

/**
 * Makes room for bytes and returns where they go. Whoever writes them keeps the place in a local variable, which is twice as fast as a
 * global one, and ends with `setEnd`.
 */
export function reserve(size: usize): usize {
  if (end + size > limit) grow(size)
  return end
}

/** Ends what was written to reserved room. */
export function setEnd(to: usize): void {
  end = to
}

/** Writes a byte. */
export function putByte(byte: u8): void {
  store<u8>(reserve(1), byte)
  end++
}

function grow(size: usize): void {
  const used = outputSize()
  const capacity = max<usize>(2 * (limit - start), used + size) + SLACK
  const larger = allocate(capacity)
  memory.copy(larger, start, used)
  start = larger
  end = larger + used
  limit = larger + capacity - SLACK
}
