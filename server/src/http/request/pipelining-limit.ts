import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The most requests of a connection that are answered or waiting to be answered at the same time. */
export const MAX_PIPELINED_REQUESTS = 8

/**
 * Bounds the requests that a client sends ahead on one connection. Node parses all requests of a packet at once and calls
 * the listener for each, so one packet could hold a worker for seconds. The first request beyond the limit gets an error
 * and ends the connection; those behind it are dropped. HTTP lets a client repeat them on another connection.
 */
export function limitPipelining(
  listener: RequestListener,
  reject: (req: IncomingMessage, res: ServerResponse) => void,
): RequestListener {
  const open = new WeakMap<Socket, number>()
  return (req, res) => {
    const { socket } = req
    const count = open.get(socket) ?? 0
    if (count > MAX_PIPELINED_REQUESTS || socket.destroyed) return
    open.set(socket, count + 1)
    if (count === MAX_PIPELINED_REQUESTS) {
      res.shouldKeepAlive = false
      reject(req, res)
      return
    }
    res.once('close', () => open.set(socket, (open.get(socket) ?? 1) - 1))
    listener(req, res)
  }
}
