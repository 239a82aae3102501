import { execFileSync } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requiredProgram } from '../required-program.ts'

const SOURCE = fileURLToPath(new URL('./disk-fault.c', import.meta.url))

/** The system errors of a disk that is full, or that fails. */
export const DISK_ERRORS = { ENOSPC: constants.errno.ENOSPC, EIO: constants.errno.EIO } as const
export type DiskError = keyof typeof DISK_ERRORS

interface DiskFault {
  /** A part of the paths of the files whose writes fail. */
  readonly path: string
  readonly error: DiskError
  /** The first write that fails, counted from 1; or a file while which exists all writes fail. */
  readonly at: number | string
}

/** Compiles the library that injects disk errors. Undefined without a C compiler on Linux: its tests are skipped. */
export function buildDiskFault(): string | undefined {
  const compiler = requiredProgram(['cc', 'gcc'], 'apt-get install gcc libc6-dev')
  if (compiler === undefined || process.platform !== 'linux') return undefined
  const library = join(tmpdir(), `marquee-disk-fault-${process.pid}.so`)
  if (!existsSync(library)) {
    execFileSync(compiler, ['-shared', '-fPIC', '-O1', '-o', `${library}.new`, SOURCE, '-ldl'])
    renameSync(`${library}.new`, library)
  }
  return library
}

/** The environment variables of a process whose writes fail. */
export function diskFaultEnvironment(library: string, { path, error, at }: DiskFault): Record<string, string> {
  return {
    LD_PRELOAD: library,
    DISK_FAULT_PATH: path,
    DISK_FAULT_ERRNO: String(DISK_ERRORS[error]),
    ...(typeof at === 'number' ? { DISK_FAULT_AT: String(at) } : { DISK_FAULT_ON: at }),
  }
}
