import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './child.ts'
import type { HttpRequest } from './http.ts'
import { type Load, onCore, type Round } from './load.ts'

const MARK = 'figures: '

/** One round of load made by wrk, with a script that sends the requests in turn. */
export async function loadByWrk({ port, requests, seconds, connections, core }: Load): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
  try {
    const script = join(folder, 'requests.lua')
    writeFileSync(script, luaScript(port, requests))
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script]
    const output = await run(...onCore(core, 'wrk', [...args, `http://127.0.0.1:${port}`]))
    return readFigures(output)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readFigures(output: string): Round {
  const line = output.split('\n').find((line) => line.startsWith(MARK))
  if (line === undefined) throw new Error(`wrk printed no figures:\n${output}`)
  const { requests, bytes, seconds, p50, p99, failures } = JSON.parse(line.slice(MARK.length)) as Record<string, number>
  if (failures! > 0) throw new Error(`${failures} of ${requests} requests failed:\n${output}`)
  // Without a single answer there is no time of any: it took at least as long as the round.
  const atLeast = requests === 0 ? seconds! * 1000 : 0
  return {
    requestsPerSecond: requests! / seconds!,
    bytesPerSecond: bytes! / seconds!,
    p50: Math.max(p50!, atLeast),
    p99: Math.max(p99!, atLeast),
  }
}

/** The requests are written out beforehand, so that wrk spends its time on sending them. */
function luaScript(port: number, requests: readonly HttpRequest[]): string {
  return `local requests = {
${requests.map((request) => luaString(wireText(port, request))).join(',\n')}
}
local at = 0
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency, _)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format('${MARK}{"requests":%d,"bytes":%d,"seconds":%f,"p50":%f,"p99":%f,"failures":%d}',
    summary.requests, summary.bytes, summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, failures))
end
`
}

function wireText(port: number, { method, path, headers, body }: HttpRequest): string {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

function luaString(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\r', '\\r').replaceAll('\n', '\\n')}"`
}
