import { compare, type Field, type Standing } from '../compare.ts'
import { Limit } from '../limit/limit.ts'
import { Marquee } from '../marquee.ts'
import { filterMix } from '../mixes/filter-mix.ts'
import type { Question } from '../question.ts'
import { figure } from '../support/table.ts'

/** One serving process against two. */
export const processes: Question = {
  name: 'processes',
  asks: 'What does a second serving process bring, beside what it brings to the limit?',
  async find(bench) {
    const catalog = await bench.catalog()
    const free = { ...bench.measuring(), cores: undefined }
    const results: { processes: number; limit: Standing; marquee: Standing }[] = []
    for (const processes of [1, 2]) {
      const limit = await Limit.start(processes)
      const field: Field = { limit, marquee: await Marquee.start(catalog.data, processes), peers: [] }
      try {
        const asks = await filterMix(field.marquee, catalog.sample)
        const { standings } = await compare(free, field, `Filter searches, ${processes} serving`, asks)
        results.push({ processes, limit: standings[0]!, marquee: standings[1]! })
      } finally {
        await Promise.all([field.marquee.stop(), limit.stop()])
      }
    }
    const [one, two] = results as [(typeof results)[0], (typeof results)[0]]
    const gain = (who: 'limit' | 'marquee') => two[who].requestsPerSecond / one[who].requestsPerSecond
    return {
      tables: [
        {
          title: 'Processes: filter searches',
          head: ['contestant', '1 process', '2 processes', 'gain'],
          rows: (['limit', 'marquee'] as const).map((who) => [
            one[who].contestant,
            figure(one[who].requestsPerSecond),
            figure(two[who].requestsPerSecond),
            `${figure(gain(who))} ×`,
          ]),
          notes: ['Requests a second. Nothing is pinned; the load generator needs a share of the same cores.'],
        },
      ],
      figures: { results, gain: { limit: gain('limit'), marquee: gain('marquee') } },
    }
  },
}
