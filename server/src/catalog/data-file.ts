import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/* The first two pages of an LMDB file each hold a header; the one with the higher transaction number counts. */
const MAGIC = 0xbeefc0de
const HEADER = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152, end: 160 }

/**
 * Whether a data file begins as one, and has all the pages that its header counts. Reading a file that was cut off ends
 * the process that maps it into memory, so this is looked at before it is opened.
 */
export function isWholeDataFile(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const first = headerAt(file, 0)
    if (first === undefined) return false
    const second = headerAt(file, first.pageSize)
    if (second === undefined) return false
    const { lastPage, pageSize } = second.transaction > first.transaction ? second : first
    return (lastPage + 1n) * BigInt(pageSize) <= BigInt(fstatSync(file).size)
  } finally {
    closeSync(file)
  }
}

function headerAt(file: number, at: number) {
  const bytes = Buffer.alloc(HEADER.end)
  if (readSync(file, bytes, 0, HEADER.end, at) < HEADER.end || bytes.readUInt32LE(HEADER.magic) !== MAGIC)
    return undefined
  return {
    pageSize: bytes.readUInt32LE(HEADER.pageSize),
    lastPage: bytes.readBigUInt64LE(HEADER.lastPage),
    transaction: bytes.readBigUInt64LE(HEADER.transaction),
  }
}
