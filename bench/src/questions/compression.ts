import type { Ask } from '../ask.ts'
import { compare } from '../compare.ts'
import { filterMix } from '../mixes/filter-mix.ts'
import { showsInACountry } from '../mixes/show-mix.ts'
import { findingsOf, type Question } from '../question.ts'

/** Few enough to be asked for again and again, as what is popular is. */
const POPULAR = 100

/** The same answers plain, in gzip and in brotli. */
export const compression: Question = {
  name: 'compression',
  asks: 'What does compression cost, for a show and for a page of a search?',
  async find(bench) {
    const { sample } = await bench.catalog()
    const field = await bench.field()
    const lists: [string, Ask[]][] = [
      ['A show', showsInACountry(sample).slice(0, POPULAR)],
      ['A page of a search', (await filterMix(field.marquee, sample)).slice(0, POPULAR)],
    ]
    const comparisons = []
    for (const [name, asks] of lists) {
      comparisons.push(await compare(bench, field, `${name}, not compressed`, asks))
      for (const encoding of ['gzip', 'br']) {
        comparisons.push(await compare(bench, field, `${name}, ${encoding}`, asks, { encoding }))
      }
    }
    return findingsOf(comparisons)
  },
}
