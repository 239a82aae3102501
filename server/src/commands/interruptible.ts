import { runInNewContext } from 'node:vm'
import { UserError } from '../lib/user-error.ts'

/** The exit code of a command that was ended by Ctrl-C. */
export const INTERRUPTED_CODE = 130

/** Thrown when Ctrl-C ended a command; the message says what holds now. */
export class Interrupted extends UserError {
  override readonly name = 'Interrupted'
}

/**
 * Does work that keeps the event loop for long, so that Ctrl-C ends it at once rather than after it. Nothing of the
 * work runs after that, its `finally` blocks included.
 */
export function interruptible<T>(work: () => T, whatHolds: string): T {
  try {
    // Only scripts can be broken off; a context of its own hands the work to one.
    return runInNewContext('work()', { work }, { breakOnSigint: true }) as T
  } catch (error) {
    if (Object(error).code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw new Interrupted(whatHolds)
    throw error
  }
}
