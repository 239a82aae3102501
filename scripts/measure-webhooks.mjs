/**
 * Imports many changes while many webhooks with different filters wait for them, and prints how long it takes until all are
 * delivered to a local receiver, and what other requests take meanwhile. Fails if that is more than a minute, or if p99 of
 * the requests is more than 1.5 times that before. Needs the built program.
 *
 *   node scripts/measure-webhooks.mjs [--webhooks 1000] [--changes 100000]
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { runnerImport } from 'vite'

const { values } = parseArgs({ options: { webhooks: { type: 'string' }, changes: { type: 'string' } } })
const webhooks = Number(values.webhooks ?? 1_000)
const changes = Number(values.changes ?? 100_000)
const MAX_SECONDS = 60
const MAX_P99_FACTOR = 1.5
const SEASONS = 10

/**
 * The program of the receiver: counts changes and messages. It stands for other machines, so it runs at the lowest priority
 * (Linux has one for each thread) and does not take processors from what is measured.
 */
const RECEIVER = `
  require('node:os').setPriority(0, 19)
  const { createServer } = require('node:http')
  const { parentPort, workerData: counts } = require('node:worker_threads')
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    counts[0] += text.split('"changeType":').length - 1
    counts[1]++
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage('http://127.0.0.1:' + server.address().port + '/hook'))
`
const EPISODES = 99

const root = resolve(import.meta.dirname, '..')
const program = join(root, 'server/bin/marquee.js')
const load = async (file) =>
  (await runnerImport(join(root, file), { root, configFile: false, logLevel: 'error' })).module
const builders = await load('server/test/support/builders.ts')
const { openAccounts } = await load('server/src/accounts/accounts.ts')
const folder = mkdtempSync(join(tmpdir(), 'marquee-webhooks-'))
const env = {
  ...process.env,
  MARQUEE_DATA: folder,
  MARQUEE_PRIVATE_WEBHOOKS: 'allow',
  MARQUEE_WORKERS: '1',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'info',
}
const run = (...args) => execFileSync(process.execPath, [program, ...args], { env, encoding: 'utf8' })
const writeFeed = (records) => {
  const file = join(folder, 'feed.ndjson')
  writeFileSync(file, `${[...records].map((record) => JSON.stringify(record)).join('\n')}\n`)
  return file
}

run('import', writeFeed(builders.aSnapshot(builders.aMovie({ id: '1' }))))
const { key } = JSON.parse(run('keys', 'create', '--plan', 'unlimited', '--json'))

// A thread of its own: what the receiver does must not delay the requests that are timed here.
const counts = new Int32Array(new SharedArrayBuffer(8))
const receiver = new Worker(RECEIVER, { eval: true, workerData: counts })
const [url] = await once(receiver, 'message')
const delivered = () => counts[0]

// Each series makes a change for itself, its seasons and their episodes.
const perSeries = 1 + SEASONS * (1 + EPISODES)
const count = Math.ceil(changes / perSeries)
const option = builders.anOption()
const series = Array.from({ length: count }, (_, i) =>
  builders.aSeries({
    id: String(1_000 + i),
    seasons: Array.from({ length: SEASONS }, (_, season) => ({
      itemType: 'season',
      number: season + 1,
      title: `Season ${season + 1}`,
      episodes: Array.from({ length: EPISODES }, (_, episode) => ({
        itemType: 'episode',
        number: episode + 1,
        title: `Episode ${episode + 1}`,
        streamingOptions: { us: [option] },
      })),
    })),
  }),
)
const accounts = openAccounts(join(folder, 'accounts'))
const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  let output = ''
  const address = await new Promise((done) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      const match = /"event":"service_started"[^\n]*"address":"(http:[^"]+)"/.exec(output)
      if (match !== null) done(match[1])
    })
  })
  const headers = { 'x-api-key': key }
  const filters = '/v4/changes?country=us&change_type=new&item_type=show,season,episode'
  const { since } = await (await fetch(`${address}${filters}&since=now`, { headers })).json()
  for (let i = 0; i < webhooks; i++) {
    const filter = {
      country: 'us',
      changeTypes: ['new'],
      itemTypes: ['show', 'season', 'episode'].slice(0, 1 + (i % 3)),
      catalogs: i % 2 === 0 ? [] : ['netflix'],
      shows: [String(1_000 + (i % count))],
      language: 'en',
      leadDays: 7,
    }
    await accounts.webhooks.create({ name: `hook ${i}`, url, filter, since }, { by: 'operator', now: 1 })
  }
  // As many changes as the filters take: a show, its seasons, and its episodes.
  const expected = Array.from({ length: webhooks }, (_, i) => [1, 1 + SEASONS, perSeries][i % 3]).reduce(
    (a, b) => a + b,
    0,
  )
  // The first ones compile the code of the service and of this client.
  await measureRequests(address, headers, 3_000)
  const before = await measureRequests(address, headers, 5_000)
  const importing = spawn(process.execPath, [program, 'import', writeFeed(builders.aDelta(...series))], {
    env,
    stdio: 'ignore',
  })
  const importedAt = once(importing, 'exit').then(() => performance.now())
  const during = await measureRequests(address, headers, 300, () => delivered() < expected)
  const committed = await importedAt
  const seconds = (performance.now() - committed) / 1000
  console.table({ before, 'while delivering': during })
  console.log(
    `${webhooks} webhooks, ${count * perSeries} changes: ${delivered()} of ${expected} deliveries of changes in ${counts[1]} ` +
      `messages, ${seconds.toFixed(1)} s after the last commit`,
  )
  const isWell =
    delivered() >= expected && seconds <= MAX_SECONDS && during['p99 ms'] <= MAX_P99_FACTOR * before['p99 ms']
  process.exitCode = isWell ? 0 : 1
} finally {
  child.kill('SIGTERM')
  await once(child, 'exit')
  await accounts.close()
  await receiver.terminate()
  rmSync(folder, { recursive: true, force: true })
}

/** Times requests one after the other, at least so many, and while there is something to wait for. */
async function measureRequests(address, headers, requests, goesOn = () => false) {
  const times = []
  const deadline = performance.now() + 300_000
  while (times.length < requests || (goesOn() && performance.now() < deadline)) {
    const startedAt = performance.now()
    await (await fetch(`${address}/v4/shows/1?country=us`, { headers })).arrayBuffer()
    times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  const at = (share) => Number((times[Math.floor(share * times.length)] ?? 0).toFixed(2))
  return { requests: times.length, 'p50 ms': at(0.5), 'p99 ms': at(0.99) }
}
