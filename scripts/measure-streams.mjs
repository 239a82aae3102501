/**
 * Opens many streams of changes on one worker and prints what that does to other requests, to memory, and how long a commit
 * takes to reach all streams. Needs the built program.
 *
 *   node scripts/measure-streams.mjs [--streams 10000] [--filters 7] [--changes 100] [--requests 2000]
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

/** Languages that make filters differ. */
const LANGUAGES = ['en', 'es', 'de', 'fr', 'it', 'pt', 'tr']

const options = { streams: '10000', filters: '7', changes: '100', requests: '2000' }
const { values } = parseArgs({
  options: Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, { type: 'string', default: value }]),
  ),
})
const [streams, filters, changes, requests] = ['streams', 'filters', 'changes', 'requests'].map((name) =>
  Number(values[name]),
)
const root = resolve(import.meta.dirname, '..')
const program = join(root, 'server/bin/marquee.js')
const { module: builders } = await runnerImport(join(root, 'server/test/support/builders.ts'), {
  root,
  configFile: false,
  logLevel: 'error',
})
const folder = mkdtempSync(join(tmpdir(), 'marquee-streams-'))
const env = {
  ...process.env,
  MARQUEE_DATA: folder,
  HOST: '127.0.0.1',
  PORT: '0',
  MARQUEE_WORKERS: '1',
  MARQUEE_MAX_CONNECTIONS: '100000',
  MARQUEE_MAX_STREAMS: '20000',
  LOG_LEVEL: 'info',
}
const run = (...args) => execFileSync(process.execPath, [program, ...args], { env, encoding: 'utf8' })
const importFeed = (records) => {
  const file = join(folder, 'feed.ndjson')
  writeFileSync(file, `${[...records].map((record) => JSON.stringify(record)).join('\n')}\n`)
  run('import', file)
}
const movies = (from, count) => Array.from({ length: count }, (_, i) => builders.aMovie({ id: String(from + i) }))

importFeed(builders.aSnapshot(...movies(1, 500)))
const { key } = JSON.parse(run('keys', 'create', '--plan', 'unlimited', '--json'))
const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
let output = ''
let worker
const sockets = []
try {
  const port = await new Promise((resolvePort) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      worker ??= /"pid":(\d+)[^\n]*worker_listening/.exec(output)?.[1]
      const match = /"address":"http:[^"]+:(\d+)"/.exec(output)
      if (match !== null) resolvePort(Number(match[1]))
    })
  })
  const agent = { base: `http://127.0.0.1:${port}/v4`, headers: { 'x-api-key': key } }
  const rows = {}
  rows['no stream'] = await measureRequests(agent)

  const received = new Int32Array(streams)
  for (let i = 0; i < streams; i += 250) {
    await Promise.all(Array.from({ length: Math.min(250, streams - i) }, (_, k) => openStream(port, i + k, received)))
  }
  rows[`${streams} idle streams`] = await measureRequests(agent)

  const committed = importInBackground()
  const startedAt = performance.now()
  rows['during an import'] = await measureRequests(agent, () => !received.every((count) => count >= changes))
  await committed
  while (!received.every((count) => count >= changes)) await new Promise((next) => setTimeout(next, 20))
  console.table(rows)
  console.log(
    `import of ${changes} changes and delivery to ${streams} streams: ${Math.round(performance.now() - startedAt)} ms`,
  )
  console.log(`more than once: ${received.filter((count) => count > changes).length} streams`)
} finally {
  for (const socket of sockets) socket.destroy()
  child.kill('SIGTERM')
  await once(child, 'exit')
  rmSync(folder, { recursive: true, force: true })
}

/** Imports new movies by another process. */
function importInBackground() {
  const file = join(folder, 'delta.ndjson')
  const records = [...builders.aDelta(...movies(10_000, changes))]
  writeFileSync(file, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
  return once(spawn(process.execPath, [program, 'import', file], { env, stdio: 'ignore' }), 'exit')
}

/** Opens one stream; streams have `filters` different filters between them. */
function openStream(port, number, received) {
  return new Promise((resolveOpen, reject) => {
    const types = number % 2 === 0 ? 'show' : 'show,season,episode'
    const path = `/v4/changes/stream?country=us&change_type=new&item_type=${types}&output_language=${LANGUAGES[(number % filters) % LANGUAGES.length]}`
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`)
    })
    sockets.push(socket)
    let isOpen = false
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      if (!isOpen && !text.startsWith('HTTP/1.1 200')) reject(new Error(text))
      isOpen = true
      received[number] += text.split('event: change').length - 1
      resolveOpen()
    })
  })
}

/** Times requests one after the other, and the memory of the worker. */
async function measureRequests({ base, headers }, goesOn = () => false) {
  const times = []
  while (times.length < requests || goesOn()) {
    const startedAt = performance.now()
    const answer = await fetch(`${base}/shows/${1 + (times.length % 500)}`, { headers })
    await answer.arrayBuffer()
    times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  const at = (share) => Number((times[Math.floor(share * times.length)] ?? 0).toFixed(2))
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${worker}/status`, 'utf8'))?.[1]
  return {
    requests: times.length,
    'p50 ms': at(0.5),
    'p99 ms': at(0.99),
    'memory MB': Math.round(Number(resident) / 1024),
  }
}
