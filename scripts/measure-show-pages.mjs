/**
 * Serves a data folder with one worker, reads its sitemap, and opens the pages of many different shows, each once: prints
 * how many addresses the sitemap has, and the processor time of a page, all threads of the worker included. Fails if the
 * sitemap has another number of shows than the catalog, a file that is not valid, or an address that is no page; or if p99
 * of a page is 5 ms or more. Linux only. Needs the built program; the folder must not be in use.
 *
 *   node scripts/measure-show-pages.mjs FOLDER [--pages 2000] [--warm-up 500] [--seed 1] [--country us]
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const MAX_PAGE_MS = 5
const MAX_ADDRESSES = 50_000
const MAX_FILE_BYTES = 50 * 1024 * 1024

const options = { pages: '2000', 'warm-up': '500', seed: '1', country: 'us' }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, { type: 'string', default: value }]),
  ),
})
const [folder] = positionals
if (folder === undefined) throw new Error('Name the data folder: node scripts/measure-show-pages.mjs FOLDER')
const root = resolve(import.meta.dirname, '..')
const program = join(root, 'server/bin/marquee.js')
const sax = createRequire(join(root, 'server/package.json'))('sax')
// Every page is asked for another visitor, so that no rate limit holds.
const env = {
  ...process.env,
  ...{ MARQUEE_DATA: resolve(folder), HOST: '127.0.0.1', PORT: '0', MARQUEE_WORKERS: '1', LOG_LEVEL: 'info' },
  MARQUEE_TRUSTED_PROXIES: '127.0.0.1',
}

const { shows } = JSON.parse(execFileSync(process.execPath, [program, 'status', '--json'], { env, encoding: 'utf8' }))
const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
const faults = []
const agent = new Agent({ keepAlive: true })
try {
  let output = ''
  const { origin, worker } = await new Promise((resolveStart, reject) => {
    child.once('exit', () => reject(new Error(`The service ended before it listened:\n${output}`)))
    child.stdout.on('data', (chunk) => {
      output += chunk
      const pid = /"pid":(\d+)[^\n]*worker_listening/.exec(output)?.[1]
      const address = /"address":"(http:[^"]+)"/.exec(output)?.[1]
      if (pid !== undefined && address !== undefined) resolveStart({ origin: address, worker: pid })
    })
  })
  const addresses = await readSitemap(origin)
  process.stdout.write(`sitemap: ${addresses.length} shows of ${shows}\n`)
  if (addresses.length !== shows || new Set(addresses).size !== shows)
    faults.push('the sitemap does not list every show')
  await measurePages(addresses, worker)
} finally {
  agent.destroy()
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
}
for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0

/** The addresses of all shows in the files that the index names. */
async function readSitemap(origin) {
  const robots = await read(`${origin}/robots.txt`)
  const index = /^Sitemap: (\S+)$/m.exec(robots.body)?.[1]
  const addresses = []
  for (const file of parseSitemap((await read(index)).body, 'sitemapindex')) {
    const { body } = await read(file)
    const listed = parseSitemap(body, 'urlset')
    if (listed.length > MAX_ADDRESSES || Buffer.byteLength(body) > MAX_FILE_BYTES) faults.push(`${file} is too large`)
    addresses.push(...listed.filter((address) => address.startsWith(`${origin}/show/`)))
  }
  return addresses
}

/** The addresses of a sitemap, by an XML parser that forgives nothing. */
function parseSitemap(xml, root) {
  const parser = sax.parser(true, { trim: true })
  const addresses = []
  const open = []
  parser.onerror = (error) => {
    throw error
  }
  parser.onopentag = ({ name, attributes }) => {
    if (open.length === 0 && (name !== root || attributes.xmlns !== 'http://www.sitemaps.org/schemas/sitemap/0.9'))
      throw new Error(`The root of a sitemap is ${name}`)
    open.push(name)
  }
  parser.onclosetag = () => open.pop()
  parser.ontext = (text) => {
    if (open.at(-1) === 'loc' && new URL(text).href === text) addresses.push(text)
    else throw new Error(`A sitemap has "${text}" in ${open.join(' ')}`)
  }
  parser.write(xml).close()
  return addresses
}

/** Opens different shows one after the other, the first ones without measuring. */
async function measurePages(addresses, worker) {
  const [count, warmUp] = [Number(values.pages), Number(values['warm-up'])]
  const random = seededRandom(Number(values.seed))
  const left = [...addresses]
  const times = []
  let bytes = 0
  for (let i = 0; i < count + warmUp && left.length > 0; i++) {
    const at = Math.floor(random() * left.length)
    const address = left[at]
    left[at] = left.at(-1)
    left.pop()
    const before = processorMs(worker)
    const { status, body } = await read(`${address}?country=${values.country}&lang=en`, i)
    const spent = processorMs(worker) - before
    if (status !== 200 || !body.includes('<article class="show"')) faults.push(`${address} has status ${status}`)
    if (i >= warmUp) times.push(spent)
    bytes += body.length
  }
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(2)
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
  process.stdout.write(
    `${times.length} pages of different shows: mean ${mean.toFixed(2)}, p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, max ${at(1)} ms of processor; ` +
      `${Math.round(bytes / 1024 / (times.length + warmUp))} KB of HTML in the mean\n`,
  )
  if (Number(at(0.99)) >= MAX_PAGE_MS) faults.push(`p99 of a page is ${at(0.99)} ms of processor`)
}

/** The processor time of all threads of a process. */
function processorMs(pid) {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0])
  }
  return nanoseconds / 1e6
}

function read(address, visitor = 0) {
  const headers = {
    accept: 'text/html',
    'x-forwarded-for': `10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`,
  }
  return new Promise((resolveRead, reject) => {
    get(address, { agent, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolveRead({ status: response.statusCode, body }))
    }).on('error', reject)
  })
}

/** Mulberry32. */
function seededRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
