import { logProgress } from '../lib/output.ts'
import type { Round } from '../load/load.ts'
import { runPacedLoad } from '../load/paced.ts'
import type { Comparison } from '../results/figures.ts'
import type { Marquee } from '../targets/marquee.ts'
import type { ApiRequest } from '../workloads/api-request.ts'
import { type MeasureOptions, median } from './compare.ts'

/** Measures Marquee's latencies at half of the rate that a comparison found, with other requests in every round. */
export async function measureHalfLoad(
  { rounds, seconds, connections, cores }: MeasureOptions,
  marquee: Marquee,
  { title, results }: Comparison,
  nextWorkload: () => readonly ApiRequest[],
): Promise<Comparison['halfLoad']> {
  const requestsPerSecond = results[1]!.requestsPerSecond / 2
  const measured: Round[] = []
  for (let round = 1; round <= rounds; round++) {
    logProgress(`${title}: round ${round} of ${rounds} at half load`)
    const requests = nextWorkload().map((request) => marquee.request(request))
    const { port } = marquee
    const core = cores?.loadGenerator
    measured.push(await runPacedLoad({ port, requests, seconds, connections, core, requestsPerSecond }))
  }
  return { p50: median(measured.map(({ p50 }) => p50)), p99: median(measured.map(({ p99 }) => p99)) }
}
