import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readlinkSync, readSync, statSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'

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
export function readLockFile(path: string, bytes: Buffer, offset: number): number {
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
