import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/* The first two pages of an LMDB file each hold a header; the one with the higher transaction number counts. */
const MAGIC = 0xbeefc0de
const HEADER = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152, end: 160 }

/**
 * Whether a data file does not begin as one, or lacks more pages than a good one ever does. Reading such a file ends the
 * process that maps it into memory, without a word, so this is looked at before it is opened.
 */
export function isDamagedDataFile(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    // One that was just made has nothing in it yet.
    if (fstatSync(file).size === 0) return false
    const first = headerAt(file, 0)
    if (first === undefined) return true
    const second = headerAt(file, first.pageSize)
    if (second === undefined) return true
    const { lastPage, pageSize } = second.transaction > first.transaction ? second : first
    const pages = Number(lastPage) + 1
    return pages - fstatSync(file).size / pageSize > mostUnwritten(pages)
  } finally {
    closeSync(file)
  }
}

/** Pages that a transaction took and gave back are never written if they are the last: mostly none, at most a few. */
function mostUnwritten(pages: number): number {
  return Math.max(pages / 10, Math.min(64, pages / 2))
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
