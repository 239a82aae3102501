import type { Worker } from 'node:cluster'

/** The primary's end of a connection that is on its way to a worker. */
interface HandedOver {
  close?(): void
}

/**
 * Closes the connections that a worker was handed and had not taken when it died. Node keeps the primary's end of such a
 * connection open until the worker says that it has it, so whoever made it would wait for ever.
 */
export function closeUntaken(worker: Worker): void {
  const { process: child } = worker
  // At every address a worker gets the next connection only after it took the one before.
  const latest = new Map<unknown, HandedOver>()
  const send = child.send.bind(child) as (...parts: unknown[]) => boolean
  child.send = (message: { key?: unknown }, handle?: unknown, ...rest: unknown[]) => {
    if (handle instanceof Object) latest.set(message.key, handle)
    return send(message, handle, ...rest)
  }
  const close = () => {
    // What the worker took is closed here already, and closing it again does nothing.
    for (const connection of latest.values()) connection.close?.()
  }
  worker.once('exit', (code) => {
    // One that left in good order has taken all, or sent it back, and then another worker has it.
    if (code === 0) return
    // What the worker said last may not have been heard yet.
    if (worker.isConnected()) worker.once('disconnect', close)
    else close()
  })
}
