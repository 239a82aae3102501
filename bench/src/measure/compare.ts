import { setTimeout as sleep } from 'node:timers/promises'
import { type HttpRequest, send } from '../lib/http.ts'
import { type Cores, pinToCore } from '../lib/machine.ts'
import { logProgress } from '../lib/output.ts'
import { type Round, runLoad } from '../load/load.ts'
import type { Comparison, TargetResult } from '../results/figures.ts'
import type { Limit } from '../targets/limit.ts'
import type { Marquee } from '../targets/marquee.ts'
import type { Page, RequestMode, Target } from '../targets/target.ts'
import type { ApiRequest } from '../workloads/api-request.ts'
import { prepareRequests } from './prepare.ts'

/** How a comparison is measured. */
export interface MeasureOptions {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
  readonly connections: number
  /** Cores to pin the processes to; undefined leaves scheduling to the kernel. */
  readonly cores: Cores | undefined
}

/** The servers of a comparison: the limit and Marquee always, peers where they support the workload. */
export interface TargetSet {
  readonly limit: Limit
  readonly marquee: Marquee
  readonly peers: readonly Target[]
}

/** A target with its prepared requests and the rounds measured so far. */
interface Candidate {
  readonly name: string
  readonly port: number
  readonly requests: readonly HttpRequest[]
  /** The requests of the next round, where each round has others. */
  readonly nextRequests?: () => readonly HttpRequest[]
  readonly overlap: number
  readonly rounds: Round[]
}

/** Requests that are tried before rounds that have others: enough to compare pages and sizes. */
const TRIED_OF_FRESH = 1000

/**
 * Sends the same workload to every target, in alternating rounds. With `nextWorkload`, Marquee and the peers get other
 * requests of the same kind in every round, so that none was sent before.
 */
export async function compareTargets(
  options: MeasureOptions,
  targets: TargetSet,
  title: string,
  workload: readonly ApiRequest[],
  mode: RequestMode = {},
  nextWorkload?: () => readonly ApiRequest[],
): Promise<Comparison> {
  const tried = nextWorkload === undefined ? workload : workload.slice(0, TRIED_OF_FRESH)
  logProgress(`${title}: trying ${tried.length} requests on every target`)
  const candidates = await prepareCandidates(targets, tried, mode, nextWorkload)
  const { rounds, seconds, warmUpSeconds, connections, cores } = options
  if (cores) for (const { pids } of [targets.limit, targets.marquee, ...targets.peers]) pinToCore(pids, cores.server)

  const runRound = async ({ port, requests: same, nextRequests }: Candidate, seconds: number) => {
    const requests = nextRequests?.() ?? same
    const round = await runLoad({ port, requests, seconds, connections, core: cores?.loadGenerator })
    await drain(port, requests)
    return round
  }
  for (const candidate of candidates) await runRound(candidate, warmUpSeconds)
  // Alternating rounds spread a disturbance of the machine over all targets.
  for (let round = 1; round <= rounds; round++) {
    logProgress(`${title}: round ${round} of ${rounds}`)
    for (const candidate of candidates) candidate.rounds.push(await runRound(candidate, seconds))
  }
  return { title, results: summarize(candidates) }
}

/** Waits until a server has finished the requests left over from a round, so that it takes no CPU from the next one. */
async function drain(port: number, requests: readonly HttpRequest[]): Promise<void> {
  await Promise.all(requests.slice(0, 8).map((request) => send(port, request)))
  await sleep(100)
}

async function prepareCandidates(
  { limit, marquee, peers }: TargetSet,
  workload: readonly ApiRequest[],
  mode: RequestMode,
  nextWorkload?: () => readonly ApiRequest[],
): Promise<Candidate[]> {
  const freshRequests = (target: Target) =>
    nextWorkload && { nextRequests: () => nextWorkload().map((request) => target.request(request)) }
  const own = await prepareRequests(marquee, workload, mode)
  const limitRequests = own.bodyBytes.map((bytes) => limit.request(bytes))
  const candidates: Candidate[] = [
    { name: limit.name, port: limit.port, requests: limitRequests, overlap: 1, rounds: [] },
    {
      name: marquee.name,
      port: marquee.port,
      requests: own.requests,
      ...freshRequests(marquee),
      overlap: 1,
      rounds: [],
    },
  ]
  for (const peer of peers) {
    if (!workload.every(({ kind }) => peer.supports(kind, mode))) continue
    const { requests, pages } = await prepareRequests(peer, workload, mode)
    candidates.push({
      name: peer.name,
      port: peer.port,
      requests,
      ...freshRequests(peer),
      overlap: meanOverlap(own.pages, pages),
      rounds: [],
    })
  }
  return candidates
}

/** Mean share, from 0 to 1, of shows that two targets both have on the same page. */
function meanOverlap(pages: readonly Page[], otherPages: readonly Page[]): number {
  let sum = 0
  pages.forEach(({ ids }, i) => {
    const others = new Set(otherPages[i]!.ids)
    const size = Math.max(ids.length, others.size)
    sum += size === 0 ? 1 : ids.filter((id) => others.has(id)).length / size
  })
  return sum / pages.length
}

function summarize(candidates: readonly Candidate[]): TargetResult[] {
  const medianRate = ({ rounds }: Candidate) => median(rounds.map(({ requestsPerSecond }) => requestsPerSecond))
  const limitRate = medianRate(candidates[0]!)
  return candidates.map((candidate) => {
    const { name, rounds, overlap } = candidate
    const rates = rounds.map(({ requestsPerSecond }) => requestsPerSecond)
    return {
      target: name,
      requestsPerSecond: medianRate(candidate),
      minRequestsPerSecond: Math.min(...rates),
      maxRequestsPerSecond: Math.max(...rates),
      ratioToLimit: medianRate(candidate) / limitRate,
      p50: median(rounds.map(({ p50 }) => p50)),
      p99: median(rounds.map(({ p99 }) => p99)),
      bytesPerSecond: median(rounds.map(({ bytesPerSecond }) => bytesPerSecond)),
      overlap,
    }
  })
}

/** The median; of an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle]!
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}
