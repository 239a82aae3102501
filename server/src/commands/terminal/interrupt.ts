import { constants } from 'node:os'
import { Worker } from 'node:worker_threads'
import { InterruptedError } from './command-errors.ts'

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
