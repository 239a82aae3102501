/** What is to be called for each signal. */
const waiting = new WeakMap<EventTarget, Set<() => void>>()

/**
 * Calls back when a signal is aborted, and returns what takes that back. However many wait for the same signal, it gets
 * one listener: Node takes more than ten for a leak, and says so.
 */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
  const calls = waiting.get(signal) ?? new Set()
  waiting.set(signal, calls.add(call))
  // A listener that is there already is not added again.
  signal.addEventListener('abort', callAll, { once: true })
  return () => {
    calls.delete(call)
    if (calls.size === 0) signal.removeEventListener('abort', callAll)
  }
}

function callAll({ currentTarget }: Event): void {
  for (const call of waiting.get(currentTarget as EventTarget) ?? []) call()
}
