import type { Scenario } from '../context.ts'
import { compareTargets } from '../measure/compare.ts'
import { Limit } from '../targets/limit.ts'
import { Marquee } from '../targets/marquee.ts'
import { filterSearches } from '../workloads/filters.ts'

/** One worker process compared with two. */
export const processes: Scenario = {
  name: 'processes',
  description: 'the gain of a second worker process',
  async run(context) {
    await context.stopTargets()
    const { data, sample } = await context.catalog()
    const unpinned = { ...context.measureOptions(), cores: undefined }
    const measure = async (count: number) => {
      const limit = await Limit.start(count)
      const marquee = await Marquee.start(data, count)
      try {
        const requests = await filterSearches(marquee, sample)
        const title = `Filter searches, processes: ${count}`
        const { results } = await compareTargets(unpinned, { limit, marquee, peers: [] }, title, requests)
        return { limit: results[0]!.requestsPerSecond, marquee: results[1]!.requestsPerSecond }
      } finally {
        await Promise.all([marquee.stop(), limit.stop()])
      }
    }
    const one = await measure(1)
    const two = await measure(2)
    return { kind: 'processes', limit: [one.limit, two.limit], marquee: [one.marquee, two.marquee] }
  },
}
