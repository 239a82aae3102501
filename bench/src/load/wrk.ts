import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HttpRequest } from '../lib/http.ts'
import { runProcess } from '../lib/processes.ts'
import { type Load, pinnedCommand, type Round } from './load.ts'

const PREFIX = 'figures: '

/** Runs one round with wrk and a Lua script that sends the requests in order. */
export async function runWrk({ port, requests, seconds, connections, core }: Load): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
  try {
    const script = join(folder, 'requests.lua')
    writeFileSync(script, toLuaScript(port, requests))
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script]
    const output = await runProcess(...pinnedCommand(core, 'wrk', [...args, `http://127.0.0.1:${port}`]))
    return parseFigures(output)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function parseFigures(output: string): Round {
  const line = output.split('\n').find((line) => line.startsWith(PREFIX))
  if (line === undefined) throw new Error(`wrk printed no figures:\n${output}`)
  const { requests, bytes, seconds, p50, p99, failures } = JSON.parse(line.slice(PREFIX.length)) as Record<
    string,
    number
  >
  if (failures! > 0) throw new Error(`${failures} of ${requests} requests failed:\n${output}`)
  // Without any response there are no latencies: they are at least the length of the round.
  const minLatency = requests === 0 ? seconds! * 1000 : 0
  return {
    requestsPerSecond: requests! / seconds!,
    bytesPerSecond: bytes! / seconds!,
    p50: Math.max(p50!, minLatency),
    p99: Math.max(p99!, minLatency),
  }
}

/** The requests are serialized in advance, so that wrk only has to send them. */
function toLuaScript(port: number, requests: readonly HttpRequest[]): string {
  return `local requests = {
${requests.map((request) => toLuaString(serializeRequest(port, request))).join(',\n')}
}
local at = 0
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency, _)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format('${PREFIX}{"requests":%d,"bytes":%d,"seconds":%f,"p50":%f,"p99":%f,"failures":%d}',
    summary.requests, summary.bytes, summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, failures))
end
`
}

function serializeRequest(port: number, { method, path, headers, body }: HttpRequest): string {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

function toLuaString(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\r', '\\r').replaceAll('\n', '\\n')}"`
}
