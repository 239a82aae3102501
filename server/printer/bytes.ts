import { allocate } from './memory'

/* Writing: each function writes at `to`, where there is room, and returns where the next byte goes. */

/** Copies bytes, up to 15 more than asked for: the target may follow the source, but must not start within it. */
export function put(to: usize, source: usize, size: usize): usize {
  if (size > 256) memory.copy(to, source, size)
  else for (let i: usize = 0; i < size; i += 16) v128.store(to + i, v128.load(source + i))
  return to + size
}

export function put1(to: usize, byte: u8): usize {
  store<u8>(to, byte)
  return to + 1
}

/** An integer as decimal digits: at most 20. */
export function putDecimal(to: usize, value: u64): usize {
  let digits = 1
  for (let power: u64 = 10; digits < 20 && power <= value; power *= 10) digits++
  let rest = value
  for (let at = to + digits - 1; at >= to; at--) {
    const tenth = rest / 10
    store<u8>(at, <u8>(0x30 + (rest - tenth * 10)))
    rest = tenth
  }
  return to + digits
}

/** The address of a text: its size, followed by its bytes. */
export type Text = usize

export const SIZE_BYTES: usize = 4

export function sizeOf(text: Text): usize {
  return load<u32>(text)
}

export function putText(to: usize, text: Text): usize {
  return put(to, text + SIZE_BYTES, load<u32>(text))
}

/** Encodes a constant in ASCII as a text, once, when the module starts. */
export function constant(ascii: string): Text {
  const size = ascii.length
  const address = allocate(SIZE_BYTES + size)
  store<u32>(address, size)
  for (let i = 0; i < size; i++) store<u8>(address + SIZE_BYTES + i, <u8>ascii.charCodeAt(i))
  return address
}
