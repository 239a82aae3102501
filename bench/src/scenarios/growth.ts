import type { BenchContext, Scenario } from '../context.ts'
import { buildCatalog, measureDisk } from '../data/catalog.ts'
import { readMemory } from '../lib/memory.ts'
import { compareTargets, median, type TargetSet } from '../measure/compare.ts'
import type { GrowthStage, TargetResult } from '../results/figures.ts'
import { Limit } from '../targets/limit.ts'
import { Marquee } from '../targets/marquee.ts'
import type { ApiRequest } from '../workloads/api-request.ts'
import { filterSearches, freshFilters } from '../workloads/filters.ts'
import { showsInOneCountry } from '../workloads/shows.ts'
import { exactTitles, freshTitles, misspelledTitles } from '../workloads/titles.ts'

const SIZES = [10_000, 100_000, 1_000_000]

/** Rates, memory, disk and start-up time at several catalog sizes. */
export const growth: Scenario = {
  name: 'growth',
  description: 'rates, memory, disk and start-up with 10,000 shows and more, up to --shows',
  async run(context) {
    await context.stopTargets()
    const stages = []
    for (const shows of [...SIZES.filter((size) => size < context.shows), context.shows]) {
      stages.push(await measureStage(context, shows))
    }
    return { kind: 'growth', stages }
  },
}

/** The same figures of two catalogs with as many shows: one as in the other scenarios, one with long series. */
export const episodes: Scenario = {
  name: 'episodes',
  description: 'rates, memory, disk and start-up with --shows shows, and with --episodes episodes of them',
  async run(context) {
    await context.stopTargets()
    const { shows } = context
    return {
      kind: 'growth',
      stages: [await measureStage(context, shows), await measureStage(context, shows, context.episodes)],
    }
  },
}

async function measureStage(context: BenchContext, shows: number, episodes?: number): Promise<GrowthStage> {
  const { data, sample } = await buildCatalog(shows, episodes)
  const startUpMs = await medianStartUpMs(data, context.rounds)
  // A fresh service: the memory of one that served other scenarios would include their caches.
  const marquee = await Marquee.start(data)
  const targets: TargetSet = { limit: await Limit.start(), marquee, peers: [] }
  try {
    const workloads: { workload: string; result: TargetResult }[] = []
    const measure = async (workload: string, requests: readonly ApiRequest[], next?: () => readonly ApiRequest[]) => {
      const { results } = await compareTargets(context, targets, `${shows} shows, ${workload}`, requests, {}, next)
      workloads.push({ workload, result: results[1]! })
    }
    await measure('show by id', showsInOneCountry(sample))
    await measure('filter search', await filterSearches(marquee, sample))
    await measure('exact title', exactTitles(sample))
    await measure('misspelled title', misspelledTitles(sample))
    const [nextFilters, nextTitles] = [await freshFilters(marquee, sample), freshTitles(sample)]
    await measure('filter search, never sent before', nextFilters(), nextFilters)
    await measure('title search, never sent before', nextTitles(), nextTitles)
    const memory = readMemory(marquee.workerPids[0]!)
    return {
      shows,
      ...(episodes !== undefined && { episodes }),
      startUpMs,
      memory,
      diskBytes: measureDisk(data),
      workloads,
    }
  } finally {
    await Promise.all([marquee.stop(), targets.limit.stop()])
  }
}

async function medianStartUpMs(data: string, times: number): Promise<number> {
  const durations: number[] = []
  for (let i = 0; i < times; i++) {
    const marquee = await Marquee.start(data)
    durations.push(marquee.startUpMs)
    await marquee.stop()
  }
  return median(durations)
}
