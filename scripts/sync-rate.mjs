/**
 * Syncs with a fake TMDB server that has a rate limit, and prints how close the sync came to that limit. Needs the built
 * program.
 *
 *   node scripts/sync-rate.mjs [--titles 10000] [--rate 40]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({ options: { titles: { type: 'string' }, rate: { type: 'string' } } })
const titles = Number(values.titles ?? 10_000)
const rate = Number(values.rate ?? 40)
if (!Number.isSafeInteger(titles) || titles < 1 || !Number.isSafeInteger(rate) || rate < 1) {
  console.error('--titles and --rate must be whole numbers')
  process.exit(2)
}

const root = resolve(import.meta.dirname, '..')
const { module } = await runnerImport(join(root, 'server/test/support/tmdb/tmdb-stand-in.ts'), {
  root,
  configFile: false,
  logLevel: 'error',
})
const standIn = await new module.TmdbStandIn({ movies: titles, series: Math.ceil(titles / 2), rate }).listen()
const folder = mkdtempSync(join(tmpdir(), 'marquee-sync-'))
const flags = ['--countries', 'us,gb,de,fr', '--limit', String(titles), '--rate', String(rate), '--json']
let maxMemoryKb = 0
try {
  const started = performance.now()
  const child = spawn(process.execPath, [join(root, 'server/bin/marquee.js'), 'sync', 'tmdb', ...flags], {
    env: {
      ...process.env,
      MARQUEE_DATA: folder,
      TMDB_TOKEN: module.STAND_IN_TOKEN,
      TMDB_API: standIn.address,
      TMDB_FILES: standIn.address,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const watching = setInterval(() => (maxMemoryKb = Math.max(maxMemoryKb, readResidentKb(child.pid))), 500)
  const [code] = await once(child, 'exit')
  clearInterval(watching)
  const seconds = (performance.now() - started) / 1000
  if (code !== 0) throw new Error(`The sync ended with ${code}: ${output}`)
  const { fetched, requests, offers } = JSON.parse(output)
  const minSeconds = requests / rate
  console.log(`${fetched} titles with ${offers} offers in ${requests} requests, ${standIn.refused} of them refused`)
  console.log(`${seconds.toFixed(1)} s; the minimum at ${rate} requests per second is ${minSeconds.toFixed(1)} s`)
  console.log(`ratio ${(seconds / minSeconds).toFixed(3)}; peak memory ${Math.round(maxMemoryKb / 1024)} MB`)
} finally {
  await standIn.close()
  rmSync(folder, { recursive: true, force: true })
}

/** The resident memory of a process in kilobytes; 0 if unknown. */
function readResidentKb(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
