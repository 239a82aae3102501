import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import autocannon from 'autocannon'
import { outputOf, start } from './child.ts'
import { type Load, onCore, type Round } from './load.ts'

/** One round of load made by autocannon, for machines without wrk. It runs in a process of its own: this file. */
export async function loadByAutocannon(load: Load): Promise<Round> {
  const [command, args] = onCore(load.core, process.execPath, [import.meta.filename])
  const child = start(command, args, { stdio: 'pipe' })
  child.stdin?.end(JSON.stringify(load))
  return JSON.parse(await outputOf(child, 'autocannon')) as Round
}

async function drive({ port, requests, seconds, connections }: Load): Promise<Round> {
  let started = 0
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    timeout: 30,
    requests: [{ method: 'GET', path: '/' }],
    // Every connection walks through all of the requests; each begins at another place, as clients do.
    setupClient: (client) => {
      const first = Math.floor((started++ * requests.length) / connections)
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
  console.log(JSON.stringify(await drive(JSON.parse(input) as Load)))
}
