/** Where the next value of a record is read. */
export let at: usize = 0

export function moveTo(position: usize): void {
  at = position
}

export function skip(size: usize): void {
  at += size
}

export function readByte(): u32 {
  return load<u8>(at++)
}

/** Two letters: the code of a country or a language. */
export function readCode(): u32 {
  const code: u32 = load<u16>(at)
  at += 2
  return code
}

/** LEB128: seven bits a byte, lowest first. Up to 32 bits. */
export function readVarint(): u32 {
  const byte: u32 = load<u8>(at++)
  return byte < 0x80 ? byte : <u32>readLongVarint(byte)
}

/** The same, up to 64 bits. */
export function readVarint64(): u64 {
  const byte: u32 = load<u8>(at++)
  return byte < 0x80 ? byte : readLongVarint(byte)
}

function readLongVarint(first: u32): u64 {
  let value: u64 = first & 0x7f
  let byte: u32 = 0x80
  for (let shift: u64 = 7; byte >= 0x80 && shift < 64; shift += 7) {
    byte = load<u8>(at++)
    value |= (<u64>(byte & 0x7f)) << shift
  }
  return value
}

/** Passes over bytes that have their size in front. */
export function skipSized(): void {
  const size = readVarint()
  at += size
}
