import { spawnSync } from 'node:child_process'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/* The first two pages of an LMDB file each hold a header; the one with the higher transaction number counts. */
const MAGIC = 0xbeefc0de
const HEADER = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152, end: 160 }

/** The built file, also for who runs from the sources. */
/** A file that lacks a smaller part is taken for whole: its last pages were taken and given back, and so never written. */
const SUSPICIOUS_PART = 0.1

const READ_THROUGH = fileURLToPath(new URL('../../dist/catalog/read-through.js', import.meta.url))

/**
 * Whether a data file does not begin as one, or lacks many pages that are used. Reading such a file ends the process that
 * maps it into memory, without a word, so this is looked at before it is opened.
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
    const { size } = fstatSync(file)
    if (size >= Number(lastPage + 1n) * pageSize * (1 - SUSPICIOUS_PART)) return false
  } finally {
    closeSync(file)
  }
  // Even one that is much shorter may yet be whole.
  return spawnSync(process.execPath, [READ_THROUGH, dirname(path)], { stdio: 'ignore' }).signal !== null
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
