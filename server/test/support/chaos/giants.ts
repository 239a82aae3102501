import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { aMovie, aSeries, aSnapshot } from '../builders.ts'
import { marquee, startMarquee } from '../marquee-process.ts'
import { type CampaignOptions, type ChaosOutcome, repeatFault } from './campaign.ts'

/** How long another request may take while a giant answer is made and sent. */
const MAX_DELAY_MS = 50

const SEASONS = 150
const EPISODES = 100

/** Small requests before the first giant, so that what they take is not the start of the program. */
const WARM_UP_REQUESTS = 2_000

const SERIES = '/v4/shows/2?country=us&series_granularity=episode'
/** The forms in which the series is asked for: some 28 MB each, and twice that with all members. */
const FORMS = [
  { kind: 'plain', path: SERIES, encoding: 'identity' },
  { kind: 'brotli', path: SERIES, encoding: 'br' },
  { kind: 'gzip', path: SERIES, encoding: 'gzip' },
  { kind: 'numbers', path: `${SERIES}&include=numbers`, encoding: 'identity' },
  { kind: 'all members', path: `${SERIES}&include=numbers,provenance,history`, encoding: 'identity' },
  { kind: 'history', path: '/v4/shows/2/history?country=us&series_granularity=episode', encoding: 'identity' },
  {
    kind: 'page',
    path: '/v4/shows/search/filters?country=us&series_granularity=episode&show_type=series',
    encoding: 'identity',
  },
  { kind: 'export', path: '/v4/catalog/export?country=us&series_granularity=episode', encoding: 'identity' },
]

/** The program that reads a giant answer. It is a thread of its own, so that reading delays no small request. */
const READER = `
  const { get } = require('node:http')
  const { parentPort, workerData } = require('node:worker_threads')
  const { url, headers } = workerData
  get(url, { headers, agent: false }, (response) => {
    let bytes = 0
    response.on('data', (chunk) => (bytes += chunk.length))
    response.once('end', () => parentPort.postMessage({ status: response.statusCode, bytes }))
  })
`

/** Asks for a series of 28 MB in every form, beside small requests, and measures how long those are delayed. */
export async function requestGiants(options: CampaignOptions): Promise<ChaosOutcome[]> {
  const { folder } = options
  const env = { MARQUEE_DATA: join(folder, 'data'), MARQUEE_WORKERS: '1' }
  const feed = join(folder, 'giant.ndjson')
  writeFileSync(feed, giantFeed())
  const imported = await marquee(['import', feed], env)
  if (imported.code !== 0) throw new Error(imported.stderr)
  const created = await marquee(['keys', 'create', '--plan', 'unlimited', '--json'], env)
  const { key } = JSON.parse(created.stdout) as { key: string }
  const service = await startMarquee(env)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const requestSmall = () => timeRequest(`${service.address}/v4/shows/1?country=us`, key, agent)
    for (let i = 0; i < WARM_UP_REQUESTS; i++) await requestSmall()
    return await repeatFault(options, async (_random, number) => {
      const { kind, path, encoding } = FORMS[number % FORMS.length] as (typeof FORMS)[number]
      const headers = { 'x-api-key': key, 'accept-encoding': encoding }
      const reader = new Worker(READER, { eval: true, workerData: { url: `${service.address}${path}`, headers } })
      let answer: { readonly status: number; readonly bytes: number } | undefined
      const reading = once(reader, 'message').then(([message]) => {
        answer = message
      })
      let longest = 0
      let requests = 0
      for (; answer === undefined; requests++) {
        longest = Math.max(longest, await requestSmall())
        await sleep(1)
      }
      await reading
      const { status, bytes } = answer
      const problems = [
        ...(status === 200 ? [] : [`status ${status}`]),
        ...(longest <= MAX_DELAY_MS ? [] : [`another request took ${Math.round(longest)} ms`]),
      ]
      const fault = `${kind}, ${(bytes / 1e6).toFixed(1)} MB, ${requests} other requests`
      return { fault, kind: number < FORMS.length ? `${kind}, first` : kind, problems, ms: longest }
    })
  } finally {
    agent.destroy()
    await service.stop()
  }
}

/** A movie, and a series of so many episodes with four offers each. */
function giantFeed(): string {
  const price = { amount: '9.99', currency: 'USD', formatted: '9.99 USD' }
  const offers = (number: number) => ({
    us: (['subscription', 'buy', 'rent', 'free'] as const).map((type) => ({
      service: 'netflix',
      type,
      link: `https://n.test/${number}/${type}`,
      ...((type === 'buy' || type === 'rent') && { price }),
    })),
  })
  const seasons = Array.from({ length: SEASONS }, (_season, s) => ({
    itemType: 'season',
    title: `Season ${s}`,
    streamingOptions: offers(s),
    episodes: Array.from({ length: EPISODES }, (_episode, e) => ({
      itemType: 'episode',
      title: `Episode ${e}`,
      streamingOptions: offers(s * EPISODES + e),
    })),
  }))
  const records = aSnapshot(aMovie({ id: '1' }), aSeries({ id: '2', seasons }))
  return `${records.map((record) => JSON.stringify(record)).join('\n')}\n`
}

function timeRequest(url: string, key: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    get(url, { agent, headers: { 'x-api-key': key } }, (response) => {
      response.resume().once('end', () => resolve(performance.now() - start))
    }).once('error', reject)
  })
}
