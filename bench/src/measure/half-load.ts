import { logProgress } from '../lib/output.ts'
import type { Round } from '../load/load.ts'
import { runPacedLoad } from '../load/paced.ts'
import type { Comparison } from '../results/figures.ts'
import type { ApiRequest } from '../workloads/api-request.ts'
import { type MeasureOptions, median, type TargetSet } from './compare.ts'

/**
 * Measures Marquee's latencies at half of the rate that a comparison found, with other requests in every round, and beside them
 * the limit's at the same rate: what of them is the machine and the generator.
 */
export async function measureHalfLoad(
  { rounds, seconds, connections, cores }: MeasureOptions,
  { marquee, limit }: TargetSet,
  { title, results }: Comparison,
  nextWorkload: () => readonly ApiRequest[],
): Promise<Comparison['halfLoad']> {
  const { bytesPerSecond, requestsPerSecond: fullRate } = results[1]!
  const load = { seconds, connections, core: cores?.loadGenerator, requestsPerSecond: fullRate / 2 }
  const limitRequests = [limit.request(Math.round(bytesPerSecond / fullRate))]
  const [own, bare]: [Round[], Round[]] = [[], []]
  for (let round = 1; round <= rounds; round++) {
    logProgress(`${title}: round ${round} of ${rounds} at half load`)
    const requests = nextWorkload().map((request) => marquee.request(request))
    own.push(await runPacedLoad({ ...load, port: marquee.port, requests }))
    bare.push(await runPacedLoad({ ...load, port: limit.port, requests: limitRequests }))
  }
  const [p50, p99] = [median(own.map(({ p50 }) => p50)), median(own.map(({ p99 }) => p99))]
  return { p50, p99, limitP99: median(bare.map(({ p99 }) => p99)) }
}
