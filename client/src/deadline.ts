/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31

/** What ends a call before its response. */
export type CallDeadline = Pick<Deadline, 'timedOut' | 'within' | 'allows' | 'stop'> & {
  readonly signal: AbortSignal | undefined
}

/** That of a call without a timeout and a signal: the objects of a real one cost more than a call within the process. */
const NO_DEADLINE: CallDeadline = {
  signal: undefined,
  timedOut: false,
  within: (work) => work,
  allows: () => true,
  stop() {},
}

/** The deadline of a call that begins now. */
export function startDeadline(timeout: number, caller: AbortSignal | undefined): CallDeadline {
  return timeout === Number.POSITIVE_INFINITY && caller === undefined ? NO_DEADLINE : new Deadline(timeout, caller)
}

/** Aborts a call on its timeout or on the signal of its caller, whichever comes first. */
export class Deadline {
  /** Aborted when the call must end. */
  readonly signal: AbortSignal
  /** Whether the timeout ended the call. */
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
    const unsubscribe = caller && onAbort(caller, cancel)
    const onTimeout = () => {
      this.timedOut = true
      controller.abort()
    }
    const timer = timeout < MAX_TIMER_MS ? setTimeout(onTimeout, timeout) : undefined
    this.#stop = () => {
      clearTimeout(timer)
      unsubscribe?.()
    }
    this.#ended = new Promise((_, reject) => {
      const end = () => reject(this.signal.reason)
      if (this.signal.aborted) end()
      else this.signal.addEventListener('abort', end, { once: true })
    })
    // Without this, a rejection while nothing awaits it would be unhandled.
    this.#ended.catch(() => {})
  }

  /** Awaits work, but rejects at the deadline, even if a `fetch` ignores the signal. */
  within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.#ended, work])
  }

  /** Whether a pause would end before the deadline. */
  allows(milliseconds: number): boolean {
    return milliseconds < MAX_TIMER_MS && performance.now() + milliseconds < this.#end
  }

  /** Clears the timer and unsubscribes from the caller's signal. */
  stop(): void {
    this.#stop()
  }
}

/** Callbacks by signal. */
const callbacks = new WeakMap<EventTarget, Set<() => void>>()

/**
 * Calls back when a signal is aborted, and returns a function that unsubscribes. A signal gets one listener, however many
 * callbacks it has: Node warns of a leak above ten.
 */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
  const calls = callbacks.get(signal) ?? new Set()
  callbacks.set(signal, calls.add(call))
  // Adding the same listener twice has no effect.
  signal.addEventListener('abort', onAbortEvent, { once: true })
  return () => {
    calls.delete(call)
    if (calls.size === 0) signal.removeEventListener('abort', onAbortEvent)
  }
}

function onAbortEvent({ currentTarget }: Event): void {
  for (const call of callbacks.get(currentTarget as EventTarget) ?? []) call()
}
