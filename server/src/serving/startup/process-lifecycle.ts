import cluster from 'node:cluster'
import type { Server } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import pino, { type Logger } from 'pino'
import type { Settings } from '../../config.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { describeSystemError, UserError } from '../../lib/errors.ts'
import { escapeControlsInJson } from '../../lib/text/printable.ts'

/** The logger of a process: one JSON object per line on standard output, with an `event` name beside the message. */
export function createLogger({ logLevel }: Pick<Settings, 'logLevel'>): Logger {
  const output = pino.destination({ dest: 1, sync: true })
  // Lines may quote feeds and requests, and may be read on a terminal.
  const write = (line: string) => void output.write(escapeControlsInJson(line))
  // A log that cannot be written, on a full disk say, must not end the process.
  output.on('error', () => {})
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return pino({ level: logLevel, base: { pid: process.pid } }, { write })
}

/** How often a failure that goes on is logged. */
const REPEAT_SECONDS = 60

/**
 * Wraps a function that logs a failure, so that one which goes on, such as a full disk, costs a line a minute. Problems
 * that the operator can mend are logged as a sentence, others with their stack trace.
 */
export function logOncePerMinute(
  log: (fields: { readonly problem?: string; readonly err?: unknown; readonly failures: number }) => void,
  clock: Clock = systemClock,
): (error: unknown) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  let failures = 0
  return (error) => {
    failures++
    const now = clock()
    if (now - loggedAt < REPEAT_SECONDS && now >= loggedAt) return
    loggedAt = now
    const problem = error instanceof UserError ? error.message : describeSystemError(error)
    log({ ...(problem === undefined ? { err: error } : { problem }), failures })
    failures = 0
  }
}

/** On the first SIGTERM or SIGINT, runs `stop` and exits the process. */
export function onStopSignal(stop: () => Promise<void>): void {
  let stopping = false
  const handle = () => {
    if (stopping) return
    stopping = true
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`marquee: stopping failed: ${(error as Error).stack}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', handle)
  process.on('SIGINT', handle)
}

/** Exits the process when its primary exits or has exited: nobody would restart or stop it. */
export function exitWithPrimary(): void {
  process.on('disconnect', () => process.exit(0))
  // A message could not be sent: the channel is closing. A worker of a cluster has such events of its own.
  for (const sender of [process, cluster.worker]) sender?.on('error', () => process.exit(0))
  if (!process.connected) process.exit(0)
}

/** How long idle connections may stay open once draining has begun. */
const DRAIN_MS = 1_500
const POLL_MS = 20

/**
 * Closes the keep-alive connections of a server without losing a request. A client may send its next request at the very
 * moment at which the server closes the connection, so the server announces the end first: the next response on each
 * connection carries `Connection: close`. Connections that stay idle are closed after a while.
 */
export class Drain {
  /** Whether draining has begun. */
  isOn = false
  private readonly sockets = new Set<Socket>()
  private readonly servers: Server[] = []

  /** Tracks the connections of a server. */
  watch(server: Server): void {
    this.servers.push(server)
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket)
      socket.once('close', () => this.sockets.delete(socket))
    })
    server.prependListener('request', (_request, response) => {
      if (this.isOn) response.shouldKeepAlive = false
    })
  }

  /** Stops accepting connections, which other workers then get, and resolves when none is left, or only idle ones. */
  async finish(): Promise<void> {
    this.isOn = true
    // `close` of an HTTP server would also close idle connections at once, so call that of the TCP server.
    for (const server of this.servers) Listener.prototype.close.call(server)
    const deadline = performance.now() + DRAIN_MS
    while (this.sockets.size > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}
