import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import autocannon from 'autocannon'
import { readOutput, startProcess } from '../lib/processes.ts'
import { type Load, pinnedCommand, type Round } from './load.ts'

/** Runs one round with autocannon, for machines without wrk. This file is also the program of the child process. */
export async function runAutocannon(load: Load): Promise<Round> {
  const [command, args] = pinnedCommand(load.core, process.execPath, [import.meta.filename])
  const child = startProcess(command, args, { stdio: 'pipe' })
  child.stdin?.end(JSON.stringify(load))
  return JSON.parse(await readOutput(child, 'autocannon')) as Round
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  let input = ''
  process.stdin.on('data', (chunk: Buffer) => {
    input += chunk.toString()
  })
  await once(process.stdin, 'end')
  console.log(JSON.stringify(await sendRequests(JSON.parse(input) as Load)))
}
