import { type Comparison, compare } from '../compare.ts'
import { Gate } from '../gate.ts'
import { filterMix } from '../mixes/filter-mix.ts'
import { showsInACountry } from '../mixes/show-mix.ts'
import type { Question } from '../question.ts'
import { marquee } from '../support/marquee-command.ts'
import { figure } from '../support/table.ts'

/** The service with and without all that happens for the sake of keys and figures. */
export const gate: Question = {
  name: 'gate',
  asks: 'What do keys, quotas, usage and metrics cost a request?',
  async find(bench) {
    const { sample, data } = await bench.catalog()
    const { limit, marquee: service } = await bench.field()
    const made = await marquee(['keys', 'create', '--plan', 'mega', '--name', 'gate', '--json'], data)
    const plan = ['plans', 'set', 'mega', '--requests', '1000000000', '--rate', '1000000']
    await marquee(plan, data)
    const { key } = JSON.parse(made) as { key: string }
    const peers = [await Gate.start('gated', data, key), await Gate.start('open', data, key)]
    try {
      const field = { limit, marquee: service, peers }
      const comparisons = [
        await compare(bench, field, 'A show by id', showsInACountry(sample)),
        await compare(bench, field, 'Filter searches', await filterMix(service, sample)),
      ]
      const costs = comparisons.map((comparison) => ({ title: comparison.title, ...costOf(comparison) }))
      return {
        tables: [
          {
            title: 'The gate: keys, quotas, usage and metrics',
            head: ['request', 'gated', 'open', 'cost'],
            rows: costs.map(({ title, gated, open, cost }) => [
              title,
              figure(gated),
              figure(open),
              `${figure(cost * 100)} %`,
            ]),
            notes: ['Requests a second of one process. "open" lets everybody in and counts nothing.'],
          },
        ],
        figures: { costs },
      }
    } finally {
      await Promise.all(peers.map((peer) => peer.stop()))
    }
  },
}

function costOf({ standings }: Comparison): { gated: number; open: number; cost: number } {
  const [, , gated, open] = standings.map(({ requestsPerSecond }) => requestsPerSecond) as [
    number,
    number,
    number,
    number,
  ]
  return { gated, open, cost: 1 - gated / open }
}
