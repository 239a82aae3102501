import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { formatMessage } from '../lib/http.ts'
import { runAsChild, runInChild } from './child.ts'
import type { Load, Round } from './load.ts'

/** A load at a fixed rate, however fast the responses come. */
export interface PacedLoad extends Load {
  readonly requestsPerSecond: number
}

/**
 * Sends requests in equal intervals from a separate process. A latency counts from when its request was due, so that one that
 * has to wait for a connection counts in full.
 */
export async function runPacedLoad(load: PacedLoad): Promise<Round> {
  return await runInChild(import.meta.filename, load)
}

/** How long requests are sent before the first one counts: connections are opened, and the generator's code is compiled. */
const WARM_UP_SECONDS = 1

async function sendRequests({ port, requests, seconds, connections, requestsPerSecond }: PacedLoad): Promise<Round> {
  const messages = requests.map(formatMessage)
  const idle = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)))
  const uncounted = Math.round(requestsPerSecond * WARM_UP_SECONDS)
  const counted = Math.round(requestsPerSecond * seconds)
  const latencies = new Float64Array(counted)
  let due = 0
  let begun = 0
  let done = 0
  let bytes = 0
  const startedAt = performance.now()
  const dueAt = (index: number) => startedAt + (index * 1000) / requestsPerSecond
  /** Sends what is due, as far as connections are free. */
  const sendDue = () => {
    for (; begun < due; begun++) {
      const connection = idle.pop()
      if (connection === undefined) return
      const index = begun
      connection.send(messages[index % messages.length]!, (size) => {
        done++
        if (index >= uncounted) {
          latencies[index - uncounted] = performance.now() - dueAt(index)
          bytes += size
        }
        idle.push(connection)
        sendDue()
      })
    }
  }
  while (done < uncounted + counted) {
    while (due < uncounted + counted && dueAt(due) <= performance.now()) due++
    sendDue()
    // Timers are exact to a millisecond; below that, other events get their turn until the next request is due.
    if (due === uncounted + counted || dueAt(due) - performance.now() > 2) await sleep(1)
    else await nextTurn()
  }
  const elapsed = (performance.now() - dueAt(uncounted)) / 1000
  for (const connection of idle) connection.close()
  latencies.sort()
  return {
    requestsPerSecond: counted / elapsed,
    bytesPerSecond: bytes / elapsed,
    p50: latencies[Math.floor(0.5 * counted)]!,
    p99: latencies[Math.floor(0.99 * counted)]!,
  }
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')

/**
 * A connection that takes one request after the other. It reads into the same memory again and again and keeps nothing: the
 * garbage collections of an ordinary client would be measured as latencies of the server.
 */
class Connection {
  readonly #socket: Socket
  #head = ''
  /** Bytes of the body that are still to come; undefined while the head is. */
  #left: number | undefined
  #size = 0
  #onEnd: ((size: number) => void) | undefined

  private constructor(port: number) {
    const onread = {
      buffer: Buffer.allocUnsafeSlow(256 * 1024),
      callback: (length: number, buffer: Uint8Array) => {
        this.#read(buffer as Buffer, length)
        return true
      },
    }
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true, onread })
    this.#socket.on('close', () => {
      if (this.#onEnd !== undefined) throw new Error('The server closed a connection before the end of a response')
    })
  }

  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port)
    await once(connection.#socket, 'connect')
    return connection
  }

  /** Sends a request; calls back with the size of the body when all of it has come. */
  send(message: Buffer, onEnd: (size: number) => void): void {
    this.#onEnd = onEnd
    this.#socket.write(message)
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(buffer: Buffer, length: number): void {
    let at = 0
    if (this.#left === undefined) {
      const end = buffer.subarray(0, length).indexOf(END_OF_HEAD)
      this.#head += buffer.toString('latin1', 0, end < 0 ? length : end)
      if (end < 0) return
      const size = /^HTTP\/1\.1 200 .*\r\ncontent-length: (\d+)/is.exec(this.#head)?.[1]
      if (size === undefined) throw new Error(`Expected 200 with a length:\n${this.#head}`)
      this.#size = Number(size)
      this.#left = this.#size
      this.#head = ''
      at = end + END_OF_HEAD.length
    }
    this.#left -= length - at
    if (this.#left > 0) return
    const onEnd = this.#onEnd!
    this.#left = undefined
    this.#onEnd = undefined
    onEnd(this.#size)
  }
}

await runAsChild(import.meta.url, sendRequests)
