import { constants } from 'node:os'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { CommanderError } from 'commander'
import { DamagedCatalogError } from '../../catalog/storage/environment.ts'
import { readSettings } from '../../config.ts'
import { describeSystemError, UserError } from '../../lib/errors.ts'
import { stripControlsByLine } from '../../lib/text/printable.ts'

/** The exit code of a command that Ctrl-C ended. */
const INTERRUPTED_EXIT_CODE = 130

/** All exit codes of the program. The table in docs/operating.md and the man page print them. */
export const EXIT_CODES: readonly { readonly code: number; readonly meaning: string }[] = [
  {
    code: 0,
    meaning: 'success; also a service that was stopped by SIGTERM or Ctrl-C, and a reader that closed the pipe',
  },
  {
    code: 1,
    meaning:
      'failure: unknown commands and flags, invalid settings, a feed that was refused or is incomplete, a source that is not ready, a problem that a check found, a file or an address that cannot be used',
  },
  { code: INTERRUPTED_EXIT_CODE, meaning: 'the command was ended by Ctrl-C; what it had committed remains' },
  { code: 143, meaning: 'the command was ended by SIGTERM; what it had committed remains' },
]

/** Thrown when Ctrl-C ended a command. The message describes the state that is left behind. */
class InterruptedError extends UserError {
  override readonly name = 'InterruptedError'
}

/**
 * Runs synchronous work so that Ctrl-C ends it at once, although the event loop is blocked. Nothing of the work runs
 * after that, its `finally` blocks included.
 */
export function runInterruptibly<T>(work: () => T, interruptedMessage: string): T {
  try {
    // V8 can only interrupt scripts (`breakOnSigint`), so a script in a new context calls the work.
    return runInNewContext('work()', { work }, { breakOnSigint: true }) as T
  } catch (error) {
    if (Object(error).code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw new InterruptedError(interruptedMessage)
    throw error
  }
}

/** What a system call was about to do with a path. All others write. */
const SYSCALL_VERBS: Readonly<Record<string, string>> = {
  mkdir: 'made',
  mkdtemp: 'made',
  open: 'opened',
  read: 'read',
  scandir: 'read',
  stat: 'read',
  lstat: 'read',
  rename: 'put in place',
}

/** LMDB's own error codes: MDB_MAP_FULL, MDB_CORRUPTED and MDB_INVALID. */
const LMDB_REASONS: Readonly<Record<number, string>> = {
  [-30792]: 'it has no room for more',
  [-30796]: 'it is damaged; docs/operating.md says how to restore a backup',
  [-30793]: 'it is damaged; docs/operating.md says how to restore a backup',
}

/** What Node and lmdb say of a native module that was installed for another Node, system or processor. */
const FOREIGN_MODULE = /No native build was found|compiled against a different Node\.js version|ERR_DLOPEN_FAILED/

/**
 * Describes a failure that the operator can fix, in one sentence. Undefined for any other failure, which is a bug.
 * @param what names the file if the system error does not
 */
export function describeFailure(error: unknown, what = 'A file'): string | undefined {
  if (error instanceof UserError) return error.message
  if (error instanceof DamagedCatalogError) return error.message
  const { code, syscall, path, message } = Object(error) as {
    code?: unknown
    syscall?: string
    path?: string
    message?: string
  }
  if (FOREIGN_MODULE.test(`${code} ${message}`)) {
    const { version, platform, arch } = process
    return `The packages in node_modules were not installed for this Node (${version}, ${platform}, ${arch}); run \`npm ci\``
  }
  if (typeof code === 'number') {
    const reason = LMDB_REASONS[code] ?? describeSystemError(error)
    return reason && `The data folder ${readSettings(process.env).dataDir} cannot be used: ${reason}`
  }
  const reason = describeSystemError(error)
  if (reason === undefined || syscall === undefined) return undefined
  return `${path ?? what} cannot be ${SYSCALL_VERBS[syscall] ?? 'written'}: ${reason}`
}

/** Prints why a command failed and returns its exit code. A bug is thrown again, with its stack trace. */
export function reportFailure(error: unknown, what?: string): number {
  if (error instanceof CommanderError) return error.exitCode
  // A reader that closes the pipe early (`marquee demo | head`) is no failure.
  if (Object(error).code === 'EPIPE') return 0
  const sentence = describeFailure(error, what)
  if (sentence === undefined) throw error
  process.stderr.write(`marquee: ${stripControlsByLine(sentence)}\n`)
  return error instanceof InterruptedError ? INTERRUPTED_EXIT_CODE : 1
}

/**
 * What the thread runs: it waits for SIGINT on an event loop of its own. Node offers signals to the main thread only, so
 * this uses the binding underneath. Closing the handle gives the signal its default effect back.
 */
const THREAD = `
  process.noDeprecation = true
  const { parentPort, workerData } = require('node:worker_threads')
  const { Signal } = process.binding('signal_wrap')
  const signal = new Signal()
  signal.onsignal = () => {
    Atomics.store(workerData, 0, 1)
    signal.close()
  }
  if (signal.start(${constants.signals.SIGINT}) === 0) parentPort.postMessage('started')
`

/**
 * Notices Ctrl-C while the event loop is blocked by a transaction. Work calls `check` at points where it can end well; a
 * transaction is rolled back by what it throws. Exiting within one would wait for the write lock, which this process
 * itself holds. A second Ctrl-C ends the process at once, in the middle of whatever it does: LMDB frees the lock of a
 * process that was killed.
 */
export class InterruptWatch {
  private readonly flag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  private readonly message: string
  private readonly thread: Worker
  /** Until the thread has started, and if it cannot start, the signal is noticed between two turns of the event loop. */
  private readonly onSignal = () => {
    Atomics.store(this.flag, 0, 1)
    process.off('SIGINT', this.onSignal)
  }

  /** @param message describes the state that an interruption leaves behind */
  constructor(message: string) {
    this.message = message
    process.on('SIGINT', this.onSignal)
    this.thread = new Worker(THREAD, { eval: true, workerData: this.flag, stdout: false, stderr: true })
    this.thread.unref()
    this.thread.on('error', () => {})
    this.thread.once('message', () => process.off('SIGINT', this.onSignal))
  }

  /** Throws an `InterruptedError` if Ctrl-C was pressed. */
  check(): void {
    if (Atomics.load(this.flag, 0) !== 0) throw new InterruptedError(this.message)
  }

  /** Passes items on, and checks before each. */
  *watch<T>(items: Iterable<T>): Iterable<T> {
    for (const item of items) {
      this.check()
      yield item
    }
    this.check()
  }

  /** Stops watching: from now on Ctrl-C ends the process. */
  async stop(): Promise<void> {
    process.off('SIGINT', this.onSignal)
    await this.thread.terminate()
  }
}
