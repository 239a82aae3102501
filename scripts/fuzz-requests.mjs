/**
 * Sends generated requests, valid, nearly valid and hostile, to the built service over real connections. Fails on a crash, an
 * answer of 500, a request that takes more than 20 ms of processor time, or memory that grows. With --differential the same
 * bytes go to a second service without the fast path, and every answer must be the same. Linux only: reads /proc.
 *
 *   node scripts/fuzz-requests.mjs [--requests 10000] [--seed N] [--seconds 600] [--differential]
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({
  options: {
    requests: { type: 'string' },
    seed: { type: 'string' },
    seconds: { type: 'string' },
    differential: { type: 'boolean' },
  },
})
const requests = Number(values.requests ?? 10_000)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
if (!Number.isSafeInteger(requests) || requests < 1 || !Number.isSafeInteger(seed)) {
  console.error('--requests and --seed must be whole numbers')
  process.exit(2)
}

const root = resolve(import.meta.dirname, '..')
const load = async (file) =>
  (
    await runnerImport(join(root, 'server/test/support/campaigns', file), {
      root,
      configFile: false,
      logLevel: 'error',
    })
  ).module
const [{ FuzzService }, { fuzz }] = [await load('fuzz-service.ts'), await load('fuzz-campaign.ts')]

/** Memory beside the caches, which have limits of their own, may grow by this much from half of the requests to the end. */
const MAX_GROWTH_BYTES = 32 * 1024 * 1024

const folder = mkdtempSync(join(tmpdir(), 'marquee-fuzz-'))
const services = []
try {
  const data = join(folder, 'data')
  const marquee = (...args) =>
    execFileSync(process.execPath, [join(root, 'server/bin/marquee.js'), ...args], {
      env: { ...process.env, MARQUEE_DATA: data },
      encoding: 'utf8',
    }).trim()
  marquee('demo', '--shows', '60', '--seed', '1', '--out', join(folder, 'feed.ndjson'))
  marquee('import', join(folder, 'feed.ndjson'))
  const [direct, market] = ['direct', 'marketplace'].map((source) =>
    marquee('keys', 'create', '--source', source, '--plan', 'unlimited'),
  )
  const env = {
    MARQUEE_SECRET: 'signs visitor tokens while fuzzing'.replaceAll(' ', '-'),
    MARQUEE_VISITOR_QUOTA: '1000000',
  }
  const paths = values.differential ? ['on', 'off'] : ['on']
  for (const fastPath of paths) {
    const copy = join(folder, `data-${fastPath}`)
    cpSync(data, copy, { recursive: true })
    services.push(await FuzzService.start({ ...env, MARQUEE_DATA: copy, MARQUEE_FAST_PATH: fastPath }))
  }
  console.log(
    `${requests} requests, seed ${seed}${values.differential ? ', compared with a service without the fast path' : ''}`,
  )
  const startedAt = performance.now()
  let printedAt = startedAt
  const keys = [`X-API-Key: ${direct}`, `X-Market-API-Key: ${market}`]
  const report = await fuzz({
    seed,
    requests,
    deadline: startedAt + 1000 * Number(values.seconds ?? Number.POSITIVE_INFINITY),
    keys,
    services,
    onProgress: (done, { internalErrors, slow, differences }) => {
      if (performance.now() - printedAt < 10_000) return
      printedAt = performance.now()
      console.log(`${done}/${requests}  500s ${internalErrors}, above 20 ms ${slow}, differences ${differences}`)
    },
  })
  for (const example of report.examples) console.log(example.replaceAll(direct, 'KEY').replaceAll(market, 'KEY'))
  const failures = services.flatMap((service) => service.failures())
  for (const failure of failures.slice(0, 10)) console.log(failure)
  const { memoryAtHalf: half, memoryAtEnd: end } = report
  const grown = end.heapBytes - end.cacheBytes - (half.heapBytes - half.cacheBytes)
  const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`
  const describeMemory = ({ residentBytes, heapBytes, cacheBytes }) =>
    `${megabytes(residentBytes)} (heap ${megabytes(heapBytes)}, caches ${megabytes(cacheBytes)})`
  const caches = [...end.caches].sort(([, one], [, other]) => other - one).slice(0, 8)
  console.log(
    `Largest caches, at half and at the end: ` +
      caches.map(([name, bytes]) => `${name} ${megabytes(half.caches.get(name) ?? 0)} ${megabytes(bytes)}`).join(', '),
  )
  console.log(
    `${report.requests} requests and ${report.responses} responses in ${Math.round((performance.now() - startedAt) / 1000)} s: ` +
      `${failures.length} failures in the log, ${report.internalErrors} answers of 500, ${report.slow} above 20 ms of processor ` +
      `(most ${report.slowestMs.toFixed(1)} ms), ${report.differences} differences ` +
      `(${report.checkedAgain} checked again); memory ${describeMemory(half)} at half, ${describeMemory(end)} at the end`,
  )
  const isClean = failures.length + report.internalErrors + report.slow + report.differences === 0
  process.exitCode = isClean && grown <= MAX_GROWTH_BYTES ? 0 : 1
} finally {
  for (const service of services) await service.stop()
  rmSync(folder, { recursive: true, force: true })
}
