import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpRequest } from '../lib/http.ts'
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
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const uncounted = Math.round(requestsPerSecond * WARM_UP_SECONDS)
  const counted = Math.round(requestsPerSecond * seconds)
  const latencies: number[] = []
  let bytes = 0
  const startedAt = performance.now()
  const dueAt = (index: number) => startedAt + (index * 1000) / requestsPerSecond
  const sendOne = async (index: number) => {
    const size = await readSize(port, requests[index % requests.length]!, agent)
    if (index < uncounted) return
    latencies.push(performance.now() - dueAt(index))
    bytes += size
  }
  const sent: Promise<void>[] = []
  while (sent.length < uncounted + counted) {
    const wait = dueAt(sent.length) - performance.now()
    // Timers are exact to a millisecond; below that, other events get their turn until the request is due.
    if (wait > 2) await sleep(1)
    else if (wait > 0) await new Promise(setImmediate)
    else sent.push(sendOne(sent.length))
  }
  await Promise.all(sent)
  agent.destroy()
  const elapsed = (performance.now() - dueAt(uncounted)) / 1000
  latencies.sort((a, b) => a - b)
  const percentile = (share: number) => latencies[Math.min(Math.floor(share * counted), counted - 1)]!
  return {
    requestsPerSecond: counted / elapsed,
    bytesPerSecond: bytes / elapsed,
    p50: percentile(0.5),
    p99: percentile(0.99),
  }
}

/** Sends a request and returns the size of the body, which is not kept. */
function readSize(port: number, { method, path, headers, body }: HttpRequest, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(size)
        else reject(new Error(`${method} ${path}: ${response.statusCode}, expected 200`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

await runAsChild(import.meta.url, sendRequests)
