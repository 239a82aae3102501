import { readdirSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { openEnvironment } from '../../../src/catalog/storage/environment.ts'
import { currentToken } from '../../../src/query/changes/journal-token.ts'
import { openServiceAccounts } from '../../../src/runtime/open-accounts.ts'
import { aDelta, aMovie, anOption } from '../builders.ts'
import { feedBytes } from '../feed.ts'
import { marquee, startMarquee } from '../marquee-process.ts'
import { MEMORY_PROBE_OPTIONS, measureMemory } from '../memory-probe.ts'
import { WebhookReceiver } from '../webhook-receiver.ts'
import { type ChaosOutcome, percentile, seededRandom } from './campaign.ts'

/** Requests a second: a few per cent of a processor. */
const RATE = 25

const CONNECTIONS = 8
const STREAMS = 6
const WEBHOOKS = 3
const IMPORT_EVERY_MS = 10_000
const SAMPLE_EVERY_MS = 5_000

/** How much more a process may hold at the end of the second half than at its start. */
const MAX_GROWTH = 0.05

/** What always comes and goes: pages of the allocator, and descriptors of requests. */
const SLACK = { memoryMb: 4, descriptors: 4 }

interface SoakOptions {
  /** An empty folder. */
  readonly folder: string
  readonly seed: number
  readonly seconds: number
  readonly onProgress?: (line: string) => void
}

/** What a process holds at an instant. */
interface Sample {
  readonly at: number
  /** Anonymous memory after a garbage collection, in megabytes: the maps of files are not its own. */
  readonly memoryMb: number
  /** The part of it that objects and buffers use; allocators keep the rest. */
  readonly heapMb: number
  readonly descriptors: number
  /** What the caches of all processes hold: they have limits of their own, and fill for a long time. */
  readonly cacheMb: number
}

const PATHS = [
  (n: number) => `/v4/shows/${1 + (n % 200)}?country=us&series_granularity=episode`,
  () => '/v4/shows/search/filters?country=us&order_by=rating',
  (n: number) => `/v4/shows/search/filters?country=us&genres=${['crime', 'drama', 'comedy'][n % 3]}&catalogs=netflix`,
  (n: number) => `/v4/shows/search/title?country=us&title=${['godfahter', 'the', 'love', 'star wars'][n % 4]}`,
  () => '/v4/shows/top?country=us&service=netflix',
  () => '/v4/changes?country=us&change_type=new&item_type=show',
  () => '/v4/changes?country=us&change_type=updated&item_type=show',
  (n: number) => `/v4/shows/${1 + (n % 50)}/history?country=us`,
  (n: number) => `/v4/shows/${1 + (n % 50)}/similar?country=us`,
  () => '/v4/countries/us',
  () => '/',
  (n: number) => `/show/${1 + (n % 20)}`,
]

/**
 * One service with two workers under a steady, moderate load of reads, imports, streams and webhooks. Memory and descriptors of
 * every process must be flat over the second half: its last quarter may hold 5 % more than its first, and what caches have filled.
 */
export async function soakService(options: SoakOptions): Promise<ChaosOutcome[]> {
  const { folder, seed, seconds, onProgress = () => {} } = options
  const data = join(folder, 'data')
  const env = { MARQUEE_DATA: data, MARQUEE_WORKERS: '2', MARQUEE_PRIVATE_WEBHOOKS: 'allow' }
  const feed = join(folder, 'feed.ndjson')
  for (const args of [
    ['demo', '--shows', '200', '--countries', '4', '--seed', '1', '--out', feed],
    ['import', feed],
  ]) {
    const { code, stderr } = await marquee(args, env)
    if (code !== 0) throw new Error(`marquee ${args[0]} failed: ${stderr}`)
  }
  const { stdout } = await marquee(['keys', 'create', '--plan', 'unlimited'], env)
  const headers = { 'X-API-Key': stdout.trim() }
  const receivers = await Promise.all(Array.from({ length: WEBHOOKS }, () => new WebhookReceiver().listen()))
  await addWebhooks(data, receivers)
  const service = await startMarquee({ ...env, NODE_OPTIONS: MEMORY_PROBE_OPTIONS })
  const pids = () => [service.process.pid as number, ...service.events('worker_listening').map(({ pid }) => pid)]
  const samples = new Map<number, Sample[]>()
  const problems: string[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const counts = { requests: 0, shed: 0, imports: 0, events: 0 }
  const random = seededRandom(seed)
  const started = performance.now()
  const isOver = () => performance.now() - started > 1000 * seconds
  const closing = new AbortController()

  async function read(): Promise<void> {
    const pending = new Set<Promise<void>>()
    for (let n = 0; !isOver(); n++) {
      const wait = started + (n * 1000) / RATE - performance.now()
      if (wait > 0) await sleep(wait)
      const path = (PATHS[Math.floor(random() * PATHS.length)] as (n: number) => string)(n)
      const request = send(path).finally(() => pending.delete(request))
      pending.add(request)
    }
    await Promise.all(pending)
  }

  /** Sends a request on one of few connections, so that descriptors of the service do not vary by those of the client. */
  async function send(path: string): Promise<void> {
    try {
      const status = await new Promise<number>((resolve, reject) => {
        get(`${service.address}${path}`, { agent, headers }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode as number))
        }).once('error', reject)
      })
      counts.requests++
      // On a busy machine a worker may shed requests, as clients are told: they retry.
      if (status === 503) counts.shed++
      else if (status !== 200 && status !== 404) problems.push(`${status} for ${path}`)
    } catch (error) {
      problems.push(`${(error as Error).message} for ${path}`)
    }
  }

  /** Alters the same shows again and again, so that the catalog stays as large as it is. */
  async function importRepeatedly(): Promise<void> {
    const delta = join(folder, 'delta.ndjson')
    for (; !isOver(); await sleep(IMPORT_EVERY_MS)) {
      const shows = Array.from({ length: 20 }, (_, i) =>
        aMovie({
          id: String(90_000 + i),
          title: `Soaked ${i}`,
          streamingOptions: { us: [anOption({ link: `https://a.test/${i}/${counts.imports % 2}` })] },
        }),
      )
      writeFileSync(delta, feedBytes(aDelta(...shows)))
      const { code, stderr } = await marquee(['import', delta, '--source', 'soak'], env)
      if (code !== 0) problems.push(`an import ended with ${code}: ${stderr}`)
      counts.imports++
    }
  }

  /** Reads a stream of changes, and opens it again now and then. */
  async function stream(number: number): Promise<void> {
    const url = `${service.address}/v4/changes/stream?country=us&change_type=new,updated,removed&item_type=show`
    while (!isOver()) {
      const ending = AbortSignal.any([closing.signal, AbortSignal.timeout(20_000 + 5_000 * number)])
      try {
        const response = await fetch(url, { headers, signal: ending })
        if (response.status !== 200) problems.push(`${response.status} for a stream`)
        for await (const _ of response.body ?? []) counts.events++
      } catch (error) {
        if (!ending.aborted) problems.push(`a stream ended: ${(error as Error).message}`)
      }
    }
  }

  async function sample(): Promise<void> {
    for (; !isOver(); await sleep(SAMPLE_EVERY_MS)) {
      const cacheMb = await readCacheMegabytes(service.address)
      for (const pid of pids()) {
        try {
          const { residentBytes, heapBytes } = await measureMemory(pid)
          const taken: Sample = {
            at: (performance.now() - started) / 1000,
            memoryMb: residentBytes / 2 ** 20,
            heapMb: heapBytes / 2 ** 20,
            descriptors: readdirSync(`/proc/${pid}/fd`).length,
            cacheMb,
          }
          samples.set(pid, [...(samples.get(pid) ?? []), taken])
        } catch {
          problems.push(`process ${pid} has ended`)
          return
        }
      }
    }
  }

  const minutes = setInterval(() => {
    const held = pids().map((pid) => `${samples.get(pid)?.at(-1)?.memoryMb.toFixed(0)} MB`)
    const minute = Math.round((performance.now() - started) / 60_000)
    onProgress(`minute ${minute}: ${counts.requests} requests, ${counts.imports} imports, ${held.join(', ')}`)
  }, 60_000)
  try {
    const streams = Array.from({ length: STREAMS }, (_, number) => stream(number))
    await Promise.all([read(), importRepeatedly(), sample()])
    closing.abort()
    await Promise.all(streams)
  } finally {
    clearInterval(minutes)
    agent.destroy()
    await service.stop()
    for (const receiver of receivers) receiver.close()
  }
  const delivered = receivers.reduce((sum, { messages }) => sum + messages.length, 0)
  onProgress(
    `${counts.requests} requests (${counts.shed} shed), ${counts.imports} imports, ${counts.events} parts of streams, ${delivered} messages delivered`,
  )
  if (delivered === 0 || counts.events === 0) problems.push('nothing was delivered')
  for (const problem of new Set(problems)) onProgress(problem)
  const load: ChaosOutcome = { kind: 'load', fault: `${counts.requests} requests`, problems: [...new Set(problems)] }
  return [
    load,
    ...[...samples].map(([pid, taken], i) => judgeProcess(i === 0 ? 'primary' : 'worker', pid, taken, seconds)),
  ]

  function judgeProcess(kind: string, pid: number, taken: readonly Sample[], total: number): ChaosOutcome {
    const quarter = (from: number, until: number) => taken.filter(({ at }) => at >= from * total && at < until * total)
    const [first, last] = [quarter(0.5, 0.625), quarter(0.875, 1.1)]
    const grown: string[] = []
    const shown: string[] = []
    const medians = (what: Exclude<keyof Sample, 'at'>) =>
      [first, last].map((part) =>
        percentile(
          part.map((one) => one[what]),
          0.5,
        ),
      ) as [number, number]
    const [cachesBefore, cachesAfter] = medians('cacheMb')
    for (const what of ['memoryMb', 'descriptors'] as const) {
      const [before, after] = medians(what)
      shown.push(`${what} ${before.toFixed(0)} to ${after.toFixed(0)}`)
      const filled = what === 'memoryMb' && kind === 'worker' ? Math.max(0, cachesAfter - cachesBefore) : 0
      const allowed = before * (1 + MAX_GROWTH) + SLACK[what] + filled
      if (!(after <= allowed)) grown.push(`${what} grew from ${before} to ${after}, more than to ${allowed}`)
    }
    const [heapBefore, heapAfter] = medians('heapMb')
    shown.push(`heap ${heapBefore.toFixed(0)} to ${heapAfter.toFixed(0)}`)
    shown.push(`caches of all ${cachesBefore.toFixed(0)} to ${cachesAfter.toFixed(0)}`)
    const fault = `${kind} ${pid}: ${shown.join(', ')}`
    onProgress(fault)
    return { kind, fault, problems: grown }
  }
}

async function addWebhooks(dataDir: string, receivers: readonly WebhookReceiver[]): Promise<void> {
  const accounts = openServiceAccounts({ dataDir, databaseUrl: undefined, keyPrefix: 'mq' })
  const catalog = new Catalog(openEnvironment(dataDir, { readOnly: true }))
  const since = currentToken(catalog)
  await catalog.close()
  await accounts.refresh()
  const filter = {
    country: 'us',
    changeTypes: ['new', 'updated', 'removed'],
    itemTypes: ['show'],
    catalogs: [],
    shows: [],
    language: 'en',
    leadDays: 7,
  } as const
  for (const { url } of receivers) {
    await accounts.webhooks.create(
      { name: 'soak', url, filter, since },
      { by: 'operator', now: Math.floor(Date.now() / 1000) },
    )
  }
  await accounts.close()
}

async function readCacheMegabytes(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const values = [...text.matchAll(/^marquee_cache_bytes\{[^}]*\} (\d+)$/gm)].map(([, bytes]) => Number(bytes))
  return values.reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20
}
