/*
 * Selects rows by the numbers of a column. Rows are a set of bits, as in `bitsets.ts`: row n is bit n % 32 of word n / 32.
 */

const WORD: usize = 4

/**
 * Removes the rows whose number is not marked by a one in a table of bytes. Rows follow each other at a step in bytes.
 *
 * @param numbers the address of the first row's number
 */
export function retainMarkedU16(rows: usize, count: u32, numbers: usize, step: usize, table: usize): void {
  retainMarked<u16>(rows, count, numbers, step, table)
}

/** The same of numbers of 32 bits. */
export function retainMarkedU32(rows: usize, count: u32, numbers: usize, step: usize, table: usize): void {
  retainMarked<u32>(rows, count, numbers, step, table)
}

function retainMarked<T>(rows: usize, count: u32, numbers: usize, step: usize, table: usize): void {
  let row: u32 = 0
  let word = rows
  for (; row + 32 <= count; row += 32, word += WORD) {
    const bits = load<u32>(word)
    if (bits === 0) continue
    let marked: u32 = 0
    let at = numbers + <usize>row * step
    for (let bit: u32 = 0; bit < 32; bit += 4) {
      const first = <u32>load<u8>(table + load<T>(at))
      const second = <u32>load<u8>(table + load<T>(at + step))
      const third = <u32>load<u8>(table + load<T>(at + 2 * step))
      const fourth = <u32>load<u8>(table + load<T>(at + 3 * step))
      marked |= (first | (second << 1) | (third << 2) | (fourth << 3)) << bit
      at += 4 * step
    }
    store<u32>(word, bits & marked)
  }
  if (row === count) return
  let marked: u32 = 0
  for (let i = row; i < count; i++) marked |= (<u32>load<u8>(table + load<T>(numbers + <usize>i * step))) << (i & 31)
  store<u32>(word, load<u32>(word) & marked)
}

/** Removes the rows with a number below `from`, and those with one that is not below `to`. */
export function retainBetweenU32(rows: usize, count: u32, numbers: usize, from: f64, to: f64): void {
  retainBetween<u32>(rows, count, numbers, from, to)
}

/** The same of floating-point numbers. */
export function retainBetweenF64(rows: usize, count: u32, numbers: usize, from: f64, to: f64): void {
  retainBetween<f64>(rows, count, numbers, from, to)
}

function retainBetween<T>(rows: usize, count: u32, numbers: usize, from: f64, to: f64): void {
  for (let row: u32 = 0; row < count; row += 32) {
    const word = rows + (row >> 3)
    const bits = load<u32>(word)
    if (bits === 0) continue
    const end = min(row + 32, count)
    let between: u32 = 0
    for (let i = row; i < end; i++) {
      const number = <f64>load<T>(numbers + i * sizeof<T>())
      between |= (u32(number >= from) & u32(number < to)) << (i & 31)
    }
    store<u32>(word, bits & between)
  }
}
