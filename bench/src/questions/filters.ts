import { compare } from '../compare.ts'
import { filterMix, MANY } from '../mixes/filter-mix.ts'
import { findingsOf, type Question } from '../question.ts'

/** Filter searches. */
export const filters: Question = {
  name: 'filters',
  asks: 'How fast is a page of a filter search?',
  async find(bench) {
    const { sample } = await bench.catalog()
    const field = await bench.field()
    const mix = await filterMix(field.marquee, sample)
    const many = await filterMix(field.marquee, sample, MANY)
    // The peers remember nothing, so more searches are the same to them.
    const alone = { ...field, peers: [] }
    return findingsOf([
      await compare(bench, field, 'Filter searches', mix),
      await compare(bench, alone, 'Filter searches, more of them than are remembered', many),
    ])
  },
}
