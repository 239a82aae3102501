import autocannon from 'autocannon'
import { runAsChild, runInChild } from './child.ts'
import type { Load, Round } from './load.ts'

/** Runs one round with autocannon, for machines without wrk. */
export async function runAutocannon(load: Load): Promise<Round> {
  return await runInChild(import.meta.filename, load)
}

async function sendRequests({ port, requests, seconds, connections }: Load): Promise<Round> {
  let clients = 0
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    timeout: 30,
    requests: [{ method: 'GET', path: '/' }],
    // Every connection sends all requests, each starting at a different offset.
    setupClient: (client) => {
      const first = Math.floor((clients++ * requests.length) / connections)
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)])
    },
  })
  const failures = result.errors + result.timeouts + result['4xx'] + result['5xx']
  if (failures > 0) throw new Error(`${failures} of ${result.requests.total} requests failed`)
  return {
    requestsPerSecond: result.requests.total / result.duration,
    bytesPerSecond: result.throughput.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }
}

await runAsChild(import.meta.url, sendRequests)
