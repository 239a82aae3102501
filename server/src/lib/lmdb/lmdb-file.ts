import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync,
} from 'node:fs'
import { arch, platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { UserError } from '../errors.ts'

/** Thrown when the data file of an LMDB environment is damaged. */
export class DamagedFileError extends UserError {
  override readonly name = 'DamagedFileError'
  /** Whether it is the file of a catalog, and not one beside it. */
  readonly isCatalog: boolean

  constructor(file: string, problem: string) {
    const isCatalog = basename(dirname(file)) === 'catalog'
    super(
      `The ${isCatalog ? 'catalog' : 'data'} in ${file} is damaged: ${problem}. Put a backup ` +
        'in its place with `marquee restore`, or move the file away and import the feeds again; docs/operating.md says how.',
    )
    this.isCatalog = isCatalog
  }
}

/** Error codes of LMDB for a file that is damaged or of another format. */
const DAMAGE_CODES: ReadonlySet<unknown> = new Set([
  -30_797, // MDB_PAGE_NOTFOUND
  -30_796, // MDB_CORRUPTED
  -30_794, // MDB_VERSION_MISMATCH
  -30_793, // MDB_INVALID
  -30_784, // MDB_INCOMPATIBLE
])

/** Whether LMDB threw an error because a page of its file is damaged. */
export function isLmdbDamage(error: unknown): boolean {
  return DAMAGE_CODES.has((error as { code?: unknown } | undefined)?.code)
}

/* The layout of a file of the LMDB that lmdb brings along. Numbers are little-endian. */
const MAGIC = 0xbeefc0de
export const PAGE_HEADER_BYTES = 24
export const PAGE = { number: 0, flags: 18, lower: 20 }
/** The first two pages are meta pages; the one with the higher transaction number is current. */
const META = { magic: 24, pageSize: 48, freeListRoot: 88, lastPage: 144, transaction: 152, end: 160 }
export const LEAF_PAGE = 0x02
export const NODE_HEADER_BYTES = 8
export const NODE = { low: 0, high: 2, flags: 4, keyBytes: 6 }
/** Flag of a node whose data is on pages of its own. */
export const BIG_DATA = 0x01
const WORD_BYTES = 8
/** The root of an empty tree. */
export const NO_PAGE = 0xffff_ffff_ffff_ffffn
/** The number of the last transaction in the lock file. */
const LOCK_TRANSACTION = 8

export interface MetaPage {
  /** Its place in the file. */
  readonly offset: number
  readonly pageSize: number
  readonly freeListRoot: bigint
  readonly lastPage: number
  readonly transaction: bigint
}

/**
 * Throws if the data file in the folder of an LMDB environment has no valid meta page, or is shorter than its current
 * meta page says. LMDB maps the file into memory, and reading a page that is missing kills the process by SIGBUS, so this
 * is checked before the file is opened. A folder without a data file passes.
 */
export function checkDataFile(folder: string): void {
  const path = join(folder, 'data.mdb')
  const file = openIfExists(path)
  if (file === undefined) return
  try {
    const problem = findProblem(file, folder)
    if (problem !== undefined) throw new DamagedFileError(path, problem)
  } finally {
    closeSync(file)
  }
}

/** Opens a file to read it; undefined if there is none. */
export function openIfExists(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function findProblem(file: number, folder: string): string | undefined {
  if (fstatSync(file).size === 0) return isBeingCreated(folder) ? undefined : 'it is empty'
  const meta = readCurrentMeta(file)
  if (meta === undefined) return 'it was overwritten or cut off within its first two pages'
  // Read after the meta page: a commit of another process makes the file longer, never shorter.
  const { size } = fstatSync(file)
  const pages = Math.floor(size / meta.pageSize)
  if (pages > meta.lastPage) return undefined
  const cut = `it has ${size} bytes instead of ${(meta.lastPage + 1) * meta.pageSize}`
  // Last pages that a transaction allocated and freed again are never written. The free list then has all of them.
  try {
    const free = readFreePages(file, meta, pages)
    for (let page = pages; page <= meta.lastPage; page++) if (!free.has(page)) return cut
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return cut
    throw error
  }
}

/** Whether an empty file is one that LMDB has just created: its lock file is there and knows of no transaction. */
function isBeingCreated(folder: string): boolean {
  const path = join(folder, 'lock.mdb')
  if (!existsSync(path)) return false
  const bytes = Buffer.alloc(WORD_BYTES)
  return readLockFile(path, bytes, LOCK_TRANSACTION) < WORD_BYTES || bytes.readBigUInt64LE(0) === 0n
}

/** The meta page of the last commit; undefined if one of the two is damaged. */
export function readCurrentMeta(file: number): MetaPage | undefined {
  const first = readMeta(file, 0)
  const second = first && readMeta(file, first.pageSize)
  if (first === undefined || second === undefined) return undefined
  return second.transaction > first.transaction ? second : first
}

function readMeta(file: number, offset: number): MetaPage | undefined {
  const bytes = Buffer.alloc(META.end)
  const size = readSync(file, bytes, 0, META.end, offset)
  if (size < META.end || bytes.readUInt32LE(META.magic) !== MAGIC) return undefined
  return {
    offset,
    pageSize: bytes.readUInt32LE(META.pageSize),
    freeListRoot: bytes.readBigUInt64LE(META.freeListRoot),
    lastPage: Number(bytes.readBigUInt64LE(META.lastPage)),
    transaction: bytes.readBigUInt64LE(META.transaction),
  }
}

/** Reads the free list, a tree of lists of pages, and returns its pages from a number on. A `RangeError` is damage. */
function readFreePages(file: number, { pageSize, freeListRoot, lastPage }: MetaPage, from: number): Set<number> {
  const free = new Set<number>()
  if (freeListRoot !== NO_PAGE) readTree(Number(freeListRoot))
  return free

  function readPages(number: number, count: number): Buffer {
    const bytes = Buffer.alloc(count * pageSize)
    if (number > lastPage || readSync(file, bytes, 0, bytes.length, number * pageSize) < bytes.length) {
      throw new RangeError(`Page ${number} is missing`)
    }
    if (bytes.readBigUInt64LE(PAGE.number) !== BigInt(number)) throw new RangeError(`Page ${number} is damaged`)
    return bytes
  }

  function readTree(number: number): void {
    const page = readPages(number, 1)
    const isLeaf = (page.readUInt16LE(PAGE.flags) & LEAF_PAGE) !== 0
    for (let i = 0; i < page.readUInt16LE(PAGE.lower) >> 1; i++) {
      const node = page.subarray(PAGE_HEADER_BYTES + page.readUInt16LE(PAGE_HEADER_BYTES + 2 * i))
      const low = node.readUInt16LE(NODE.low) + node.readUInt16LE(NODE.high) * 0x1_0000
      const flags = node.readUInt16LE(NODE.flags)
      if (isLeaf) readList(node.subarray(NODE_HEADER_BYTES + node.readUInt16LE(NODE.keyBytes)), low, flags)
      else readTree(low + flags * 0x1_0000_0000)
    }
  }

  function readList(data: Buffer, bytes: number, flags: number): void {
    if ((flags & BIG_DATA) === 0) {
      addPages(data.subarray(0, bytes))
      return
    }
    const number = Number(data.readBigUInt64LE(0))
    const count = Math.ceil((PAGE_HEADER_BYTES + bytes) / pageSize)
    addPages(readPages(number, count).subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + bytes))
  }

  /** A list starts with its length. A negative entry is the length of a run, whose first page follows. */
  function addPages(list: Buffer): void {
    const length = Number(list.readBigUInt64LE(0))
    for (let i = 1; i <= length; i++) {
      const entry = Number(list.readBigInt64LE(i * WORD_BYTES))
      const first = entry < 0 ? Number(list.readBigInt64LE(++i * WORD_BYTES)) : entry
      for (let page = Math.max(first, from); page < first + Math.max(1, -entry); page++) free.add(page)
    }
  }
}

/** The process that is in a write transaction of an LMDB environment. */
export interface LockHolder {
  readonly pid: number
  /** Its command line, without the path of Node; empty if the system does not tell. */
  readonly command: string
  /** When the process was started, in Unix seconds; undefined if the system does not tell. */
  readonly since: number | undefined
}

/*
 * LMDB's write lock is a robust mutex of glibc in the lock file. Its first word is 0 while it is free, its third is the
 * thread that holds it, and its fifth is its kind. It starts at the first cache line behind the lock of the readers.
 */
const MUTEX_OFFSET = arch() === 'arm64' ? 128 : 64
const MUTEX_BYTES = 20
const OWNER_OFFSET = 8
const KIND_OFFSET = 16
/** The kind of a mutex that is shared by processes and robust. */
const ROBUST_SHARED_KIND = 0x90

/** How long a command waits for a writer before it says so: nearly all transactions are shorter. */
const ANNOUNCE_AFTER_MS = 1_000
const POLL_MS = 20

/** Clock ticks a second in /proc, the same on all Linux systems that Node runs on. */
const TICKS_PER_SECOND = 100

/**
 * Finds the process that holds the write lock of the LMDB environment in a folder. Undefined if it is free, and where the
 * system keeps the lock in another form.
 */
export function findLockHolder(folder: string): LockHolder | undefined {
  if (platform() !== 'linux') return undefined
  const bytes = Buffer.alloc(MUTEX_BYTES)
  try {
    if (readLockFile(join(folder, 'lock.mdb'), bytes, MUTEX_OFFSET) < MUTEX_BYTES) return undefined
    if (bytes.readUInt32LE(KIND_OFFSET) !== ROBUST_SHARED_KIND || bytes.readUInt32LE(0) === 0) return undefined
    return describeThread(bytes.readUInt32LE(OWNER_OFFSET))
  } catch {
    // No lock file yet, or the holder has just ended.
    return undefined
  }
}

/**
 * Reads from a lock file. If this process has it open, that descriptor is read: closing another one of the same file would
 * end the lock that tells other processes that this one uses the environment.
 */
function readLockFile(path: string, bytes: Buffer, offset: number): number {
  const own = findDescriptor(path)
  if (own !== undefined) return readSync(own, bytes, 0, bytes.length, offset)
  const file = openSync(path, 'r')
  try {
    return readSync(file, bytes, 0, bytes.length, offset)
  } finally {
    closeSync(file)
  }
}

/** A descriptor of this process for a file. */
function findDescriptor(path: string): number | undefined {
  const { dev, ino } = statSync(path)
  return readdirSync('/proc/self/fd')
    .filter((name) => isLockFile(`/proc/self/fd/${name}`))
    .map(Number)
    .find((descriptor) => {
      const stats = fstatSync(descriptor)
      return stats.dev === dev && stats.ino === ino
    })
}

function isLockFile(link: string): boolean {
  try {
    return readlinkSync(link).endsWith('lock.mdb')
  } catch {
    // The descriptor of the listing itself is closed by now.
    return false
  }
}

function describeThread(thread: number): LockHolder | undefined {
  const pid = Number(/^Tgid:\s*(\d+)$/m.exec(readFileSync(`/proc/${thread}/status`, 'latin1'))?.[1])
  if (!(pid > 0)) return undefined
  const [, ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  const command = words
    .join(' ')
    .trim()
    .replace(/^\S*\/(?:marquee(?:\.js)?|cli\.js)(?= |$)/, 'marquee')
  return { pid, command, since: readStart(pid) }
}

function readStart(pid: number): number | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
  const boot = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1])
  const seconds = Math.floor(boot + ticks / TICKS_PER_SECOND)
  return Number.isNaN(seconds) ? undefined : seconds
}

/** Says for whom a command waits. */
function describeWait({ pid, command, since }: LockHolder, folder: string): string {
  const what = command === '' ? '' : ` (${command})`
  const when =
    since === undefined ? '' : `, which runs since ${new Date(since * 1000).toISOString().replace('.000', '')}`
  return `waiting for process ${pid}${what}${when}: it is writing to ${folder}`
}

/**
 * Waits while another process writes to an LMDB environment, for a second at most, and then says for whom the caller is
 * going to wait. LMDB itself waits without a word and without an end.
 */
export function announceWriter(
  folder: string,
  announce: (sentence: string) => void = (sentence) => void process.stderr.write(`marquee: ${sentence}\n`),
): void {
  const deadline = performance.now() + ANNOUNCE_AFTER_MS
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let holder = findLockHolder(folder); holder !== undefined; holder = findLockHolder(folder)) {
    // A transaction of this process is its own, and one inside it waits for nobody.
    if (holder.pid === process.pid) return
    if (performance.now() > deadline) {
      announce(describeWait(holder, folder).replace(/\p{Cc}+/gu, ' '))
      return
    }
    Atomics.wait(pause, 0, 0, POLL_MS)
  }
}
