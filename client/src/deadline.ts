import { onAbort } from './on-abort.ts'

/** Milliseconds from which on a timer would be over at once. */
const TOO_LONG = 2 ** 31

/** Ends a call when its time is over or its caller has had enough, whichever comes first. */
export class Deadline {
  /** Aborted when the call has to end. */
  readonly signal: AbortSignal
  /** Whether it was the timeout that ended the call. */
  timedOut = false
  readonly #end: number
  readonly #ended: Promise<never>
  readonly #stop: () => void

  constructor(timeout: number, caller: AbortSignal | undefined) {
    const controller = new AbortController()
    this.signal = controller.signal
    this.#end = performance.now() + timeout
    const cancel = () => controller.abort(caller?.reason)
    if (caller?.aborted) cancel()
    const letGo = caller && onAbort(caller, cancel)
    const onTimeout = () => {
      this.timedOut = true
      controller.abort()
    }
    const timer = timeout < TOO_LONG ? setTimeout(onTimeout, timeout) : undefined
    this.#stop = () => {
      clearTimeout(timer)
      letGo?.()
    }
    this.#ended = new Promise((_, reject) => {
      const end = () => reject(this.signal.reason)
      if (this.signal.aborted) end()
      else this.signal.addEventListener('abort', end, { once: true })
    })
    // Nobody may be waiting when it happens.
    this.#ended.catch(() => {})
  }

  /** Waits for something, though not beyond the end: not even for a `fetch` that does not heed the signal. */
  within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.#ended, work])
  }

  /** Whether a pause would be over before the end. */
  allows(milliseconds: number): boolean {
    return milliseconds < TOO_LONG && performance.now() + milliseconds < this.#end
  }

  /** Lets go of the timer and of the caller's signal. */
  stop(): void {
    this.#stop()
  }
}
